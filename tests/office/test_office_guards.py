"""Guards: who may do what, checked by every verb; and what the database itself refuses."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
import sqlalchemy as sa
from support.codes import code_of
from support.offices import (
    CHECKED,
    ON_SQLITE,
    POLICY,
    PURPOSE,
    REASON,
    REGISTRATION,
    SCHEMA,
    Office,
    everything_in,
    question,
)

from discreet.evidence.layers import Layer
from discreet.office import Desk, House, Member, Policy
from discreet.office.auditing import bundles
from discreet.office.cards import proof
from discreet.office.datasets import changes, letterhead, lifecycle, places, registering, registry
from discreet.office.decisions import decisions
from discreet.office.desk import asking, queue
from discreet.office.house import audit_log
from discreet.office.house.roles import ROLES, Denied
from discreet.office.house.tables import metadata
from discreet.office.notices import deadlines, disclosure, drafts, mail, news, outlook
from discreet.office.notices.news import KINDS
from discreet.office.people import accounts, joining, second_factor_setup, signing_in, tokens
from discreet.office.requests import execution, remarks, request
from discreet.office.rules import rights, substitutes, two_persons, visit
from discreet.rows import Category
from discreet.rows.engines.connection import DatabaseSource

pytestmark = pytest.mark.both_databases

MODULES = (
    joining,
    accounts,
    registering,
    changes,
    changes,
    lifecycle,
    registry,
    asking,
    decisions,
    execution,
    queue,
    request,
    queue,
    queue,
    remarks,
    asking,
    news,
    proof,
    bundles,
    tokens,
    substitutes,
    mail,
    disclosure,
    outlook,
    deadlines,
    decisions,
    places,
    drafts,
    letterhead,
    second_factor_setup,
    news,
    changes,
    lifecycle,
)
# the others are given who was looked up in the transaction that decides
FOR_EVERYBODY = {"check_share", "require", "consent", "check_usable", "in_place_of"}
Call = Callable[[House, Any, str, request.Inquiry], Any]
ADMIN, OFFICER, BOTH = {"administrator"}, {"officer"}, {"officer", "administrator"}
WAITS = two_persons.Motion("x", "policy", "x", "{}", "x")
BOB = frozenset({"analyst"})
DAY = date(2031, 1, 1)
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
MORE = replace(SCHEMA, columns=SCHEMA.columns | {"town": Category(("north", "south", "west"))})
CSV = b"age,town\n" + b"12,north\n" * 50
# each verb that takes a person: which roles have it, and how it is called (house, who, data, asked)
VERBS: dict[str, tuple[set[str], Call]] = {
    "invite": (ADMIN, lambda h, who, d, a: joining.invite(h, who, "new", "New", BOB)),
    "end_sessions": (ADMIN, lambda h, who, d, a: accounts.end_sessions(h, who, "bob")),
    "erase_name": (ADMIN, lambda h, who, d, a: accounts.erase_name(h, who, "eve")),
    "drop, what waits": (OFFICER, lambda h, who, d, a: rights.drop(h, who, "officer", WAITS, "x")),
    "renew": (ADMIN, lambda h, who, d, a: joining.renew(h, who, "bob")),
    "change": (ADMIN, lambda h, who, d, a: accounts.change(h, who, "bob", BOB, False)),
    "register": (OFFICER, lambda h, who, d, a: registering.register(h, who, CSV, REGISTRATION, POLICY)),
    "amend": (OFFICER, lambda h, who, d, a: changes.amend(h, who, d, Policy(free=1.0))),
    "renew, rows": (OFFICER, lambda h, who, d, a: changes.renew(h, who, d, CSV, "rows that are new")),
    "withdraw, a registration": (OFFICER, lambda h, who, d, a: lifecycle.withdraw(h, who, d, REASON)),
    "note": (OFFICER, lambda h, who, d, a: changes.note(h, who, d, "a note that is long enough")),
    "extend": (OFFICER, lambda h, who, d, a: changes.extend(h, who, d, MORE)),
    "reconnect": (OFFICER, lambda h, who, d, a: lifecycle.reconnect(h, who, d, DatabaseSource("sqlite:////x", "t"))),
    "publish": (OFFICER, lambda h, who, d, a: lifecycle.publish(h, who, d, True)),
    "close": (OFFICER, lambda h, who, d, a: lifecycle.close(h, who, d)),
    "erase": (OFFICER, lambda h, who, d, a: lifecycle.erase(h, who, d)),
    "check_ledger": (BOTH, lambda h, who, d, a: lifecycle.check_ledger(h, who, d)),
    "submit": ({"analyst"}, lambda h, who, d, a: asking.submit(h, who, d, question(0.1), PURPOSE)),
    "decide": (OFFICER, lambda h, who, d, a: decisions.decide(h, who, a.id, "approved", "", CHECKED)),
    "decide, against": (OFFICER, lambda h, who, d, a: decisions.decide(h, who, a.id, "denied", REASON)),
    "deny": (OFFICER, lambda h, who, d, a: decisions.deny(h, who, [a.id], REASON)),
    "anything": (BOTH, lambda h, who, d, a: request.anything(h, who)),
    "bundle": (BOTH, lambda h, who, d, a: bundles.bundle(h, who, d, bundles.Period())),
    "examine": (OFFICER, lambda h, who, d, a: proof.examine(h, who, a.id, compute=quickly)),
    "begin": (OFFICER, lambda h, who, d, a: proof.begin(h, who, a.id, quickly)),
    "last_words": (OFFICER, lambda h, who, d, a: request.last_words(h, who, d)),
    "cases": (OFFICER, lambda h, who, d, a: queue.cases(h, who)),
    "look": (OFFICER, lambda h, who, d, a: queue.look(h, who, a)),
    "remark": (OFFICER, lambda h, who, d, a: remarks.remark(h, who, a.id, "a comment")),
    "thread": (OFFICER, lambda h, who, d, a: remarks.thread(h, who, a.id)),
    "beside": (BOTH, lambda h, who, d, a: asking.beside(h, who, a.id)),
    "news": (set(ROLES), lambda h, who, d, a: news.news(h, who)),
    "unread": (set(ROLES), lambda h, who, d, a: news.unread(h, who)),
    "mark": (set(ROLES), lambda h, who, d, a: news.mark(h, who, 0)),
    "issue": (set(ROLES), lambda h, who, d, a: tokens.issue(h, who, "x", frozenset({"read"}), 1)),
    "own_tokens": (set(ROLES), lambda h, who, d, a: tokens.own_tokens(h, who)),
    "revoke": (set(ROLES), lambda h, who, d, a: tokens.revoke(h, who, "x")),
    "name_substitute": (OFFICER, lambda h, who, d, a: substitutes.name_substitute(h, who, "otto", DAY, DAY)),
    "end_substitution": (BOTH, lambda h, who, d, a: substitutes.end_substitution(h, who, "x")),
    "substitutions": (BOTH, lambda h, who, d, a: substitutes.substitutions(h, who)),
    "colleagues": (OFFICER, lambda h, who, d, a: substitutes.colleagues(h, who)),
    "own_mailbox": (set(ROLES), lambda h, who, d, a: mail.own_mailbox(h, who)),
    "own_mailbox, another's": (ADMIN, lambda h, who, d, a: mail.own_mailbox(h, who, "bob")),
    "set_address": (ADMIN, lambda h, who, d, a: mail.set_address(h, who, "bob", "b@example.org")),
    "send_code": (set(ROLES), lambda h, who, d, a: mail.send_code(h, who, Nowhere())),
    "confirm": (set(ROLES), lambda h, who, d, a: mail.confirm(h, who, "1")),
    "choose_mail": (set(ROLES), lambda h, who, d, a: mail.choose_mail(h, who, KINDS, True)),
    "set_up_factor": (set(ROLES), lambda h, who, d, a: second_factor_setup.set_up_factor(h, who, SECRET, _code(h))),
    "drop_factor": (set(ROLES), lambda h, who, d, a: second_factor_setup.drop_factor(h, who, "123456")),
    "take_factor": (ADMIN, lambda h, who, d, a: second_factor_setup.take_factor(h, who, "bob")),
    "recoveries_left": (set(ROLES), lambda h, who, d, a: second_factor_setup.recoveries_left(h, who)),
    "own_tongue": (set(ROLES), lambda h, who, d, a: news.own_tongue(h, who)),
    "choose_tongue": (set(ROLES), lambda h, who, d, a: news.choose_tongue(h, who, "zh")),
    "trail": (BOTH, lambda h, who, d, a: disclosure.trail(h, who)),
    "outlooks": (BOTH, lambda h, who, d, a: outlook.outlooks(h, who)),
    "shares": (BOTH, lambda h, who, d, a: outlook.shares(h, who, d)),
    "spent_over_time": (BOTH, lambda h, who, d, a: outlook.spent_over_time(h, who, d)),
    "deadlines": (BOTH, lambda h, who, d, a: deadlines.deadlines(h, who)),
    "newest": (set(ROLES), lambda h, who, d, a: queue.newest(h, who, 9)),
    "stage": (OFFICER, lambda h, who, d, a: decisions.stage(h, who, a, POLICY)),
    "take_back": (OFFICER, lambda h, who, d, a: decisions.take_back(h, who, a.id)),
    "first_of": (OFFICER, lambda h, who, d, a: decisions.first_of(h, who, a.id)),
    "declare": (ADMIN, lambda h, who, d, a: letterhead.declare(h, who, letterhead.Letterhead("Town"))),
    "connect": (ADMIN, lambda h, who, d, a: places.connect(h, who, "x", "sqlite:////x")),
    "disconnect": (ADMIN, lambda h, who, d, a: places.disconnect(h, who, "x")),
    "all_connections": (ADMIN, lambda h, who, d, a: places.all_connections(h, who)),
    "own_connections": (OFFICER, lambda h, who, d, a: places.own_connections(h, who)),
    "reach": (OFFICER, lambda h, who, d, a: places.reach(h, who, "x", "t")),
    "offers": (OFFICER, lambda h, who, d, a: places.offers(h, who, "x")),
    "knock": (ADMIN, lambda h, who, d, a: places.knock(h, who, "x")),
    "save_draft": (OFFICER, lambda h, who, d, a: drafts.save_draft(h, who, "x", "t", {"a": "b"})),
    "draft_of": (OFFICER, lambda h, who, d, a: drafts.draft_of(h, who, "x")),
    "own_drafts": (OFFICER, lambda h, who, d, a: drafts.own_drafts(h, who)),
    "discard_draft": (OFFICER, lambda h, who, d, a: drafts.discard_draft(h, who, "x")),
    "withdraw": (set(), lambda h, who, d, a: decisions.withdraw(h, who, a.id)),
    "queue": (OFFICER, lambda h, who, d, a: queue.queue(h, who)),
    "how_many": (OFFICER, lambda h, who, d, a: queue.how_many(h, who)),
    "own": ({"analyst"}, lambda h, who, d, a: queue.own(h, who)),
    "seen_by": (BOTH, lambda h, who, d, a: request.seen_by(h, who, a.id)),
    "decided": (BOTH, lambda h, who, d, a: request.decided(h, who)),
    "Desk": ({"analyst"}, lambda h, who, d, a: Desk(h, who, d)),
}


def _code(house: House) -> str:
    """Return the right code of the secret, at the time of the house."""
    return code_of(SECRET, house.clock())


class Nowhere:
    """A mail server that takes everything."""

    def post(self, *_: Any) -> None:
        """Take a letter."""


def quickly(run: Any, name: str, *_: Any) -> Layer:
    """Compute no layer of evidence."""
    return Layer(name, None, None)


def without(roles: set[str]) -> list[Member]:
    """Return people who have each, all or none of the other roles; one of them is an analyst."""
    others = sorted(set(ROLES) - roles)
    kinds = [frozenset({role}) for role in others] + [frozenset(others), frozenset(), {"king"}]
    return [Member("somebody", "somebody", "Some Body", frozenset(kind)) for kind in kinds]


def asked_once(office: Office) -> None:
    """Ask what waits."""
    office.ask(0.5)


def check_that_others_are_denied(office: Office, verb: str) -> None:
    """Fail if a verb does anything for somebody without its role, or says anything else."""
    roles, call = VERBS[verb]
    (waits,) = request.listed(office.house, visit.select_requests())
    before, files = everything_in(office.store), sorted((office.home / "vault").iterdir())
    nobody = [] if verb == "withdraw" else [None]
    for who in [*without(roles), *nobody]:
        with pytest.raises(Denied, match="Your role does not give you this"):
            call(office.house, who, office.dataset, waits)
    assert everything_in(office.store) == before, verb
    assert sorted((office.home / "vault").iterdir()) == files


def test_every_verb_denies_whoever_lacks_its_role(another: Callable[..., Office]) -> None:
    """One after the other, with what is called a screen or not: nothing is changed."""
    office = another(asked_once)
    for verb in VERBS:
        check_that_others_are_denied(office, verb)


@ON_SQLITE
@pytest.mark.parametrize("verb", sorted(set(VERBS) - {"withdraw"}))
def test_a_verb_that_asks_nobody_is_noticed(
    another: Callable[..., Office], verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check fails for each verb where roles are not looked at."""
    office = another(asked_once)
    for module in (*MODULES, asking, rights, decisions, visit):
        monkeypatch.setattr(module, "require", lambda who, *_: who, raising=False)
        monkeypatch.setattr(module, "present", lambda _, who, *__: who, raising=False)
    with pytest.raises(BaseException, match=r"(?s).*") as noticed:
        check_that_others_are_denied(office, verb)
    assert not isinstance(noticed.value, Denied)


