"""Two officers for a version, on screens: one proposes a file, the other one adds the same, or drops it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.office_seats import QUESTION, Town
from support.office_seats import brought as brought_anew
from support.seats import Seat
from support.town import TOWN

from discreet.budget import Cost
from discreet.office import Policy
from discreet.office.datasets import changes, registering, registry
from discreet.office.datasets.registry import Registered
from discreet.office.house.roles import TERMINAL
from discreet.office.people import accounts, joining
from discreet.office.rules import rights

SAID = replace(
    TOWN,
    name="visits",
    source="A register of visits",
    apart="They are visits, not people of the town.",
    limit=Cost.of("0.5", "1e-6"),
)
WHY, AGAIN = "the visits of the *next* month", "the visits of February"


def visits(month: int, many: int = 200) -> bytes:
    """Return the rows of a month."""
    rows = "\n".join(f"{at % 90},{'ab'[at % 2]},visit {month}-{at}" for at in range(many))
    return f"age,group,note\n{rows}\n".encode()


@pytest.fixture
def pair(town: Town) -> Town:
    """Register data that two officers keep, of which every version takes both."""
    town.dataset = registering.register(town.house, town.people["olga"], visits(1), SAID, Policy()).id
    link = joining.invite(town.house, TERMINAL, "otto", "Otto", frozenset({"officer"}))
    town.people["otto"] = joining.choose_password(town.house, link, "a long enough password")
    for name in ("olga", "otto"):
        changes.amend(town.house, town.people[name], town.dataset, Policy(both=("version",)))
    return town


def registered(town: Town) -> Registered:
    """Return the data as they stand."""
    return registry.find(town.house, town.dataset)


def brought(town: Town, name: str, why: str, month: int = 2) -> Seat:
    """Choose a file as a version, say what it is, and press."""
    officer = town.at(name).open("datasets", registered_view="new")
    officer.uploaded("", f"visits{month}.csv", visits(month)).fill(**{"What is this file?": town.dataset}).run()
    officer.fill(What_is_new=why, Are_the_declared_bounds_still_valid=True).run()
    assert "A version of this dataset requires two" in officer.text()
    return officer.press("Add version")


def test_the_second_officer_reads_what_waits_and_adds_the_same_file(pair: Town) -> None:
    """Until then nothing holds; whoever reads it sees whose it is, and why."""
    olga = brought(pair, "olga", WHY)
    assert len(registered(pair).versions) == 1 and "Olga proposes a version: “" + WHY in olga.text()
    assert "This takes effect once another officer adds" in olga.text()
    news = pair.at("otto").open("news")
    assert "proposed a version of the rows of" in news.text()
    (way,) = {link.proto.query_string for link in news.app.get("page_link") if link.proto.label == "Open visits"}
    assert pair.dataset in way
    otto = brought(pair, "otto", AGAIN, 3)
    assert len(registered(pair).versions) == 1 and "Otto proposes a version: “" + AGAIN in otto.text()
    brought(pair, "olga", WHY)
    otto = brought(pair, "otto", AGAIN)
    assert len(registered(pair).versions) == 2 and "proposes" not in otto.text()


def test_it_can_be_dropped_and_one_officer_alone_is_told_so(pair: Town) -> None:
    """On the page of the data, by whoever could confirm it."""
    brought(pair, "olga", WHY)
    otto = pair.at("otto").open("datasets", dataset=pair.dataset).press("Withdraw proposal")
    assert rights.pending(pair.house, changes.VERSION, pair.dataset) is None and "proposes" not in otto.text()
    accounts.change(pair.house, TERMINAL, "otto", frozenset({"officer"}), False)
    olga = pair.at("olga").open("datasets", registered_view="new")
    olga.uploaded("", "visits2.csv", visits(2)).fill(**{"What is this file?": pair.dataset}).run()
    assert "You are the only officer" in olga.text()
    olga.fill(What_is_new=WHY, Are_the_declared_bounds_still_valid=True).press("Add version")
    assert len(registered(pair).versions) == 2


def test_rows_like_these_begin_no_budget_on_one_word(pair: Town) -> None:
    """Whoever registers reads what to do; once two officers have changed the policy, it is sent once more."""
    olga = brought_anew(pair.at("olga")).fill(**{QUESTION: "yes"}).run().fill(Name="others").run().press("Register")
    assert "A version of visits requires two officers, so one officer cannot register it separately" in olga.text()
    assert [data.name for data in registry.everything(pair.house)] == ["town", "visits"]
    for name in ("olga", "otto"):
        changes.amend(pair.house, pair.people[name], pair.dataset, Policy())
    olga.press("Register")
    assert "others" in [data.name for data in registry.everything(pair.house)]
