"""Substitutes: for a time, in the stead of one officer, on that officer's data; and never both of two."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from support.offices import APART, CHECKED, CONTENT, ON_SQLITE, REASON, REGISTRATION, START, Office

from discreet.budget import ParameterError
from discreet.office import Policy
from discreet.office.cards import cards
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import changes, lifecycle, registering
from discreet.office.decisions import decisions
from discreet.office.desk import queue
from discreet.office.house import audit_log
from discreet.office.house.roles import TERMINAL, Denied
from discreet.office.notices import news
from discreet.office.people import accounts
from discreet.office.requests import remarks, request
from discreet.office.requests.request import find
from discreet.office.rules import rights, substitutes

TODAY = datetime.fromtimestamp(START, UTC).date()
DAY = 24 * 3600.0
BOTH = ("ann", "olga")
Verb = Callable[[Office, Any, request.Inquiry], Any]
# what only the officers of a dataset do, with the act that stands on the trail
KEEPING: dict[str, tuple[str, Verb]] = {
    "decide": ("denied", lambda o, who, a: decisions.decide(o.house, who, a.id, "denied", REASON)),
    "approve": ("approved", lambda o, who, a: decisions.decide(o.house, who, a.id, "approved", "", CHECKED)),
    "amend": ("policy", lambda o, who, a: changes.amend(o.house, who, o.dataset, Policy(officers=("olga",), most=0.3))),
    "publish": ("published", lambda o, who, a: lifecycle.publish(o.house, who, o.dataset, True)),
    "close": ("closed", lambda o, who, a: lifecycle.close(o.house, who, o.dataset)),
    "erase": ("deleted", lambda o, who, a: lifecycle.erase(o.house, who, o.dataset)),
    "note": ("noted", lambda o, who, a: changes.note(o.house, who, o.dataset, "a note that is long enough")),
}
READING: dict[str, Verb] = {
    "seen_by": lambda o, who, a: request.seen_by(o.house, who, a.id),
    "thread": lambda o, who, a: remarks.thread(o.house, who, a.id),
    "queue": lambda o, who, a: next(iter(queue.queue(o.house, who))),
}


def named(office: Office, *officers: str, **more: Any) -> request.Inquiry:
    """Let a request wait for these officers alone."""
    waits = office.ask(0.5)
    office.amend(officers=officers, **more)
    return waits


def stand_in(office: Office, officer: str, substitute: str, days: int = 3) -> None:
    """Name a substitute from today on."""
    last = TODAY + timedelta(days=days - 1)
    substitutes.name_substitute(office.house, office.who[officer], substitute, TODAY, last)


@ON_SQLITE
@pytest.mark.parametrize("verb", KEEPING)
def test_a_substitute_does_what_the_officer_does_and_the_trail_says_for_whom(office: Office, verb: str) -> None:
    """Before it Otto can do nothing with Olga's data; then it is said that he did it for her."""
    waits = named(office, "olga")
    word, act = KEEPING[verb]
    with pytest.raises(ParameterError, match="names other officers"):
        act(office, office.who["otto"], waits)
    stand_in(office, "olga", "otto")
    act(office, office.who["otto"], waits)
    last = next(each for each in audit_log.trail(office.store) if each.what == word)
    assert last.who == office.who["otto"].id and last.details["for"] == "olga"
    assert office.house.wrong_act(whole=True) is None


@ON_SQLITE
def test_a_card_says_who_decided_and_for_whom(office: Office) -> None:
    """Otto for Olga, to whoever is signed in; the public reads of an officer, and Olga herself is for nobody."""
    first, second = office.ask(0.4), named(office, "olga")
    decisions.decide(office.house, office.who["olga"], first.id, "denied", REASON)
    stand_in(office, "olga", "otto")
    decisions.decide(office.house, office.who["otto"], second.id, "approved", "", CHECKED)

    def decided_by(each: request.Inquiry, names: bool) -> str:
        card = cards.card(snapshot(office.house, find(office.house, each.id)), names)
        assert cards.strange_parts(card.to_json()) == []
        return str(json.loads(cards.card_json(card))["people"]["decided_by"])

    assert [decided_by(each, True) for each in (first, second)] == ["Olga", "Otto on behalf of Olga"]
    assert [decided_by(each, False) for each in (first, second)] == ["an officer", "an officer"]


