"""Two officers for a version: where the policy says so, nobody opens new rows alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.offices import APART, CONTENT, ON_SQLITE, REGISTRATION, Office, everything_in, together

from discreet.budget import BudgetExceeded, Cost, ParameterError
from discreet.budget.allowance import Allowance
from discreet.office import Policy
from discreet.office.auditing import inspection
from discreet.office.datasets import changes, lifecycle, registering, registry
from discreet.office.datasets.likeness import Guarded, Resembling
from discreet.office.house import audit_log
from discreet.office.house.roles import TERMINAL
from discreet.office.notices import news
from discreet.office.people import accounts
from discreet.office.rules import rights
from discreet.office.rules.visit import Visit
from discreet.rows.files import suggest

WHY, OTHERWISE = "the rows of the second year", "what came in after the first year"
GROWN = CONTENT + b"1,north,later\n"
OTHERS = CONTENT.replace(b"zebra", b"okapi")
BOTH = ("policy", "version")


@pytest.fixture
def guarded(office: Office) -> Office:
    """Let every version of the data take two officers."""
    office.amend(both=BOTH)
    return office


def bring(office: Office, login: str, content: bytes = GROWN, why: str = WHY, **more: Any) -> bool:
    """Bring rows as somebody; say whether they are a version now."""
    who = TERMINAL if login == "terminal" else office.who[login]
    return changes.renew(office.house, who, office.dataset, content, why, **more) is not None


def how_many(office: Office) -> int:
    """Return how many versions there are."""
    return len(registry.find(office.house, office.dataset).versions)


def vault(office: Office) -> list[str]:
    """Return all that lies in the vault."""
    return sorted(str(path.relative_to(office.home)) for path in (office.home / "vault").rglob("*"))


def test_a_version_holds_once_two_officers_have_brought_the_same_file(guarded: Office) -> None:
    """The first one's rows are not kept, others hear of it, the same one twice is not two, and the trail names both."""
    before = vault(guarded)
    assert not bring(guarded, "olga") and not bring(guarded, "olga")
    assert how_many(guarded) == 1 and vault(guarded) == before
    assert "proposed a version" in str(news.news(guarded.house, guarded.who["otto"])[0].words)
    assert changes.proposed(guarded.house, registry.find(guarded.house, guarded.dataset)) == WHY
    assert bring(guarded, "otto", why=OTHERWISE) and how_many(guarded) == 2
    version, last = registry.find(guarded.house, guarded.dataset).versions[-1], audit_log.trail(guarded.store, 1)[0]
    assert (version.why, last.what, last.details["first"]) == (OTHERWISE, "renewed rows", "olga")
    assert rights.pending(guarded.house, changes.VERSION, guarded.dataset) is None
    assert inspection.look(guarded.house).all == [] and guarded.house.wrong_act(whole=True) is None


@ON_SQLITE
def test_another_file_or_another_reading_of_it_is_another_version(guarded: Office) -> None:
    """Each is a proposal in the place of the one before; nothing of it holds until both say the same."""
    text = suggest(GROWN)
    for login, content, layout in (
        ("olga", GROWN, text),
        ("otto", GROWN + b"2,south,later\n", text),
        ("olga", GROWN, text),
        ("otto", GROWN, replace(text, encoding="latin-1")),
    ):
        assert not bring(guarded, login, content, layout=layout)
    assert how_many(guarded) == 1
    assert bring(guarded, "olga", layout=replace(text, encoding="latin-1")) and how_many(guarded) == 2


