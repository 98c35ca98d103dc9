"""The door: what the configuration says of roles, who comes before the set-up, names as text."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discreet.budget import ParameterError
from discreet.office import House
from discreet.office.house.roles import TERMINAL
from discreet.office.people import accounts, joining
from discreet.queries.column import Scores
from discreet.rows import Number
from discreet.rows.columns.date import Date
from discreet.ui.figures import curves as figures
from discreet.ui.figures import theme
from discreet.ui.frame.words import quoted
from discreet.ui.office import startup
from discreet.ui.office.people import sign_in
from discreet.ui.session import door

LOGIN = "mal[l](http://evil.example)**x**"


@pytest.mark.parametrize(
    "roles",
    [
        {"officer": "curators"},
        {"officer": ["a", 5]},
        {"king": ["a"]},
        {"claim": 5},
        {"claim": ["a", 1], "officer": ["a"]},
        {"administrator": {"a": "b"}},
    ],
)
def test_roles_are_lists_of_names(roles: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A text would give the role to groups that are called like one of its letters."""
    monkeypatch.setattr(door.st, "secrets", {"roles": roles})
    with pytest.raises(ParameterError, match=r"In \[roles\]"):
        door.roles_of({"groups": ["c", "a"]})
    with pytest.raises(SystemExit):
        monkeypatch.setattr(startup.os, "_exit", lambda code: (_ for _ in ()).throw(SystemExit(code)))
        startup.announce("http://127.0.0.1:1")


@pytest.mark.parametrize("claim", ["groups", ["deep", "er"]])
def test_groups_have_the_roles_that_are_listed(claim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole names, wherever the claim lies."""
    rules = {"claim": claim, "officer": ["curators"], "analyst": ["staff"]}
    monkeypatch.setattr(door.st, "secrets", {"roles": rules})
    assert door.roles_of({"groups": ["curators"], "deep": {"er": ["curators", "c"]}}) == {"officer"}
    monkeypatch.setattr(door.st, "secrets", {})
    assert door.roles_of({"groups": ["curators"]}) == frozenset()


def test_whoever_a_provider_brings_first_does_not_take_the_house(tmp_path: Path) -> None:
    """The link to the first account goes on working, once."""
    house = House(tmp_path / "home", f"sqlite:///{tmp_path / 'ledger.db'}")
    link = joining.setup_link(house)
    joining.from_provider(house, "s", "carl", "Carl", frozenset({"analyst"}))
    assert link is not None and accounts.empty(house)
    assert joining.set_up(house, link, "ann", "Ann", "a long password of ann").login == "ann"
    assert not accounts.empty(house) and joining.setup_link(house) is None


def test_a_login_is_text_on_the_page_that_greets_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a link nor bold, whatever an administrator typed."""
    house = House(tmp_path / "home", f"sqlite:///{tmp_path / 'ledger.db'}")
    roles = frozenset({"analyst"})
    link = joining.invite(house, TERMINAL, LOGIN, "Mal", roles)
    shown: list[str] = []
    monkeypatch.setattr(sign_in.st, "markdown", shown.append)
    monkeypatch.setattr(sign_in.st, "form", lambda *_, **__: nullcontext())  # outside of a page it
    monkeypatch.setattr(sign_in.st, "form_submit_button", lambda *_, **__: False)  # never closes
    sign_in._password(house, link)
    assert quoted(LOGIN) in shown[0] and LOGIN not in shown[0]


def test_levels_with_a_to_in_their_names_are_drawn_as_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a category; a number's bins begin where their names say."""
    drawn: list[Any] = []
    monkeypatch.setattr(theme, "show", lambda figure, *_, **__: drawn.append(figure))
    figures.distribution(Scores(("north to south", "other"), np.array([1, 2])), "way", None)
    assert list(drawn[0].to_dict()["data"][0]["x"]) == ["north to south", "other"]
    figures.distribution(Scores(("0 to 10", "10 to 20"), np.array([1, 2])), "age", Number(0, 20))
    assert list(drawn[1].to_dict()["data"][0]["x"]) == [0.0, 10.0]
    figures.distribution(Scores(("0 to 10", "10 to 20"), np.array([1, 2])), "day", Date("2024-01-01", "2024-01-31"))
    assert list(drawn[2].to_dict()["data"][0]["x"]) == ["2024-01-01", "2024-01-11"]
    formats = [figure.to_dict()["layout"]["xaxis"]["tickformat"] for figure in drawn[1:]]
    assert formats == [theme.WRITTEN_OUT, ""]  # a number's format makes nothing of a day