def test_every_verb_that_takes_a_person_is_checked() -> None:
    """A new one must be put on the list above."""
    verbs = {
        name
        for module in MODULES
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
        if "who" in inspect.signature(function).parameters
    }
    assert verbs - FOR_EVERYBODY == {name for name in VERBS if "," not in name} - {"Desk"}


def test_an_analyst_sees_own_requests_only(office: Office) -> None:
    """Of another one neither the question nor the answer; an officer sees both."""
    waits = office.ask(0.5)
    for name in ("bob", "olga", "adam", "max"):
        assert request.seen_by(office.house, office.who[name], waits.id) == waits
    for verb in (request.seen_by, decisions.withdraw):
        with pytest.raises(Denied):
            verb(office.house, office.who["eve"], waits.id)


def test_whoever_holds_the_role_has_the_verb(office: Office) -> None:
    """So the denials above are not denials of everybody."""
    house, waits = office.house, office.ask(0.5)
    for verb, login in (
        ("queue", "olga"),
        ("own", "bob"),
        ("seen_by", "adam"),
        ("invite", "adam"),
        ("check_ledger", "adam"),
        ("decided", "otto"),
        ("Desk", "max"),
        ("decide", "olga"),
        ("publish", "otto"),
    ):
        VERBS[verb][1](house, office.who[login], office.dataset, waits)


