"""A golden trail: what a long day leaves on the trail, and what everybody who reads the trail makes of it.

`trails.json` holds what they said when it was written. Where a change is wanted, delete the file and run this test: it
writes the file anew, and fails once. What is random (ids, digests, noise) is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from support.long_day import a_long_day
from support.offices import APART, CHECKED, ON_SQLITE, REGISTRATION, START, Office

from discreet.budget import BudgetExceeded, ParameterError
from discreet.office import Policy
from discreet.office.auditing import bundles, inspection
from discreet.office.cards import cards
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import changes, lifecycle, registering, registry
from discreet.office.decisions import decisions
from discreet.office.house import acts, audit_log, replay, tables
from discreet.office.notices import deadlines, disclosure, mail, news
from discreet.office.requests import request
from discreet.office.rules import rights
from discreet.office.rules.visit import Visit, looking, select_requests
from discreet.office.running.metrics import CallTally, metrics
from discreet.office.terminal import safety

GOLDEN = Path(__file__).parent / "trails.json"
DIGEST = re.compile(r"[0-9a-f]{32,}")
MARK = re.compile(r"\b(session|token) [0-9a-f]{8}\b")
PROGRAM = re.compile(r'"(program|code)": "[^"]*"')
FAMILIES = re.compile(r'"families": \[[^]]*\]')  # one mechanism more is none of this
TWO = ("publication", "deletion", "version")
OTHER = b"age,town,note\n" + b"33,south,z\n" * 40


class Sack:
    """A courier that keeps what it is given."""

    name = "sack"

    def __init__(self) -> None:
        """Begin with nothing."""
        self.messages: list[mail.Message] = []

    def send(self, message: mail.Message) -> None:
        """Keep one."""
        self.messages.append(message)


def a_day_of_two(office: Office) -> None:
    """Do what takes two officers, and what only commands and the server do, after a long day."""
    house, olga, otto = office.house, office.who["olga"], office.who["otto"]
    said = replace(REGISTRATION, name="pairs", apart=APART)
    data = registering.register(house, olga, OTHER, said, Policy(pair=0.3, most=3.0))
    office.dataset = data.id
    for waits in (office.ask(0.5), office.ask(0.6)):
        decisions.decide(house, olga, waits.id, "approved", "", CHECKED)
    decisions.decide(house, otto, waits.id, "approved", "", CHECKED)
    decisions.take_back(house, olga, request.number_of(house, waits.number - 1) or "")
    with pytest.raises(BudgetExceeded):
        office.ask(2.9)
    office.ask(1.0)
    mistake = registering.register(house, olga, OTHER + b"2,south,q\n", replace(said, name="slip"), Policy(both=TWO))
    office.amend(both=TWO)
    lifecycle.publish(house, olga, data.id, True)
    lifecycle.publish(house, otto, data.id, True)
    for officer in (olga, otto):
        changes.renew(house, officer, data.id, OTHER + b"1,south,y\n", "one more row of the same people")
    lifecycle.erase(house, olga, data.id)
    lifecycle.withdraw(house, olga, mistake.id, "registered by mistake")
    for act, about in ((acts.ALARMED, "pairs"), (acts.UNSENT, "mail")):
        deadlines.once_a_day(house, act, about)
    with house.writing() as connection:  # as earlier versions wrote them
        house.act(connection, otto.id, acts.APART_PROPOSED, "folk", None)
        house.act(connection, office.who["max"].id, acts.APART_AGREED, "folk", None)
    safety.verify(house, "", (), "")
    safety.backup(house, str(office.home.parent / "kept"))


def plain(value: Any) -> Any:
    """Return something as JSON has it, without what is random."""
    text = json.dumps(value, default=str, sort_keys=True)
    for pattern, instead in ((DIGEST, "…"), (MARK, r"\1 …"), (PROGRAM, r'"\1": "…"'), (FAMILIES, '"families": "…"')):
        text = pattern.sub(instead, text)
    return json.loads(text)


def written(parts: dict[str, Any]) -> str:
    """Write parts as JSON, a line for each thing in them, so that a change can be read."""
    lines = []
    for name, part in sorted(parts.items()):
        begin, end = "[]" if isinstance(part, list) else "{}"
        each = part if isinstance(part, list) else part.items()
        rows = [_line(row) if begin == "[" else f"{_line(row[0])}: {_line(row[1])}" for row in each]
        lines.append(f'"{name}": {begin}\n' + ",\n".join(rows) + f"\n{end}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def reads(office: Office) -> dict[str, Any]:
    """Return what everybody makes of the trail."""
    house = office.house
    lines = _lines(office)
    told = [json.loads(line["told"]) | {"about": line["about"]} for line in lines]
    states = replay.replayed(told)
    trail = audit_log.trail(house.store)[::-1]
    quiet = audit_log.trail(house.store, None, audit_log.Excerpt(routine=False))[::-1]
    people = {login: person for login, person in sorted(office.who.items()) if login != "eve"}  # whose access ended
    readers = {login: who for login, who in people.items() if who.roles & {"officer", "administrator"}}
    asked = request.listed(house, select_requests())
    return {
        "stored": [[line["who"], line["what"], line["about"], json.loads(line["told"])] for line in lines],
        "words": [[str(act.words), str(act.nobody), _changed(act.details)] for act in trail],
        "quiet": [act.seq for act in quiet],
        "replayed": [[*of, states[of]] for of in sorted(states)],
        "found": list(map(str, inspection.look(house).all)),
        "news": {login: _news(office, login) for login in people},
        "disclosed": {login: [act.seq for act in disclosure.trail(house, who)] for login, who in readers.items()},
        "letters": {login: _letters(office, login) for login in people},
        "messages": _messages(office),
        "refused": {login: _refused(office, login) for login in people},
        "bundles": {data.name: _bundled(office, data) for data in registry.everything(house)},
        "requests": [[each.number, each.state, each.status, _card(office, each)] for each in asked],
        "metrics": sorted(line for line in metrics(house, CallTally()).splitlines() if "discreet_healthy" not in line),
    }


def _lines(office: Office) -> list[dict[str, Any]]:
    logins = {person.id: login for login, person in office.who.items()}
    with office.house.store.reading() as connection:
        lines = connection.execute(sa.select(tables.acts).order_by(tables.acts.c.seq)).mappings().all()
    return [dict(line) | {"who": logins.get(line["who"], line["who"])} for line in lines]


def _changed(details: Any) -> list[list[str]]:
    return [list(map(str, each)) for each in replay.changed(details)]


def _news(office: Office, login: str) -> list[Any]:
    every = news.news(office.house, office.who[login])
    return [[each.seq, str(each.who), str(each.words), each.about, each.new] for each in every]


def _letters(office: Office, login: str) -> list[Any]:
    with office.house.store.reading() as connection:
        every = news.bulletins(office.house, connection, office.who[login])
    return [
        [each.seq, each.kind, each.number, each.path, each.title(lambda text, **slots: str(text))] for each in every
    ]


def _messages(office: Office) -> list[mail.Message]:
    sack = Sack()
    with office.house.writing() as connection:
        connection.execute(sa.insert(tables.couriers).values(name=sack.name, seq=-1, tries=0, after=0.0))
    while mail.deliver(office.house, sack):
        pass
    return sack.messages


def _refused(office: Office, login: str) -> list[str]:
    with looking(office.house, office.who[login]) as visit:
        return [_why(visit.to(data.id)) for data in registry.everything(office.house)]


def _why(visit: Visit) -> str:
    try:
        rights.may_ask(visit)
    except ParameterError as refused:
        return str(refused)
    return ""


def _bundled(office: Office, data: registry.Registered) -> list[int]:
    files = bundles._files(office.house, data, bundles.Period())
    return [act["seq"] for act in json.loads(files["trail.json"])["acts"]]


def _card(office: Office, asked: request.Inquiry) -> list[str]:
    card = cards.card(snapshot(office.house, asked))
    return [card.identity.status, str(card.identity.state), str(card.people.decision)]


def two_days(office: Office) -> None:
    """Do all of it, each day from the same moment on."""
    a_long_day(office)
    office.clock.now = START
    a_day_of_two(office)


def as_it_was(office: Office) -> set[str]:
    """Return the parts in which something differs from the golden ones."""
    here = plain(reads(office))
    assert {line[1] for line in here["stored"]} == set(audit_log.WORDS) - {"found"}
    if not GOLDEN.exists():
        GOLDEN.write_text(written(here), encoding="utf-8")
        pytest.fail(f"{GOLDEN.name} was written anew: look at what changed.")
    before = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return {part for part in before.keys() | here.keys() if here.get(part) != before.get(part)}


@ON_SQLITE
def test_everybody_reads_of_the_trail_what_they_read_before(another: Callable[..., Office]) -> None:
    """Lines, words, replay, news, letters, messages, refusals, the auditor's file, cards, metrics."""
    assert as_it_was(another(two_days)) == set()


@ON_SQLITE
def test_what_is_read_otherwise_is_noticed(another: Callable[..., Office], monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where an act less rules, is news, is routine or concerns all data."""
    office = another(two_days)
    monkeypatch.setattr(rights, "RULING", rights.RULING[1:])
    monkeypatch.setattr(news, "OF_OWN", news.OF_OWN[1:])
    monkeypatch.setattr(audit_log, "COMING", audit_log.COMING[1:])
    monkeypatch.setattr(bundles, "OF_THE_HOUSE", bundles.OF_THE_HOUSE[1:])
    assert as_it_was(office) >= {"refused", "news", "letters", "quiet", "bundles"}