@ON_SQLITE
def test_a_proposal_is_of_the_rows_that_stood_when_it_was_made(guarded: Office) -> None:
    """What came in between makes it another one; it ends after a week; whoever could confirm it can drop it."""
    assert not bring(guarded, "olga")
    assert bring(guarded, "terminal", CONTENT + b"9,south,between\n")
    assert not bring(guarded, "otto") and bring(guarded, "olga") and how_many(guarded) == 3
    last = GROWN + b"6,south,last\n"
    assert not bring(guarded, "olga", last)
    guarded.amend(both=("policy",))
    assert bring(guarded, "otto", CONTENT + b"7,south,alone\n")
    guarded.amend(both=BOTH)
    assert not bring(guarded, "otto", last) and bring(guarded, "olga", last) and how_many(guarded) == 5
    late, other = GROWN + b"3,north,late\n", GROWN + b"4,north,other\n"
    assert not bring(guarded, "olga", late)
    guarded.clock.now += 8 * 24 * 3600
    assert not bring(guarded, "otto", late) and bring(guarded, "olga", late)
    assert not bring(guarded, "olga", other)
    waits = rights.pending(guarded.house, changes.VERSION, guarded.dataset)
    assert waits is not None
    rights.drop(guarded.house, guarded.who["otto"], "officer", waits, "people")
    assert not bring(guarded, "otto", other) and how_many(guarded) == 6


@ON_SQLITE
def test_only_officers_of_the_data_who_never_asked_are_the_second(guarded: Office) -> None:
    """Whoever proposed asks nothing any more; whoever has asked confirms nothing; closed data have no versions."""
    guarded.ask(0.5, "max")
    assert not bring(guarded, "olga")
    with pytest.raises(ParameterError, match="You have sent requests for this dataset"):
        bring(guarded, "max")
    guarded.who["olga"] = replace(guarded.who["olga"], roles=frozenset({"analyst", "officer"}))
    with (
        guarded.store.reading() as connection,
        pytest.raises(ParameterError, match="You registered this dataset or a version of"),
    ):
        rights.may_ask(Visit(guarded.house, connection, guarded.who["olga"], guarded.dataset))
    lifecycle.close(guarded.house, guarded.who["otto"], guarded.dataset)
    with pytest.raises(ParameterError, match="is closed and accepts no more requests"):
        bring(guarded, "otto")


@ON_SQLITE
def test_one_officer_cannot_let_one_be_enough(guarded: Office) -> None:
    """The policy itself takes two, also where only this act is taken off; alone it holds, and the trail says so."""
    for looser in (Policy(), Policy(both=("policy",))):
        assert changes.amend(guarded.house, guarded.who["olga"], guarded.dataset, looser) is False
    assert not bring(guarded, "olga")
    for login in set(guarded.who) - {"olga", "adam"}:
        accounts.change(guarded.house, TERMINAL, login, guarded.who[login].roles, False)
    assert bring(guarded, "olga") and audit_log.trail(guarded.store, 1)[0].details["alone"] is True


@ON_SQLITE
def test_the_rule_of_a_budget_by_waves_is_guarded_as_well(office: Office) -> None:
    """There a version opens the room of a period."""
    by_wave = replace(
        REGISTRATION, name="waves", apart=APART, limit=Cost.of("3"), period=Allowance("wave", Cost.of("1")).written
    )
    content = CONTENT.replace(b"note", b"words")
    office.dataset = registering.register(office.house, office.who["olga"], content, by_wave, Policy()).id
    office.amend(free=0.9, both=("version",))
    office.ask(0.9)
    assert not bring(office, "olga", content + b"1,north,later\n")
    with pytest.raises(BudgetExceeded, match="only ε = 0.1 is left"):
        office.ask(0.8)
    assert bring(office, "otto", content + b"1,north,later\n")
    with pytest.raises(ParameterError, match="The budget was too small when this request"):
        office.ask(0.8)
    assert office.ask(0.8, round=1).release is not None


def test_two_at_once_are_one_proposal_and_one_version(guarded: Office) -> None:
    """Four presses by two officers side by side: one version of these rows, whoever comes first."""
    works: list[Callable[[], Any]] = [lambda login=login: bring(guarded, login) for login in ("olga", "otto") * 2]
    outcome = together(works)
    assert how_many(guarded) == 2 and outcome.count(True) == 1
    assert all(each in (True, False) or "already registered as" in str(each) for each in outcome)
    assert inspection.look(guarded.house).all == []


