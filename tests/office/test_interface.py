"""Interface: a token opens what its scopes and its owner's roles give, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextvars import copy_context
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.offices import CHECKED, ON_SQLITE, PURPOSE, REASON, Office, everything_in, planned, question

from discreet.budget import ParameterError, Phrase
from discreet.curator.request import plain
from discreet.mechanisms import registry as mechanisms
from discreet.office.api.calls import refusal_of
from discreet.office.api.forms import question_of
from discreet.office.api.openapi import openapi, text
from discreet.office.api.operations import BASE, OPERATIONS
from discreet.office.api.service import MOST_CALLS, MOST_WRONG, Sent, Service
from discreet.office.auditing import inspection
from discreet.office.datasets import lifecycle
from discreet.office.desk.asking import Desk
from discreet.office.house import audit_log
from discreet.office.house import house as through
from discreet.office.house.roles import TERMINAL
from discreet.office.people import accounts
from discreet.office.people import tokens as credentials
from discreet.office.people.tokens import SCOPES
from discreet.office.requests.request import find

ROOT = Path(__file__).resolve().parents[2]
LOGINS = ("bob", "eve", "olga", "adam", "max")
ALL = set(LOGINS)
BY_NAME = {operation.name: operation for operation in OPERATIONS}
PLAN = {"discreet_plan": 1, "epsilon": 0.4, "rows": [{"statistic": "mean", "column": "age"}]}
# who gets an answer; bob has asked, max is analyst and officer, all others are told 403, or 404 where they may not know
GIVEN: dict[str, set[str]] = {
    "me": ALL,
    "datasets": ALL,
    "dataset": ALL,
    "forecast": {"bob", "eve", "max"},
    "plan": {"bob", "eve", "max"},
    "send": {"bob", "eve", "max"},
    "releases": {"olga", "adam", "max"},
    "requests": ALL,
    "request": ALL - {"eve"},
    "card": ALL - {"eve"},
    "withdraw": {"bob"},
    "checklist": {"olga", "max"},
    "decide": {"olga", "max"},
}
BODIES: dict[str, dict[str, Any]] = {
    "forecast": {"question": plain(question(0.3))},
    "plan": {"plan": PLAN},
    "send": {"question": plain(question(0.4)), "purpose": PURPOSE},
    "withdraw": {},
    "decide": {"verdict": "denied", "reason": REASON},
}


@dataclass
class Caller:
    """A program in front of one house."""

    office: Office
    service: Service

    def token(self, login: str, *scopes: str, days: int = 30) -> str:
        """Make a token as its owner."""
        return credentials.issue(self.office.house, self.office.who[login], "a test", frozenset(scopes or SCOPES), days)

    def call(self, name: str, token: str, request: str = "", **body: Any) -> tuple[int, Any]:
        """Call an operation; return the number of the answer, and its record."""
        operation = BY_NAME[name]
        path = BASE + operation.path.format(dataset=self.office.dataset, request=request)
        sent = Sent(operation.method, path, {}, f"Bearer {token}", "application/json", json.dumps(body).encode())
        return self.send(sent)

    def send(self, sent: Sent) -> tuple[int, Any]:
        """Send anything; an error that nobody thought of is raised."""
        try:
            return 200, self.service.answer(self.office.house, sent)
        except Exception as error:
            refused = refusal_of(error)
            if refused is None:
                raise
            return refused.status, refused.detail


@pytest.fixture
def caller(office: Office) -> Caller:
    """Return a program in front of a staffed house."""
    return Caller(office, Service())


def state(office: Office) -> dict[str, Any]:
    """Return all that is written down, but when a token was used last."""
    return {name: rows for name, rows in everything_in(office.store).items() if name != "credentials"}


@ON_SQLITE
@pytest.mark.parametrize("name", BY_NAME)
def test_every_address_gives_each_role_and_scope_its_own_and_no_more(caller: Caller, name: str) -> None:
    """With no token, with each scope, with each role; a refusal writes nothing down."""
    office, operation = caller.office, BY_NAME[name]
    held = {(login, scope): caller.token(login, scope) for login in LOGINS for scope in SCOPES}
    waits = office.ask(0.5).id
    for at, ((login, scope), token) in enumerate(held.items(), 1):
        if find(office.house, waits).state != "waiting":
            waits = office.ask(0.5, round=at).id
        before = state(office)
        status, record = caller.call(name, token, waits, **BODIES.get(name, {}))
        given = login in GIVEN[name] and scope == operation.scope
        assert (status == 200) == given, (login, scope, status, record)
        assert given or (status in (403, 404) and state(office) == before), (login, scope, status)
        if given:
            Draft202012Validator(schema_of(operation.answer)).validate(record)
    before = state(office)
    for token in ("", "x", "discreet_" + "0" * 16 + "_" + "0" * 64):
        assert caller.call(name, token, waits)[0] == 401
    assert state(office) == before


def schema_of(name: str) -> dict[str, Any]:
    """Return the schema of an answer, in the whole description."""
    return openapi() | {"$ref": f"#/components/schemas/{name}"}


def test_the_table_names_every_operation() -> None:
    """A new one needs its line, and what it says of roles is what they get."""
    assert set(GIVEN) == set(BY_NAME)
    roles = {"bob": {"analyst"}, "eve": {"analyst"}, "olga": {"officer"}, "adam": {"administrator"}}
    for name, operation in BY_NAME.items():
        for login in GIVEN[name] - {"max"}:
            assert roles[login] & set(operation.roles), (name, login)


def test_the_file_is_made_of_the_table() -> None:
    """`python -m discreet.office.api.openapi > docs/openapi.json` writes it."""
    assert (ROOT / "docs" / "openapi.json").read_text(encoding="utf-8") == text()
    paths = openapi()["paths"]
    assert {(path, method) for path in paths for method in paths[path]} == {
        (BASE + operation.path, operation.method.lower()) for operation in OPERATIONS
    }


@pytest.mark.parametrize("slug", [slug for slug, kind in mechanisms.items() if not kind.open_only])
def test_every_question_goes_out_and_comes_in_as_it_was(slug: str) -> None:
    """In the plain form that an answer as JSON has, which is what the file says."""
    from discreet.curator import Request
    from discreet.rows import Bands, Recode

    several = (Recode("sex", (("f", "w"),)), Bands("age", (18, 65)), Bands("day", every="month"))
    for by in (None, "sex", Bands("age", every=10), several):
        asked = Request(mechanisms[slug](), ("age",), by=by)
        form = json.loads(json.dumps(plain(asked)))
        Draft202012Validator(schema_of("Request")).validate(form)
        assert question_of(form) == asked


def test_a_program_asks_reads_and_has_its_answer_decided(caller: Caller) -> None:
    """From the forecast to the released answer of a plan, through nothing but calls."""
    bob, olga = caller.token("bob"), caller.token("olga")
    status, way = caller.call("plan", bob, plan=PLAN)
    assert status == 200 and way["outcome"] == "waiting" and len(way["plan"]["rows"]) == 1
    status, sent = caller.call("send", bob, question=way["question"], purpose=PURPOSE, round=way["round"])
    assert status == 200 and sent["status"] == "waiting" and sent["release"] is None
    assert sent["cost"] == way["cost"]
    _, points = caller.call("checklist", olga, sent["id"])
    said = {point["name"]: CHECKED[point["name"]] for point in points["points"] if point["to_answer"]}
    words: dict[str, Any] = {"verdict": "approved", "checklist": said}
    assert caller.call("decide", olga, sent["id"], **words)[0] == 422  # nobody approves what they have not read
    assert caller.call("decide", olga, sent["id"], **words, seen="0" * 64)[0] == 422
    status, done = caller.call("decide", olga, sent["id"], **words, seen=points["seen"])
    assert status == 200 and done["release"] is not None and done["decided_by"] == "Olga"
    assert caller.call("request", bob, sent["id"]) == (200, done)
    _, listed = caller.call("requests", bob)
    assert [each["status"] for each in listed["requests"]] == ["answered"] and not listed["more"]
    assert caller.call("card", bob, sent["id"])[1]["discreet_card"] == 1
    _, every = caller.call("releases", olga)
    assert [each["id"] for each in every["releases"]] == [sent["id"]]
    lifecycle.publish(caller.office.house, caller.office.who["olga"], caller.office.dataset, True)
    assert caller.call("releases", caller.token("eve"))[0] == 200


@ON_SQLITE
def test_the_same_call_again_is_the_same_request(caller: Caller) -> None:
    """A program that heard nothing sends it again: one charge, one answer."""
    bob, body = caller.token("bob"), {"question": plain(question(0.1)), "purpose": PURPOSE}
    answers = [caller.call("send", bob, **body) for _ in range(3)]
    assert answers[0][0] == 200 and answers[0] == answers[1] == answers[2]
    assert answers[0][1]["status"] == "answered"
    assert caller.office.kinds(answers[0][1]["id"]).count("charge") == 1


@ON_SQLITE
def test_a_token_ends_with_its_days_its_account_and_its_owners_word(caller: Caller) -> None:
    """Expired, revoked, of a closed account, of whoever was signed out everywhere: all are told the same."""
    office = caller.office
    house, adam = office.house, office.who["adam"]

    def works(token: str) -> bool:
        status, detail = caller.call("me", token)
        assert status == 200 or (status == 401 and "does not work" in detail)
        return status == 200

    held = [caller.token("bob", days=1), caller.token("bob")]
    assert all(map(works, held))
    office.clock.now += 25 * 3600
    assert [works(token) for token in held] == [False, True]
    own = credentials.own_tokens(house, office.who["bob"])
    assert [each.used is not None for each in own] == [True]
    with pytest.raises(ValueError, match="This token does not exist"):
        credentials.revoke(house, office.who["eve"], own[0].id)
    credentials.revoke(house, office.who["bob"], own[0].id)
    assert not works(held[1]) and credentials.own_tokens(house, office.who["bob"]) == []
    for end in (
        lambda: accounts.end_sessions(house, adam, "bob"),
        lambda: accounts.change(house, TERMINAL, "bob", frozenset({"analyst"}), False),
    ):
        token = caller.token("bob")
        assert works(token)
        end()
        assert not works(token)


@ON_SQLITE
def test_a_token_of_a_former_feed_opens_nothing_and_is_revoked(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older version made them; the house verifies with them, and no new one is made."""
    house, bob = caller.office.house, caller.office.who["bob"]
    with monkeypatch.context() as before:
        before.setitem(SCOPES, "feed", Phrase("feed"))
        token = caller.token("bob", "feed")
    for name in ("me", "datasets", "requests"):
        assert caller.call(name, token)[0] == 403
    with pytest.raises(ParameterError, match="Choose the rights of the token: read, ask, decide"):
        caller.token("bob", "feed")
    assert inspection.look(house).all == []
    (own,) = credentials.own_tokens(house, bob)
    credentials.revoke(house, bob, own.id)
    assert caller.call("me", token)[0] == 401


