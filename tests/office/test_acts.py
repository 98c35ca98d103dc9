"""The trail: whole, chained, of everything that is done, and of no row's content."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from support.codes import equip, halfway, wrong_code
from support.offices import (
    APART,
    CANARY,
    CHECKED,
    CONTENT,
    ON_SQLITE,
    POLICY,
    REASON,
    REGISTRATION,
    SCHEMA,
    START,
    Office,
    everything_in,
    secret_of,
    together,
)

from discreet.budget import ParameterError
from discreet.evidence.layers import Layer
from discreet.office import House, Policy
from discreet.office.auditing import bundles
from discreet.office.cards import proof
from discreet.office.datasets import changes, letterhead, lifecycle, places, registering
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.house import audit_log
from discreet.office.house.audit_log import WORDS
from discreet.office.notices import deadlines, mail
from discreet.office.people import accounts, joining, second_factor_setup, signing_in, tokens
from discreet.office.requests import remarks, request
from discreet.office.rules import rights, substitutes
from discreet.rows import Category, Schema
from discreet.rows.engines.connection import DatabaseSource

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


def none_of_them(run: Any, name: str, *_: Any) -> Layer:
    """Compute no layer of evidence."""
    return Layer(name, None, None)


def a_long_day(office: Office) -> None:
    """Do everything that can be done, some of it in vain."""
    house, ann, olga = office.house, office.who["ann"], office.who["olga"]
    bob = signing_in.sign_in(house, "bob", secret_of("bob"))
    token = signing_in.enter(house, signing_in.ticket(house, bob, "b"), "b")
    assert token is not None
    with pytest.raises(ParameterError):
        signing_in.sign_in(house, "bob", CANARY)
    office.ask(0.1)
    for at, verdict in enumerate(("approved", "denied", "changes")):
        decisions.decide(house, olga, office.ask(0.5, round=at).id, verdict, REASON, CHECKED)
    decisions.withdraw(house, bob, office.ask(0.5, round=4).id)
    late = office.ask(0.5, round=5)
    remarks.remark(house, bob, late.id, "Please look at it.")
    office.clock.now += 13 * asking.DAY
    deadlines.remind(house)
    office.clock.now += 2 * asking.DAY
    assert decisions.sweep(house) == 1
    with pytest.raises(ParameterError):
        registering.register(house, ann, CONTENT, REGISTRATION, POLICY)
    folk = office.home.parent / "folk.db"
    with closing(sqlite3.connect(folk)) as db, db:
        db.execute("CREATE TABLE folk (age INTEGER, town TEXT)")
    where, said = DatabaseSource(f"sqlite:///{folk}", "folk"), replace(REGISTRATION, name="folk", apart=APART)
    linked = registering.register(house, ann, where, said, POLICY)
    lifecycle.reconnect(house, ann, linked.id, where)
    office.amend(free=0.1, shares={"bob": 1.0})
    wider = Schema({**SCHEMA.columns, "town": Category(("north", "south", "west"))})
    for officer in (ann, olga):
        changes.extend(house, officer, office.dataset, wider)
    changes.renew(house, olga, office.dataset, CONTENT + b"1,north,x\n", "one more row of the same people")
    changes.note(house, olga, office.dataset, "the source was spelled otherwise")
    lifecycle.check_ledger(house, ann, office.dataset)
    bundles.bundle(house, olga, office.dataset, bundles.Period())
    proof.examine(house, olga, request.listed(house, request.select_requests())[0].id, compute=none_of_them)
    for published in (True, False):
        lifecycle.publish(house, olga, office.dataset, published)
    lifecycle.close(house, olga, office.dataset)
    lifecycle.erase(house, olga, office.dataset)
    for who in (ann, office.who["adam"]):
        accounts.change(house, who, "eve", frozenset({"officer"}), False)
    accounts.erase_name(house, ann, "eve")
    joining.renew(house, ann, "otto")
    accounts.end_sessions(house, ann, "otto")
    changes.amend(house, ann, linked.id, Policy(free=0.3))
    mistaken = replace(REGISTRATION, name="mistaken", apart=APART)
    mistake = registering.register(house, olga, CONTENT + b"2,north,x\n", mistaken, Policy())
    lifecycle.withdraw(house, olga, mistake.id, "registered by mistake")
    today = house.now.date()
    substitutes.name_substitute(house, ann, "olga", today, today)
    substitutes.end_substitution(house, olga, substitutes.substitutions(house, olga)[0].id)
    recoveries = equip(office, "adam")[1]
    wrong_code(office, halfway(office, "adam"))
    assert signing_in.give_code(house, halfway(office, "adam"), recoveries[0]) == office.who["adam"]
    second_factor_setup.take_factor(house, ann, "adam")
    mail.set_address(house, bob, "bob", "bob@example.org")
    tokens.issue(house, bob, "nightly", frozenset({"read"}), 30)
    tokens.revoke(house, bob, tokens.own_tokens(house, bob)[0].id)
    letterhead.declare(house, office.who["adam"], letterhead.Letterhead("Town Hospital"))
    places.connect(house, office.who["adam"], "register", f"sqlite:///{folk}")
    places.disconnect(house, office.who["adam"], "register")
    waits = rights.pending(house, "policy", linked.id)
    assert waits is not None
    rights.drop(house, ann, "officer", waits, linked.name)
    joining.from_provider(house, "s", "carl", "Carl", frozenset())
    signing_in.end_session(house, token, bob)


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
