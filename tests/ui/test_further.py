"""Bounds that go further with a version, on screens: asked each time, wanted by two, and told on cards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.office_seats import Town, work_on
from support.seats import Seat
from support.town import PURPOSE, TOWN

from discreet.budget import Cost
from discreet.office.datasets import changes, registering, registry
from discreet.office.house.roles import TERMINAL
from discreet.office.people import joining
from discreet.office.rules.registration import Policy
from discreet.rows import Date, Number, Schema

COLUMNS = Schema(
    {
        "admitted": Date("2025-01-01", "2025-12-31", origin="the year"),
        "cost": Number(0, 1000, integer=True, origin="the tariff"),
    }
)
OLD = b"admitted,cost\n" + b"2025-07-01,100\n" * 500
NEW = OLD + b"2026-03-01,3000\n" * 500
QUESTION, WHY = "Are the declared bounds still valid?", "the first quarter of 2026 added"
SOURCE = "the calendar"


@pytest.fixture
def visits(town: Town) -> Town:
    """Register a year of visits, in a house with two officers."""
    said = replace(TOWN, name="visits", schema=COLUMNS, apart="They are visits.", source="Wards", limit=Cost.of("5"))
    town.dataset = registering.register(town.house, town.people["olga"], OLD, said, Policy()).id
    changes.amend(town.house, town.people["olga"], town.dataset, Policy(free=1.0))
    link = joining.invite(town.house, TERMINAL, "otto", "Otto", frozenset({"officer"}))
    town.people["otto"] = joining.choose_password(town.house, link, "a long enough password")
    return town


def brought(town: Town, name: str) -> Seat:
    """Bring new rows as a version."""
    officer = town.at(name).open("datasets", registered_view="new", registered_from="file")
    officer.uploaded("", "visits2026.csv", NEW)
    officer.fill(**{"What is this file?": town.dataset}).run()
    return officer.fill(What_is_new=WHY)


def released(analyst: Seat) -> None:
    """Say what the answer is for, and spend."""
    analyst.fill(**{"Purpose": PURPOSE}).run()
    (button,) = [button for button in analyst.app.button if button.label.startswith("Release result (")]
    analyst.press(button.label)


def data_of(town: Town) -> registry.Registered:
    """Return the data as they stand."""
    return registry.find(town.house, town.dataset)


def test_no_version_comes_in_without_a_word_about_the_bounds(visits: Town) -> None:
    """They are named; that they hold is one answer, and changes nothing of what is declared."""
    olga = brought(visits, "olga")
    assert "Declared up to: admitted 2025-12-31, cost 1000." in olga.text()
    olga.press("Add version 2")
    assert "State whether the declared bounds are still valid." in olga.text() and len(data_of(visits).versions) == 1
    olga.fill(**{QUESTION: True}).press("Add version 2")
    assert len(data_of(visits).versions) == 2 and data_of(visits).later == ()


@pytest.mark.soak_alone
def test_a_later_day_is_declared_by_two_officers_and_told_on_cards(visits: Town) -> None:
    """Who comes second sees what is proposed; an earlier answer keeps its bounds, and is no answer of now.

    In `make test` tests/office/test_later_bounds.py holds the same of verbs and cards; the test above opens the screen.
    """
    ann = work_on(visits.at("ann"), "visits").open("global_sensitivity")
    ann.app.slider[0].set_value(0.5)
    ann.run()
    released(ann)
    olga = brought(visits, "olga").fill(**{QUESTION: False}).run()
    olga.press("Add version 2")
    assert "Enter which bound has changed, or state" in olga.text()
    olga.fill(**{"admitted, up to": "2026-12-31"}).press("Add version 2")
    assert "Enter the public source of the later bounds" in olga.text()
    olga.fill(Public_source=SOURCE).press("Add version 2")
    assert len(data_of(visits).versions) == 1
    proposed = visits.at("otto").open("datasets", registered_view="kept", dataset=visits.dataset)
    assert f"Bounds from this version on: admitted 2026-12-31. Source: “{SOURCE}”." in proposed.text()
    otto = brought(visits, "otto").fill(**{QUESTION: False}).run()
    assert f"Bounds from this version on: admitted 2026-12-31. Source: “{SOURCE}”." in otto.text()
    otto.fill(**{"admitted, up to": "2026-12-31"}, Public_source=SOURCE).press("Add version 2")
    data = data_of(visits)
    assert data.registration.schema.ends == {"admitted": "2026-12-31", "cost": "1000"} and len(data.versions) == 2
    assert "This query was run with earlier bounds." in ann.run().text()
    released(ann)
    words = (
        "Column admitted is declared up to 2026-12-31 from version 2 on. Before that it was declared up to 2025-12-31."
    )
    first, second = visits.desk("ann").requests[::-1]
    for asked, told in ((first, False), (second, True)):
        shown = visits.at("ann").open("requests", request=str(asked.number))
        shown.app.session_state["fold:data"] = True
        assert "Version of the rows" in shown.run().text() and (words in shown.text()) is told
