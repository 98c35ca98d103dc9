"""The trail: whole, chained, of everything that is done, and of no row's content."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from support.long_day import a_long_day
from support.offices import CANARY, CONTENT, ON_SQLITE, REASON, START, Office, everything_in, secret_of, together

from discreet.office import House
from discreet.office.datasets import lifecycle
from discreet.office.house import audit_log
from discreet.office.house.audit_log import WORDS
from discreet.office.people import accounts, joining, signing_in

pytestmark = pytest.mark.both_databases

TOLD = {
    "left",
    "like",
    "apart",
    "through",
    "for",
    "first_day",
    "last_day",
    "of_officer",
    "why",
    "scopes",
    "days",
    "identity",
    "rows",
    "program",
    "code",
    "last",
    "first_checklist",
    "remark",
    "audience",
    "mark",
    "replaces",
    "before",
    "was_active",
    "first",
    "registration",
    "request",
    "question",
    "since",
    "version",
    "checklist",
    "kind",
    "voice",
    "times",
    "provider",
    "alone",
    "roles",
    "openid",
    "active",
    "policy",
    "dataset",
    "state",
    "reason",
    "holds",
    "head",
    "of",
    "now",
    "vault",
    "was",
}


# of no day as this one: commands, alarms, and what a policy of two wants (tests/office/test_charges.py)
ELSEWHERE = {
    "backup",
    "audited",
    "found",
    "alarmed",
    "unsent",
    "approved first",
    "publication proposed",
    "deletion proposed",
    "version proposed",
    "apart proposed",
    "apart agreed",
    "withdrawal proposed",
    "approval taken back",
}


def test_an_excerpt_of_the_trail_holds_what_was_asked_for(another: Callable[..., Office]) -> None:
    """By what, about what and when; routine is left out unless it is wanted, and what was found wrong never is."""
    office = another(a_long_day)
    every = audit_log.trail(office.store)
    day = every[0].time.date().isoformat()
    of_data = audit_log.trail(office.store, None, audit_log.Excerpt("people"))
    assert of_data == [act for act in every if act.about == "people"] and of_data
    published = audit_log.trail(office.store, None, audit_log.Excerpt(what=("published", "unpublished")))
    assert [act.what for act in published] == ["unpublished", "published"]
    that_day = audit_log.trail(office.store, None, audit_log.Excerpt(first=day, last=day))
    assert that_day == [act for act in every if act.time.date().isoformat() == day] and 0 < len(that_day) < len(every)
    assert not audit_log.trail(office.store, None, audit_log.Excerpt(last="2029-12-31"))
    assert not audit_log.trail(office.store, None, audit_log.Excerpt(first="2031-01-01"))
    quiet = audit_log.trail(office.store, None, audit_log.Excerpt(routine=False))
    gone = [act for act in every if act not in quiet]
    assert gone and {act.what for act in gone} <= {*audit_log.VERIFYING, *audit_log.COMING}
    assert all(act.details.get("holds") is True for act in gone if act.what in audit_log.VERIFYING)


def test_everything_that_is_done_is_on_the_trail(another: Callable[..., Office]) -> None:
    """In order, with who and when; the chain holds."""
    office = another(a_long_day)
    trail = audit_log.trail(office.store)[::-1]
    assert [act.seq for act in trail] == list(range(len(trail)))
    assert {act.what for act in trail} == set(WORDS) - ELSEWHERE
    assert all(str(act.words) for act in trail) and audit_log.wrong_at(office.store) is None
    joined = [act for act in trail if act.what == "registered"]
    ann, olga = office.who["ann"].id, office.who["olga"].id
    assert [(act.who, act.about) for act in joined] == [(ann, "people"), (ann, "folk"), (olga, "mistaken")]
    assert trail[0].what == "set up" and trail[0].time.timestamp() == START
    assert audit_log.trail(office.store, 3) == trail[:-4:-1]
    denied = next(act for act in trail if act.what == "denied")
    assert denied.who == office.who["olga"].id and denied.details["reason"] == REASON


def check_that_no_row_is_told(office: Office) -> None:
    """Fail if the trail, or anything in the database, holds what only the rows hold."""
    for act in audit_log.trail(office.store):
        assert set(act.details) <= TOLD, act
        assert CANARY not in json.dumps(act.details) + act.about + act.who, act
        plain = re.sub("[0-9a-f]{32,}", "", json.dumps(act.details))  # digests and names by chance
        assert str(CONTENT.count(b"\n") - 1) not in plain, act
    assert CANARY not in repr(everything_in(office.store))


def test_the_trail_tells_nothing_of_the_rows(another: Callable[..., Office]) -> None:
    """No cell, no number of rows; neither does any other table."""
    check_that_no_row_is_told(another(a_long_day))


@ON_SQLITE
def test_a_trail_that_tells_a_row_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where an act shows the file it is about."""
    act = House.act

    def talkative(
        self: House, connection: Any, who: str, what: str, about: str = "", meant: Any = None, **details: Any
    ) -> None:
        act(self, connection, who, what, about, meant, **details, reason_=CONTENT[:60].decode())

    monkeypatch.setattr(House, "act", talkative)
    a_long_day(office)
    with pytest.raises(AssertionError):
        check_that_no_row_is_told(office)