@ON_SQLITE
@pytest.mark.parametrize("verb", READING)
def test_a_substitute_reads_what_the_officer_reads(office: Office, verb: str) -> None:
    """The queue and the thread, and the news; before and after it nothing."""
    waits, otto = named(office, "olga"), office.who["otto"]
    with pytest.raises((Denied, StopIteration)):
        READING[verb](office, otto, waits)
    assert f"#{waits.number}" not in [each.about for each in news.news(office.house, otto)]
    stand_in(office, "olga", "otto")
    READING[verb](office, otto, waits)
    assert f"#{waits.number}" in [each.about for each in news.news(office.house, otto)]
    office.clock.now += 3 * DAY
    with pytest.raises((Denied, StopIteration)):
        READING[verb](office, otto, waits)


def test_it_begins_and_ends_by_itself(office: Office) -> None:
    """From the first second of the first day to the last of the last one; nobody has to end it."""
    named(office, "olga")
    house, olga, otto = office.house, office.who["olga"], office.who["otto"]
    midnight = datetime(TODAY.year, TODAY.month, TODAY.day, tzinfo=UTC).timestamp()
    substitutes.name_substitute(house, olga, "otto", TODAY + timedelta(days=1), TODAY + timedelta(days=2))
    for moment, holds in ((1 * DAY - 1, False), (1 * DAY, True), (3 * DAY - 1, True), (3 * DAY, False)):
        office.clock.now = midnight + moment
        assert (office.dataset in rights.of_officer(house, otto)) is holds, moment
    assert substitutes.substitutions(house, olga) == []


def test_a_substitute_has_no_right_of_their_own_name(office: Office) -> None:
    """Otto, who stands in for Olga, lends it to nobody: rights come from the policy alone."""
    named(office, "olga")
    stand_in(office, "olga", "otto")
    stand_in(office, "otto", "max")
    assert office.dataset in rights.of_officer(office.house, office.who["otto"])
    assert office.dataset not in rights.of_officer(office.house, office.who["max"])


@ON_SQLITE
def test_by_ones_own_right_one_stands_in_for_nobody(office: Office) -> None:
    """Where the policy names both, Otto acts as himself: he and Olga are two."""
    waits = named(office, "olga", "otto", pair=0.4)
    stand_in(office, "olga", "otto")
    assert rights.in_stead(office.house, office.who["otto"], office.dataset) is None
    decisions.decide(office.house, office.who["otto"], waits.id, "approved", "", CHECKED)
    done = decisions.decide(office.house, office.who["olga"], waits.id, "approved", "", CHECKED)
    assert done.state == "approved"
    assert not any("for" in act.details for act in audit_log.trail(office.store))


ORDERS = [
    ("otto", "olga"),  # the substitute, and who is away
    ("olga", "otto"),  # the other way
]


@pytest.mark.parametrize("order", ORDERS)
def test_a_substitute_and_whoever_is_away_are_one_of_two(office: Office, order: tuple[str, str]) -> None:
    """In both orders the second is refused; a third officer, of another voice, can be the second."""
    waits = named(office, "ann", "olga", pair=0.4)
    stand_in(office, "olga", "otto")
    first, second = (office.who[login] for login in order)
    assert decisions.decide(office.house, first, waits.id, "approved", "", CHECKED).state == "waiting"
    with pytest.raises(ParameterError, match="A third officer must approve it"):
        decisions.decide(office.house, second, waits.id, "approved", "", CHECKED)
    with pytest.raises(ParameterError, match="You have already approved this request"):
        decisions.decide(office.house, first, waits.id, "approved", "", CHECKED)
    assert find(office.house, waits.id).state == "waiting" and office.kinds(waits.id) == ["reserve"]
    assert decisions.decide(office.house, office.who["ann"], waits.id, "approved", "", CHECKED).state == "approved"


@ON_SQLITE
def test_one_substitute_of_two_officers_is_not_two(office: Office) -> None:
    """Otto stands in for Ann and for Olga, the only two: he is one of them, and beside Olga he is Ann's."""
    waits, other = named(office, "ann", "olga", pair=0.4), office.ask(0.6)
    stand_in(office, "olga", "otto")
    stand_in(office, "ann", "otto")
    otto = office.who["otto"]
    assert not rights.alone(office.house, otto, "officer", office.dataset)
    decisions.decide(office.house, otto, waits.id, "approved", "", CHECKED)
    with pytest.raises(ParameterError, match="You have already approved this request"):
        decisions.decide(office.house, otto, waits.id, "approved", "", CHECKED)
    assert find(office.house, waits.id).state == "waiting"
    decisions.decide(office.house, office.who["olga"], other.id, "approved", "", CHECKED)
    assert decisions.decide(office.house, otto, other.id, "approved", "", CHECKED).state == "approved"
    last = next(act for act in audit_log.trail(office.store) if act.what == "approved")
    assert last.details["for"] == "ann" and last.details["first"] == "olga"