# what the database refuses, whoever asks it


def refused(office: Office, statement: str, why: str) -> None:
    """Fail unless the database refuses a statement for a reason, and is as it was."""
    before = everything_in(office.store)
    with pytest.raises(sa.exc.DBAPIError, match=why):
        office.by_hand(statement)
    assert everything_in(office.store) == before, statement


FREE = {
    "requests": {"state", "decided_by", "decided", "reason", "checklist"},
    "datasets": {"content", "policy", "state", "published"},
}


@pytest.mark.parametrize("table", FREE)
def test_what_was_asked_or_registered_never_changes(office: Office, table: str) -> None:
    """Column by column; only decisions, policies and states come later."""
    office.ask(0.5)
    frozen = [column for column in metadata.tables[table].columns if column.name not in FREE[table]]
    assert len(frozen) == {"requests": 13, "datasets": 7}[table]
    for column in frozen:
        number = not isinstance(column.type, sa.Text)
        value = f'"{column.name}" + 1' if number else "'changed'"
        statement = f'UPDATE {table} SET "{column.name}" = {value}'
        refused(office, statement, "what was asked or registered never changes")


def test_a_decision_is_made_once_and_by_somebody_else(office: Office) -> None:
    """Not again, not back, not by the analyst, not by nobody."""
    done, waits = office.ask(0.5), office.ask(0.6)
    decisions.decide(office.house, office.who["olga"], done.id, "denied", REASON)
    olga, bob = office.who["olga"].id, office.who["bob"].id
    for state in ("approved", "waiting", "denied", "expired"):
        refused(office, f"UPDATE requests SET state = '{state}' WHERE id = '{done.id}'", "is final")
    refused(office, f"UPDATE requests SET decided_by = '{olga}' WHERE number = 1", "is final")
    mine = f"WHERE id = '{waits.id}'"
    for statement, why in (
        (f"UPDATE requests SET state = 'approved', decided_by = '{bob}' {mine}", "(?i)check"),
        (f"UPDATE requests SET state = 'approved' {mine}", "(?i)check"),
        (f"UPDATE requests SET state = 'denied' {mine}", "(?i)check"),
        (f"UPDATE requests SET state = 'allowed', decided_by = '{olga}' {mine}", "has a decider"),
        (f"UPDATE requests SET state = 'maybe', decided_by = '{olga}' {mine}", "(?i)check"),
        (f"UPDATE requests SET state = 'denied', decided_by = 'nobody' {mine}", "(?i)foreign"),
    ):
        refused(office, statement, why)


