"""Two officers on two servers of one PostgreSQL: what they do races, and all that was said to be done is done once."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from multiprocessing.connection import Connection
from typing import Any

import pytest
import sqlalchemy as sa
from support.offices import APART, CHECKED, CONTENT, PURPOSE, REASON, REGISTRATION, START, Office, question
from support.soak import SOAKS, times

from discreet.budget import BudgetExceeded, Cost, ParameterError
from discreet.budget.allowance import Allowance
from discreet.budget.durable.lines import COUNTING
from discreet.office import House, Policy
from discreet.office.auditing import inspection
from discreet.office.datasets import changes, registering, registry
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.house import audit_log
from discreet.office.house.tables import remarks as comments
from discreet.office.requests import remarks
from discreet.office.requests.request import listed
from discreet.office.rules.visit import select_requests

pytestmark = pytest.mark.both_databases

FORK = multiprocessing.get_context("fork")
DEEDS, SEED = times(60, 1000), 11
DAYS, DAY = 2, 24 * 3600.0
EACH = Cost.of("0.12", "1e-6")
PRICES = (0.01, 0.03, 0.05)  # the first one runs at once
RENEWING, PASSING = 16, 13  # how often an officer brings new rows, and a day passes
VERDICTS = ("approved", "approved", "denied", "changes")
ON_A_SERVER = pytest.mark.parametrize("server", ["postgresql"], indirect=True)
Said = tuple[str, ...]


@dataclass
class Shared:
    """A clock that two processes share, and that either may set forward."""

    days: Any = field(default_factory=lambda: FORK.Value("d", 0.0))

    def __call__(self) -> float:
        """Return the time: it moves on, and by whole days when somebody says so."""
        return START + float(self.days.value) * DAY

    def next_day(self) -> None:
        """Let a day pass."""
        with self.days.get_lock():
            self.days.value += 1


@dataclass
class Worker:
    """A server with one officer and one analyst: it does one thing after the other, and tells what was done."""

    house: House
    officer: Any
    analyst: Any
    dataset: str
    clock: Shared
    choose: random.Random
    name: int

    def ask(self, at: int) -> Said:
        """Ask, the same as the other server may ask at the same moment."""
        asked = question(PRICES[at % len(PRICES)])
        return "asked", asking.submit(self.house, self.analyst, self.dataset, asked, PURPOSE, at).id

    def decide(self, at: int) -> Said:
        """Decide on what has waited longest: the other officer sees the same."""
        request, verdict = self._oldest(), self.choose.choice(VERDICTS)
        decisions.decide(self.house, self.officer, request, verdict, REASON, CHECKED)
        return verdict, request

    def withdraw(self, at: int) -> Said:
        """Take back what the officers look at."""
        request = self._oldest()
        decisions.withdraw(self.house, self.analyst, request)
        return "withdrawn", request

    def remark(self, at: int) -> Said:
        """Say something that nobody else says."""
        every, text = listed(self.house, select_requests()), f"said by {self.name} at {at}"
        request = self.choose.choice(every[-10:]).id if every else self.ask(at)[1]
        remarks.remark(self.house, self.officer, request, text)
        return "remarked", request, text

    def expire(self, at: int) -> Said:
        """Let a day pass, and what is late expire."""
        self.clock.next_day()
        decisions.sweep(self.house)
        return ("swept",)

    def renew(self, at: int) -> Said:
        """Bring new rows."""
        content = CONTENT.replace(b"note", b"words") + f"{at % 90},north,{self.name}\n".encode() * (at + 1)
        data = changes.renew(self.house, self.officer, self.dataset, content, "rows of another wave", apart=APART)
        assert data is not None  # the policy wants one officer
        return "renewed", next(v.fingerprint for v in data.versions if v.fingerprint == self._mark(content))

    def _mark(self, content: bytes) -> str:
        return self.house.vault.fingerprint(sha256(content).hexdigest())

    def _oldest(self) -> str:
        waiting = listed(self.house, select_requests().where(sa.text("state = 'waiting'")))
        if not waiting:  # the other officer took the last one
            return self.ask(self.choose.randrange(10**6))[1]
        return min(waiting, key=lambda asked: asked.number).id

    def deeds(self, many: int) -> Iterator[Said]:
        """Do so many things, by chance; tell what was done, or why not."""
        kinds = [self.ask] * 8 + [self.decide] * 10 + [self.remark] * 5 + [self.withdraw] * 2
        rare = {RENEWING - 1: self.renew, RENEWING + PASSING - 1: self.expire}
        for at in range(many):
            deed: Callable[[int], Said] = rare.get(at % (RENEWING + PASSING)) or self.choose.choice(kinds)
            try:
                yield deed(at)
            except BudgetExceeded:
                yield "full", ""
            except ParameterError as refused:
                yield "refused", str(refused)


def at_work(office: Office, name: int, clock: Shared, many: int, out: Connection) -> None:
    """Be a server: open the house anew, and tell each thing when it is done."""
    house = House(office.home, office.url, clock)
    officer, analyst = office.who[("olga", "otto")[name]], office.who["bob"]
    for said in Worker(house, officer, analyst, office.dataset, clock, random.Random(SEED + name), name).deeds(many):
        out.send(said)
    house.store.close()
    out.close()


@contextmanager
def servers(office: Office, clock: Shared, many: int) -> Iterator[list[Connection]]:
    """Run two servers at once."""
    pipes = [FORK.Pipe(duplex=False) for _ in range(2)]
    running = [
        FORK.Process(target=at_work, args=(office, name, clock, many // 2, into), daemon=True)
        for name, (_, into) in enumerate(pipes)
    ]
    for process, (_, into) in zip(running, pipes, strict=True):
        process.start()
        into.close()
    yield [out for out, _ in pipes]
    for process in running:
        process.join()
        assert process.exitcode == 0


def raced(office: Office, many: int) -> list[Said]:
    """Let two officers do so many things at once; return what both were told, of both."""
    period = Allowance("wave", EACH).written
    said = replace(REGISTRATION, name="waves", limit=Cost.of("50", "1e-3"), period=period, apart=APART)
    content = CONTENT.replace(b"note", b"words")
    office.dataset = registering.register(office.house, office.who["ann"], content, said, Policy(days=DAYS)).id
    office.amend(free=0.01, days=DAYS)
    office.store.engine.dispose()
    deeds = list[Said]()
    with servers(office, Shared(), many) as outs:
        while outs:
            for out in multiprocessing.connection.wait(outs):
                try:
                    deeds.append(out.recv())  # type: ignore[union-attr]
                except EOFError:
                    outs.remove(out)  # type: ignore[arg-type]
    return deeds


def check_decisions(office: Office, deeds: list[Said]) -> None:
    """Each request ended at most once, as the one who ended it was told, and nobody else was told so."""
    done = Counter(said[1] for said in deeds if said[0] in (*VERDICTS, "withdrawn"))
    assert set(done.values()) <= {1}
    ends = {said[1]: said[0] for said in deeds if said[0] in (*VERDICTS, "withdrawn")}
    trail = audit_log.trail(office.store)
    for asked in listed(office.house, select_requests().where(sa.text(f"dataset = '{office.dataset}'"))):
        last = [
            act.what
            for act in trail
            if act.about == f"#{asked.number}" and act.what in {*VERDICTS, "withdrawn", "expired"}
        ]
        assert len(last) <= 1 and ends.get(asked.id, "expired") == (last or ["expired"])[0]
        assert asked.state == (last[0] if last else asked.state)


def check_ledger(office: Office) -> None:
    """No wave ever took more than its rule, and each request was charged once, to the wave of its rows."""
    data, spent = registry.find(office.house, office.dataset), Counter[str]()
    numbers = {asked.id: asked.number for asked in listed(office.house, select_requests())}
    for line in office.ledger.lines:
        if line["kind"] in COUNTING:
            spent[line["note"]] += line["loss"]
            assert line["note"] == f"wave {data.version_at(numbers[line['request']]).number}"
            assert 0 <= spent[line["note"]] <= EACH.nano_epsilon
    kinds = Counter((line["request"], line["kind"]) for line in office.ledger.lines if line["kind"] != "refuse")
    assert set(kinds.values()) == {1}


def check_messages(office: Office, deeds: list[Said]) -> None:
    """All that was said is there, once, where it was said."""
    with office.store.reading() as connection:
        rows = connection.execute(sa.select(comments.c.request, comments.c.body)).all()
    assert sorted(map(tuple, rows)) == sorted(said[1:] for said in deeds if said[0] == "remarked")


def check_versions(office: Office, deeds: list[Said]) -> None:
    """All that came in are there, in one row, each from a later request on."""
    versions = registry.find(office.house, office.dataset).versions
    assert sorted(said[1] for said in deeds if said[0] == "renewed") == sorted(v.fingerprint for v in versions[1:])
    assert [v.number for v in versions] == list(range(1, len(versions) + 1))
    assert [v.since for v in versions] == sorted(v.since for v in versions)


@ON_A_SERVER
def test_what_two_officers_do_at_once_is_done_once_and_nothing_is_lost(office: Office) -> None:
    """Decisions, comments, questions, expiries and new versions; the chain holds, and no period is overspent."""
    start = time.perf_counter()
    deeds = raced(office, DEEDS)
    kinds = Counter(said[0] for said in deeds)
    print(f"{len(deeds)} deeds in {time.perf_counter() - start:.1f} s: {dict(kinds)}")
    wanted = ("asked", "remarked", "renewed", *(("approved", "denied", "withdrawn", "full") if SOAKS else ()))
    assert len(deeds) == DEEDS and min(kinds[kind] for kind in wanted) > 0
    assert [str(wrong) for wrong in inspection.look(office.house).all] == []
    check_decisions(office, deeds)
    check_ledger(office)
    check_messages(office, deeds)
    check_versions(office, deeds)