@ON_SQLITE
def test_a_token_has_the_roles_of_its_owner_at_this_moment(caller: Caller) -> None:
    """A role that was taken away is gone for programs, too."""
    token, waits = caller.token("max"), caller.office.ask(0.5).id
    assert caller.call("checklist", token, waits)[0] == 200
    accounts.change(caller.office.house, TERMINAL, "max", frozenset({"analyst"}), True)
    assert caller.call("checklist", token, waits)[0] == 403
    assert caller.call("decide", token, waits, **BODIES["decide"])[0] == 403


def test_a_token_that_was_made_or_widened_by_hand_opens_nothing(caller: Caller) -> None:
    """Whoever can write into the table lacks the key of the vault; the secret of another token fits nowhere."""
    mine, other = caller.token("bob", "read"), caller.token("olga")
    (_, name, secret), (_, their, _) = mine.split("_"), other.split("_")
    assert caller.call("me", f"discreet_{their}_{secret}")[0] == 401
    for change in ("scopes = 'ask,decide,read'", "until = until + 1", f"person = '{caller.office.who['adam'].id}'"):
        caller.office.by_hand(f"UPDATE credentials SET {change} WHERE id = '{name}'")
        assert caller.call("me", mine)[0] == 401, change
    caller.office.by_hand(
        "INSERT INTO credentials SELECT 'ffffffffffffffff', person, name, scopes, mark, since, until, used "
        f"FROM credentials WHERE id = '{their}'"
    )
    assert caller.call("me", other.replace(their, "f" * 16))[0] == 401
    assert secret not in json.dumps(everything_in(caller.office.store), default=str)