COPY = """INSERT INTO requests SELECT 'new', 99, dataset, analyst, identity, {round}, question,
    purpose, {cost}, cost_delta, '{state}', why, asked, until, {by}, NULL, reason, checklist
    FROM requests"""


def test_a_request_begins_undecided(office: Office) -> None:
    """Nobody writes one down that is approved already, or costs less than nothing."""
    office.ask(0.5)
    olga = f"'{office.who['olga'].id}'"
    good = {"round": 1, "cost": 1, "state": "waiting", "by": "NULL"}
    for change, why in (
        ({"state": "approved", "by": olga}, "begins undecided"),
        ({"state": "denied", "by": olga}, "begins undecided"),
        ({"cost": -1}, "(?i)check"),
        ({"round": -1}, "(?i)check"),
    ):
        refused(office, COPY.format(**good | change), why)
    office.by_hand(COPY.format(**good))


def test_nothing_is_deleted(office: Office) -> None:
    """Requests, datasets, acts, people, and what a ledger holds; on a server neither by TRUNCATE.

    On a server TRUNCATE needs CASCADE where others refer to a table, and fails all the same.
    """
    office.ask(0.1)
    for table in ("requests", "datasets", "acts", "people", "budgets", "lines", "answers"):
        why = "kept for good|never changes"
        refused(office, f"DELETE FROM {table}", why)
        if not office.store.lite:
            refused(office, f"TRUNCATE {table} CASCADE", why)