@ON_SQLITE
def test_two_substitutes_of_one_officer_are_one(office: Office) -> None:
    """Otto for a week, then Max, both for Olga: the second adds nothing to the first."""
    waits = named(office, "ann", "olga", pair=0.4)
    stand_in(office, "olga", "otto", 1)
    decisions.decide(office.house, office.who["otto"], waits.id, "approved", "", CHECKED)
    office.clock.now += DAY
    tomorrow = TODAY + timedelta(days=1)
    substitutes.name_substitute(office.house, office.who["olga"], "max", tomorrow, tomorrow)
    decisions.decide(office.house, office.who["max"], waits.id, "approved", "", CHECKED)
    assert find(office.house, waits.id).state == "waiting"  # Otto's word was over with his days
    decisions.decide(office.house, office.who["ann"], waits.id, "approved", "", CHECKED)
    assert find(office.house, waits.id).state == "approved"


def test_what_two_have_to_want_is_not_wanted_twice_by_one_voice(office: Office) -> None:
    """Publication, by policy of two: Olga and who stands in for her are one, in both orders; Ann is another."""
    named(office, "ann", "olga", both=("publication",))
    house, olga, otto = office.house, office.who["olga"], office.who["otto"]
    stand_in(office, "olga", "otto")
    for who in (olga, otto, olga, otto):
        assert lifecycle.publish(house, who, office.dataset, True) is False
    assert lifecycle.publish(house, office.who["ann"], office.dataset, True) is True
    last = audit_log.trail(office.store, 1)[0]
    assert last.details["first"] == "otto"


@ON_SQLITE
def test_a_policy_that_a_substitute_proposes_with_the_data_says_for_whom(office: Office) -> None:
    """Otto keeps data that name Olga and Ann in her stead from the moment they are registered."""
    stand_in(office, "olga", "otto")
    said = replace(REGISTRATION, name="others", alone=True, apart=APART)
    registering.register(
        office.house, office.who["otto"], CONTENT + b"1,north,x\n", said, Policy(free=0.5, officers=BOTH)
    )
    last = next(each for each in audit_log.trail(office.store) if each.what == "policy proposed")
    assert last.about == "others" and last.details["for"] == "olga"


@ON_SQLITE
def test_a_substitute_makes_nobody_a_second_officer(office: Office) -> None:
    """Olga alone keeps the data: while others are in the house neither she nor her substitute is both of two."""
    waits = named(office, "olga", pair=0.4)
    stand_in(office, "olga", "otto")
    for login in ("otto", "olga"):
        with pytest.raises(ParameterError, match="names no other officer who could be the second"):
            decisions.decide(office.house, office.who[login], waits.id, "approved", "", CHECKED)
    assert find(office.house, waits.id).state == "waiting" and office.kinds(waits.id) == ["reserve"]
    for login in ("ann", "max"):
        accounts.change(office.house, TERMINAL, login, frozenset({"analyst"}), True)
    assert not changes.amend(office.house, office.who["otto"], office.dataset, Policy(officers=("olga",)))
    assert not changes.amend(office.house, office.who["olga"], office.dataset, Policy(officers=("olga",)))
    accounts.change(office.house, TERMINAL, "otto", frozenset({"analyst"}), True)
    assert decisions.decide(office.house, office.who["olga"], waits.id, "approved", "", CHECKED).release
    approved = [act for act in audit_log.trail(office.store) if act.what == "approved"]
    assert [act.details["alone"] for act in approved] == [True]


@ON_SQLITE
def test_whoever_has_asked_neither_lends_nor_takes_a_voice(office: Office) -> None:
    """Max has asked of these data: he decides nothing for Olga, and nobody decides for him."""
    office.ask(0.1, "max")
    waits = named(office, "olga", "max")
    stand_in(office, "olga", "max")
    stand_in(office, "max", "otto")
    with pytest.raises(ParameterError, match="You have sent requests for this dataset"):
        decisions.decide(office.house, office.who["max"], waits.id, "denied", REASON)
    with pytest.raises(ParameterError, match="You substitute for Max, who has sent requests"):
        decisions.decide(office.house, office.who["otto"], waits.id, "denied", REASON)