CHANGES = {
    "another person": ["UPDATE acts SET who = 'x' WHERE seq = 3"],
    "another verb": ["UPDATE acts SET what = 'denied' WHERE seq = 3"],
    "another matter": ["UPDATE acts SET about = 'x' WHERE seq = 3"],
    "another detail": ["UPDATE acts SET told = '{{}}' WHERE seq = {last}"],
    "another time": ["UPDATE acts SET time = '2020-01-01T00:00:00+00:00' WHERE seq = 3"],
    "another hash": ["UPDATE acts SET hash = 'x' WHERE seq = 3"],
    "the first deleted": ["DELETE FROM acts WHERE seq = 0"],
    "one deleted": ["DELETE FROM acts WHERE seq = 3"],
    "the newest deleted, but not their seals": ["DELETE FROM acts WHERE seq >= {last}"],
    "one deleted, the others moved up": [
        "DELETE FROM acts WHERE seq = 3",
        "UPDATE acts SET seq = -seq WHERE seq > 3",
        "UPDATE acts SET seq = -seq - 1 WHERE seq < 0",
    ],
    "two exchanged": [
        "UPDATE acts SET seq = -1 WHERE seq = 3",
        "UPDATE acts SET seq = 3 WHERE seq = 4",
        "UPDATE acts SET seq = 4 WHERE seq = -1",
    ],
    "one put in": [
        "INSERT INTO acts SELECT 1 + MAX(seq), MAX(time), 'x', 'denied', '', '{{}}', MAX(previous), 'y' FROM acts"
    ],
}


def unguarded(office: Office) -> None:
    """Ask, and take the guards of a trail away that holds."""
    office.ask(0.1)
    office.by_hand("INSERT INTO attempts (who, at) VALUES ('x', 0)")  # hands are free elsewhere
    assert audit_log.wrong_at(office.store) is None
    office.without_guards()


def check_that_changes_are_found(office: Office, change: str) -> None:
    """Fail if the chain holds although the trail was changed behind its guards."""
    last = audit_log.trail(office.store, 1)[0].seq
    for statement in CHANGES[change]:
        office.by_hand(statement.format(last=last - 1))
    assert audit_log.wrong_at(office.store) is not None


@pytest.mark.parametrize("change", CHANGES)
def test_a_trail_that_was_changed_does_not_verify(another: Callable[..., Office], change: str) -> None:
    """Edited, deleted, reordered, added to, by somebody who took the triggers away."""
    office = another(unguarded)
    assert audit_log.wrong_at(office.store) is None
    check_that_changes_are_found(office, change)


@ON_SQLITE
def test_a_trail_that_nobody_hashes_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where every hash fits."""
    unguarded(office)
    monkeypatch.setattr(audit_log, "hash_of", lambda line: line.get("hash", str(line["seq"])))
    with pytest.raises(AssertionError):
        check_that_changes_are_found(office, "another person")


def test_it_says_where_it_is_wrong(office: Office) -> None:
    """The first line that does not fit."""
    office.without_guards()
    office.by_hand("UPDATE acts SET who = 'x' WHERE seq IN (5, 7)")
    assert audit_log.wrong_at(office.store) == 5


def test_eight_at_once_write_one_chain(office: Office) -> None:
    """Of different verbs, by different people, in eight threads."""
    house, before = office.house, len(audit_log.trail(office.store))
    works: list[Any] = [
        lambda: office.ask(0.1),
        lambda: office.ask(0.5, "eve"),
        lambda: signing_in.sign_in(house, "max", secret_of("max")),
        lambda: lifecycle.check_ledger(house, office.who["olga"], office.dataset),
        lambda: lifecycle.publish(house, office.who["olga"], office.dataset, True),
        lambda: joining.renew(house, office.who["ann"], "eve"),
        lambda: accounts.change(house, office.who["ann"], "otto", frozenset({"analyst"}), True),
        lambda: joining.from_provider(house, "s", "carl", "Carl", frozenset()),
    ]
    said = together(works)
    assert not [outcome for outcome in said if isinstance(outcome, Exception)], said
    assert len(audit_log.trail(office.store)) == before + 9  # the first is asked and answered
    assert audit_log.wrong_at(office.store) is None


def test_an_act_without_a_word_for_it_is_an_error(office: Office) -> None:
    """Every verb on the trail has a phrase for people."""
    with pytest.raises(AssertionError, match="painted"), office.house.writing() as connection:
        office.house.act(connection, "x", "painted")