@ON_SQLITE
def test_whoever_sends_wrong_tokens_waits_and_whoever_has_one_does_not(caller: Caller) -> None:
    """Thousands of tries from one place; a token that works goes on working there, to its own limit."""
    token = caller.token("bob")
    tried = [caller.call("me", f"discreet_{at:016x}_{at:064x}")[0] for at in range(2000)]
    assert tried.count(401) == MOST_WRONG and set(tried) == {401, 429}
    calls = [caller.call("me", token)[0] for _ in range(MOST_CALLS + 5)]
    assert calls.count(200) == MOST_CALLS and set(calls) == {200, 429}
    assert caller.call("me", caller.token("bob"))[0] == 200


ODD: tuple[Any, ...] = (None, True, [], {}, [[]], "x", "\x00", -1, 0, 1e308, 10**400, {"kind": "Request"}, [{}] * 300)


def twisted(thing: Any) -> Iterator[Any]:
    """Yield a plain form with each of its parts in turn replaced by something odd, left out, or doubled."""
    yield from ODD
    if isinstance(thing, dict):
        for name in thing:
            yield {key: value for key, value in thing.items() if key != name}
            yield from ({**thing, name: other} for other in twisted(thing[name]))
        yield {**thing, "more": 1}
    if isinstance(thing, list):
        for at, each in enumerate(thing):
            yield from ([*thing[:at], other, *thing[at + 1 :]] for other in twisted(each))