def beside(
    office: Office, login: str, content: bytes = OTHERS, name: str = "beside", words: str = APART
) -> registry.Registered:
    """Register rows like those of the people, with the word that theirs are others."""
    who = TERMINAL if login == "terminal" else office.who[login]
    return registering.register(office.house, who, content, replace(REGISTRATION, name=name, apart=words), Policy())


def test_a_budget_beside_takes_two_where_a_version_does(guarded: Office) -> None:
    """One word opens no other budget for what may be the same people, whoever says it: the policy is changed by two."""
    before, told = everything_in(guarded.store), vault(guarded)
    for login in ("olga", "otto", "olga"):
        with pytest.raises(Guarded, match="A version of people requires two officers"):
            beside(guarded, login)
    with pytest.raises(Resembling):
        beside(guarded, "olga", words="")
    assert (everything_in(guarded.store), vault(guarded)) == (before, told)
    looser = Policy(both=("policy",))
    for _ in range(2):
        assert changes.amend(guarded.house, guarded.who["olga"], guarded.dataset, looser) is False
        with pytest.raises(Guarded):
            beside(guarded, "olga")
    assert changes.amend(guarded.house, guarded.who["otto"], guarded.dataset, looser)
    assert beside(guarded, "olga").name == "beside"
    assert audit_log.trail(guarded.store, sieve=audit_log.Excerpt(what=("registered",)))[0].details["like"] == [
        "people"
    ]
    guarded.amend(both=BOTH)
    with pytest.raises(Guarded):
        beside(guarded, "olga", OTHERS + b"7,north,more\n", "again")
    assert inspection.look(guarded.house).all == [] and guarded.house.wrong_act(whole=True) is None


@ON_SQLITE
def test_rows_that_are_closed_or_deleted_are_guarded_still(guarded: Office) -> None:
    """And their policy can be changed still, so that nobody is shut out for good."""
    lifecycle.close(guarded.house, guarded.who["olga"], guarded.dataset)
    lifecycle.erase(guarded.house, guarded.who["olga"], guarded.dataset)
    with pytest.raises(Guarded):
        beside(guarded, "olga")
    guarded.amend()
    assert beside(guarded, "olga").name == "beside"


@ON_SQLITE
def test_a_policy_that_was_written_by_hand_opens_no_budget_beside(guarded: Office) -> None:
    """What the trail knows counts."""
    guarded.by_hand(f"UPDATE datasets SET policy = '{Policy().to_json()}' WHERE id = '{guarded.dataset}'")
    with pytest.raises(ParameterError, match="The policy does not match the audit log, so"):
        beside(guarded, "olga")


@ON_SQLITE
def test_the_terminal_and_an_only_officer_need_nobody(guarded: Office) -> None:
    """As everywhere: the one has the disk, the other one nobody to ask."""
    assert beside(guarded, "terminal").name == "beside"
    for login in set(guarded.who) - {"olga", "adam"}:
        accounts.change(guarded.house, TERMINAL, login, guarded.who[login].roles, False)
    assert beside(guarded, "olga", OTHERS + b"8,south,more\n", "again").name == "again"


@ON_SQLITE
def test_rows_of_guarded_people_are_no_version_of_something_else(office: Office) -> None:
    """By the marks of rows that both have: the way around through another dataset is shut, too."""
    marked = replace(REGISTRATION, name="marked", apart=APART, compared=True)
    content = b"age,town,card\n" + b"".join(b"%d,north,c%d\n" % (at % 90, at) for at in range(300))
    office.dataset = registering.register(office.house, office.who["olga"], content, marked, Policy()).id
    office.amend(both=("version",))
    free = next(data for data in registry.everything(office.house) if data.name == "people")
    grown = content.replace(b"card", b"note") + b"1,south,x\n"
    for refused, words in ((Resembling, ""), (Guarded, APART)):
        with pytest.raises(refused, match="looks like marked"):
            changes.renew(office.house, office.who["olga"], free.id, grown, WHY, apart=words)
    office.amend()
    data = changes.renew(office.house, office.who["olga"], free.id, grown, WHY, apart=APART)
    assert data is not None and data.versions[-1].why == f"{WHY} {APART}"