@ON_SQLITE
def test_it_ends_with_either_account_and_by_hand(office: Office) -> None:
    """A closed account lends nothing; the officer, the substitute and an administrator end it, nobody else."""
    named(office, "olga")
    house, who = office.house, office.who
    for login in ("olga", "otto", "adam"):
        stand_in(office, "olga", "otto")
        (each,) = substitutes.substitutions(house, who["olga"])
        with pytest.raises(Denied):
            substitutes.end_substitution(house, who["max"], each.id)
        substitutes.end_substitution(house, who[login], each.id)
        with pytest.raises(ParameterError, match="This substitution has already ended"):
            substitutes.end_substitution(house, who[login], each.id)
        assert office.dataset not in rights.of_officer(house, who["otto"])
    stand_in(office, "olga", "otto")
    accounts.change(house, TERMINAL, "olga", frozenset({"officer"}), False)
    assert office.dataset not in rights.of_officer(house, who["otto"])
    words = [act.what for act in audit_log.trail(office.store) if act.what.startswith("substitute")]
    assert words == ["substitute", *["substitute ended", "substitute"] * 3]


def test_a_row_written_by_hand_gives_no_right(office: Office) -> None:
    """Neither a new one, nor one whose person or days were changed behind the office."""
    named(office, "olga")
    house, otto, olga, max_ = office.house, office.who["otto"], office.who["olga"], office.who["max"]
    row = f"INSERT INTO substitutes VALUES ('x', '{olga.id}', '{otto.id}', {START - 1}, {START + DAY}, 'm')"
    office.by_hand(row)
    assert office.dataset not in rights.of_officer(house, otto)
    office.by_hand("DELETE FROM substitutes")
    stand_in(office, "olga", "otto")
    assert office.dataset in rights.of_officer(house, otto)
    office.by_hand(f"UPDATE substitutes SET until = {START + 900 * DAY}")
    assert office.dataset not in rights.of_officer(house, otto)
    office.by_hand("DELETE FROM substitutes")
    stand_in(office, "olga", "otto")
    office.by_hand(f"UPDATE substitutes SET substitute = '{max_.id}'")
    assert office.dataset not in rights.of_officer(house, max_)


WRONG: list[tuple[str, date, date, str]] = [
    ("olga", TODAY, TODAY, "You cannot be your own substitute"),
    ("bob", TODAY, TODAY, "No officer who can sign in"),
    ("nobody", TODAY, TODAY, "No officer who can sign in"),
    ("otto", TODAY, TODAY - timedelta(days=1), "must not be before the first day"),
    ("otto", TODAY - timedelta(days=9), TODAY - timedelta(days=2), "past"),
    ("otto", TODAY, TODAY + timedelta(days=substitutes.LONGEST_SUBSTITUTION), "at most"),
]


@ON_SQLITE
@pytest.mark.parametrize(("login", "first", "last", "why"), WRONG)
def test_what_is_no_substitution_is_refused(office: Office, login: str, first: date, last: date, why: str) -> None:
    """In one sentence each; nothing is written."""
    with pytest.raises(ParameterError, match=why):
        substitutes.name_substitute(office.house, office.who["olga"], login, first, last)
    assert substitutes.substitutions(office.house, office.who["adam"]) == []


@ON_SQLITE
def test_two_at_the_same_time_are_refused_and_one_after_the_other_not(office: Office) -> None:
    """So that it is plain who stands in; others see only what is theirs."""
    house, who = office.house, office.who
    stand_in(office, "olga", "otto", 3)
    with pytest.raises(ParameterError, match="You already have a substitute on one of"):
        substitutes.name_substitute(house, who["olga"], "max", TODAY + timedelta(days=2), TODAY + timedelta(days=4))
    substitutes.name_substitute(house, who["olga"], "max", TODAY + timedelta(days=3), TODAY + timedelta(days=4))
    seen = {login: len(substitutes.substitutions(house, who[login])) for login in ("olga", "otto", "max", "adam")}
    assert seen == {"olga": 2, "otto": 1, "max": 1, "adam": 2}
    (first, second) = substitutes.substitutions(house, who["olga"])
    assert first.days == (TODAY, TODAY + timedelta(days=2)) and second.substitute.login == "max"
    assert "olga" not in [each.login for each in substitutes.colleagues(house, who["olga"])]


@ON_SQLITE
def test_a_house_where_a_substitute_is_another_voice_is_noticed(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of two fails on a twin that forgets for whom somebody stands in."""
    monkeypatch.setattr(rights, "voices_of", lambda who, stead: frozenset({who.id}))
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        test_a_substitute_and_whoever_is_away_are_one_of_two(office, ("olga", "otto"))