@ON_SQLITE
def test_no_form_of_a_question_is_more_than_refused(office: Office) -> None:
    """Whatever a program sends where a question belongs: a sentence, or a question with its terms."""
    desk = Desk(office.house, office.who["bob"], office.dataset)
    first = plain(question(0.1)) | {"where": [{"kind": "Filter", "column": "age", "comparison": ">", "value": 3.0}]}
    good = refused = 0
    for form in (first | {"by": ["town"]}, plain(planned(0.2))):
        for odd in twisted(json.loads(json.dumps(form))):
            try:
                desk.terms(question_of(odd))
                good += 1
            except Exception as error:
                assert refusal_of(error) is not None, (odd, error)
                refused += 1
    assert good and refused > 200


@ON_SQLITE
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"\xff", 400),
        (b"[" * 100_000, 400),
        (b"[]", 400),
        (b'{"question": NaN}', 400),
        (b'{"purpose": "\\ud800"}', 400),
        (b'{"question": {}, "purpose": "x", "who": "adam"}', 422),
        (b'{"question": []}', 422),
        (b'{"question": {}, "purpose": 5}', 422),
        (b'{"question": {"kind": "House"}, "purpose": "to know how old"}', 422),
        (b'{"question": {"kind": "Request"}, "purpose": "x", "round": true}', 422),
    ],
)
def test_no_body_is_more_than_refused(caller: Caller, body: bytes, status: int) -> None:
    """It is not JSON, not an object, has other fields, or fields of another kind."""
    path = f"{BASE}/datasets/{caller.office.dataset}/requests"
    before = state(caller.office)
    sent = Sent("POST", path, {}, f"Bearer {caller.token('bob')}", "application/json", body)
    before = state(caller.office)
    assert caller.send(sent)[0] == status
    assert caller.send(replace(sent, kind="text/plain"))[0] == 415
    assert caller.send(replace(sent, query={"before": "1"}))[0] in (status, 422)
    assert state(caller.office) == before