def test_the_trail_is_written_at_its_end_only(office: Office) -> None:
    """No line changes, none is put in between."""
    refused(office, "UPDATE acts SET who = 'x'", "the trail never changes")
    refused(office, "UPDATE acts SET hash = 'x' WHERE seq = 0", "the trail never changes")
    last = audit_log.trail(office.store, 1)[0].seq
    for seq in (last + 2, -1):
        statement = f"INSERT INTO acts VALUES ({seq}, 't', 'w', 'what', '', '{{}}', 'p', 'h')"
        refused(office, statement, "follows the last one")


def test_what_is_deleted_stays_deleted(office: Office) -> None:
    """Its state does not come back; nor is there another state."""
    refused(office, "UPDATE datasets SET state = 'secret'", "(?i)check")
    lifecycle.erase(office.house, office.who["olga"], office.dataset)
    for state in ("open", "closed"):
        refused(office, f"UPDATE datasets SET state = '{state}'", "stays deleted")


@ON_SQLITE
def test_sqlite_does_not_replace_what_is_kept(office: Office) -> None:
    """REPLACE deletes without a word to the triggers of a deletion: it must not begin."""
    office.ask(0.1)
    waits = office.ask(0.5)
    decisions.decide(office.house, office.who["olga"], waits.id, "denied", REASON)
    columns = ", ".join(column.name for column in metadata.tables["requests"].columns)
    undone = columns.replace("state", "'waiting'").replace(" decided_by", " NULL")
    for statement in (
        f"REPLACE INTO requests SELECT {undone} FROM requests",
        "REPLACE INTO budgets SELECT id, 9 * limit_epsilon, limit_delta, rule, 9 * capacity_loss,"
        " capacity_delta, opened, hash FROM budgets",
        "REPLACE INTO answers SELECT budget, request, 'another' FROM answers",
        "REPLACE INTO people SELECT id, login, name, 'administrator', password, active, since, factor"
        " FROM people WHERE login = 'bob'",
        "REPLACE INTO datasets SELECT * FROM datasets",
        "REPLACE INTO lines SELECT budget, 1 + (SELECT MAX(seq) FROM lines), request, kind,"
        " cost_epsilon, cost_delta, held_epsilon, held_delta, taken, account, 0, 0,"
        " (SELECT total_loss FROM lines ORDER BY seq DESC LIMIT 1), 0, time, note,"
        " (SELECT hash FROM lines ORDER BY seq DESC LIMIT 1), 'h' FROM lines WHERE seq = 0",
    ):
        refused(office, statement, "never replaced")


def test_guards_that_are_gone_are_noticed(office: Office) -> None:
    """Each statement above does something where the triggers are taken away."""
    office.ask(0.5)
    office.without_guards()
    for statement in (
        "UPDATE requests SET purpose = 'changed'",
        "UPDATE datasets SET body = '{}'",
        "UPDATE acts SET who = 'x'",
        "DELETE FROM requests",
        "DELETE FROM acts",
    ):
        with pytest.raises(pytest.fail.Exception):
            refused(office, statement, ".")


def test_signing_in_and_out_is_for_whoever_has_an_account(office: Office) -> None:
    """These verbs take a person, too, but no role: an account without any can sign in."""
    bare = joining.from_provider(office.house, "s", "carl", "Carl", frozenset())
    assert bare is not None
    token = signing_in.enter(office.house, signing_in.ticket(office.house, bare, "b"), "b")
    assert token is not None and signing_in.of_session(office.house, token) == bare
    for _, (_, call) in sorted(VERBS.items()):
        with pytest.raises(Denied):
            call(office.house, bare, office.dataset, office.ask(0.5))