@ON_SQLITE
def test_odd_addresses_are_none(caller: Caller) -> None:
    """No way up, no other case, no other method, no id that is a word of a database."""
    token, own = caller.token("olga"), f"/datasets/{caller.office.dataset}"
    for path in (
        "",
        "/",
        own + "/",
        own.upper(),
        own + "/../requests",
        "/datasets/' OR 1=1",
        "/datasets/..",
        own + "\n",
    ):
        assert caller.send(Sent("GET", BASE + path, {}, f"Bearer {token}"))[0] == 404, path
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "get"):
        assert caller.send(Sent(method, BASE + own, {}, f"Bearer {token}"))[0] == 405
    for query in ({"before": "-1"}, {"before": "x"}, {"before": "9" * 400}, {"other": "1"}):
        assert caller.send(Sent("GET", f"{BASE}/requests", query, f"Bearer {token}"))[0] == 422
    for scheme in ("Basic", "", "Token"):
        assert caller.send(Sent("GET", f"{BASE}/me", {}, f"{scheme} {token}"))[0] == 401
    for missing in ("0" * 32, "0" * 31, "0" * 64):
        assert caller.send(Sent("GET", f"{BASE}/datasets/{missing}", {}, f"Bearer {token}"))[0] == 404


@ON_SQLITE
def test_shares_of_others_are_for_officers(caller: Caller) -> None:
    """An analyst reads an own share; the list names people."""
    caller.office.amend(free=0.2, shares={"bob": 1.0, "eve": 2.0})
    bob, olga = (caller.call("dataset", caller.token(login))[1]["policy"] for login in ("bob", "olga"))
    assert (bob["share"], bob["shares"]) == (1.0, {}) and olga["shares"] == {"bob": 1.0, "eve": 2.0}


@ON_SQLITE
def test_a_token_says_what_it_is_for_and_for_how_long(office: Office) -> None:
    """No name, no scope, an unknown one, too long, too many."""
    house, bob, read = office.house, office.who["bob"], frozenset({"read"})
    wrong: tuple[tuple[str, frozenset[str], int], ...] = (
        ("", read, 30),
        ("x" * 81, read, 30),
        ("x", frozenset(), 30),
        ("x", frozenset({"read", "all"}), 30),
        ("x", read, 0),
        ("x", read, 366),
    )
    for name, scopes, days in wrong:
        with pytest.raises(ValueError, match="token"):
            credentials.issue(house, bob, name, scopes, days)
    provided = replace(bob, id="openid-1")
    with pytest.raises(ValueError, match="1 to 7 days"):
        credentials.issue(house, provided, "x", read, 8)
    for _ in range(credentials.MOST):
        credentials.issue(house, bob, "x", read, 1)
    with pytest.raises(ValueError, match="Revoke one"):
        credentials.issue(house, bob, "x", read, 1)
    office.clock.now += 2 * 24 * 3600.0
    credentials.issue(house, bob, "x", read, 1)


@ON_SQLITE
def test_the_trail_tells_one_token_from_another_and_from_a_session(caller: Caller) -> None:
    """Each act bears a mark that opens nothing; nobody else's act in the same thread has it."""
    office, tokens = caller.office, [caller.token("bob", "ask") for _ in range(2)]
    for at, token in enumerate(tokens):
        asked = {"question": plain(question(0.3 + at / 10)), "purpose": PURPOSE}
        assert caller.call("send", token, **asked)[0] == 200
    office.ask(0.7, "bob")
    marks = [act.details.get("through", "") for act in audit_log.trail(office.store) if act.what == "asked"]
    assert marks[0] == "" and len(set(marks)) == 3 and all(mark.startswith("token ") for mark in marks[1:])
    assert not any(part in mark for mark in marks for token in tokens for part in token.split("_")[1:])

    def signed_in() -> None:
        through.came(office.who["olga"].id, through.SESSION, "a secret")
        lifecycle.check_ledger(office.house, office.who["olga"], office.dataset)
        lifecycle.check_ledger(office.house, office.who["otto"], office.dataset)

    copy_context().run(signed_in)
    otto, olga = (act.details.get("through", "") for act in audit_log.trail(office.store, 2))
    assert otto == "" and olga.startswith("session ") and "a secret" not in olga
