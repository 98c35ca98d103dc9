"""Eight threads on one ledger: nothing overspent, nothing lost, nothing doubled."""

from __future__ import annotations

import contextlib
import random
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from discreet.budget import (
    BASIC,
    ZCDP,
    AlreadyCharged,
    BudgetExceeded,
    Cost,
    Rule,
    SessionLedger,
    SessionLedgers,
    charges,
)
from discreet.budget.accounts import Account
from discreet.budget.rules import Amount

THREADS = 8
LONG, SHORT = 60.0, 0.2  # seconds to wait for threads that will come, or that a lock keeps out
LIMIT = Cost.of(1, "1e-6")
HALF = Cost.of("0.5")


@pytest.fixture(autouse=True)
def _switch_threads_often() -> Iterator[None]:
    """Let the interpreter change threads after every few instructions."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


class Meeting:
    """The basic rule, deciding only when all threads have read, or when it is clear they cannot."""

    name = "Meeting"

    def __init__(self, wait: float, opening: bool = False) -> None:
        """Wait this many seconds for all threads."""
        self._barrier, self._wait, self._opening = threading.Barrier(THREADS), wait, opening

    def opened(self, limit: Cost) -> Rule:
        """Return itself: nothing of it depends on the limit."""
        return self

    def amount(self, cost: Cost, account: Account | None, room: Amount) -> Amount | None:
        """Meet, then decide; the barrier breaks where a lock keeps the others out."""
        with contextlib.suppress(threading.BrokenBarrierError):
            self._barrier.wait(self._wait)
        return BASIC.amount(cost, account, room)

    def capacity(self, limit: Cost) -> Amount:
        """Meet where ledgers are opened together, then do as the basic rule."""
        if self._opening:
            self.amount(limit, None, Amount())
        return BASIC.capacity(limit)

    def spent(self, total: Amount, limit: Cost) -> Cost:
        """As the basic rule."""
        return BASIC.spent(total, limit)

    def left(self, room: Amount) -> Cost:
        """As the basic rule."""
        return BASIC.left(room)


class ReadsThenWrites:
    """The naive twin: reads what is left, decides, then writes, with nothing held in between."""

    def __init__(self, limit: Cost, rule: Rule) -> None:
        """Start with nothing spent."""
        self._limit, self._rule = limit, rule
        self.spent = Cost.zero()

    def charge(self, request_id: str, cost: Cost) -> None:
        """Charge in three steps, between which anything may happen."""
        left = self._limit - self.spent
        if self._rule.amount(cost, None, BASIC.capacity(left)) is None:
            raise BudgetExceeded(cost, left)
        self.spent = self.spent + cost


def accepted(charge: Callable[[str, Cost], object], ids: list[str], cost: Cost) -> list[str]:
    """Charge from one thread per id at once, and return the ids that were accepted."""

    def attempt(request_id: str) -> str | None:
        try:
            charge(request_id, cost)
        except (BudgetExceeded, AlreadyCharged):
            return None
        return request_id

    with ThreadPoolExecutor(THREADS) as pool:
        return [done for done in pool.map(attempt, ids) if done is not None]


def test_reading_then_writing_overspends_and_the_ledger_does_not() -> None:
    """All threads read before any writes: the twin takes eight halves of one, the ledger two."""
    ids = [f"r{number}" for number in range(THREADS)]
    naive = ReadsThenWrites(LIMIT, Meeting(LONG))
    assert len(accepted(naive.charge, ids, HALF)) == THREADS
    ledger = SessionLedger(LIMIT, Meeting(SHORT))
    assert len(accepted(ledger.charge, ids, HALF)) == 2
    assert ledger.left == Cost(0, 10**9) and len(ledger.entries) == 2


def test_one_request_from_eight_threads_is_charged_once() -> None:
    """Double click, second tab and reconnect at the same moment: one charge."""
    ledger = SessionLedger(LIMIT, Meeting(SHORT))
    assert accepted(ledger.charge, ["same"] * THREADS, Cost.of("0.1")) == ["same"]
    assert ledger.spent == Cost.of("0.1")


@pytest.mark.parametrize("rule", [BASIC, ZCDP], ids=["basic", "zcdp"])
@pytest.mark.parametrize("seed", range(4))
def test_random_interleavings_lose_double_and_overspend_nothing(rule: Rule, seed: int) -> None:
    """What the threads were told equals what the entries say, and the totals fit the limit."""
    ledger = SessionLedger(LIMIT, rule)
    charged: Counter[str] = Counter()
    freed: Counter[str] = Counter()
    counting = threading.Lock()

    def work(thread: int) -> None:
        chance = random.Random(seed * THREADS + thread)
        for _ in range(60):
            name = f"r{chance.randrange(160)}"
            cost, held = Cost(chance.randrange(1, 10**7)), Cost(chance.randrange(10**7))
            tally, action = (charged, "charge") if chance.random() < 0.6 else (freed, "settle")
            try:
                if action == "charge":
                    ledger.charge(name, cost, held)
                else:
                    ledger.settle(name, False)
            except (BudgetExceeded, AlreadyCharged, ValueError):
                continue
            with counting:
                tally[name] += 1
            assert ledger.spent.fits_in(LIMIT)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))
    lines = ledger.entries
    assert Counter(line.request_id for line in lines if line.kind == "charge") == charged
    assert Counter(line.request_id for line in lines if line.kind == "settle") == freed
    assert charged and max(charged.values()) == 1 and freed and max(freed.values()) == 1
    assert [line.seq for line in lines] == list(range(len(lines)))
    total = sum((charge.cost for charge in charges(lines)), Cost.zero())
    assert ledger.spent == total if rule is BASIC else ledger.spent.fits_in(LIMIT)


def test_eight_tabs_that_open_at_once_share_one_budget() -> None:
    """The registry makes one ledger per owner, however many ask at the same moment."""
    ledgers = SessionLedgers()
    rule = Meeting(SHORT, opening=True)

    def tab(_: int) -> SessionLedger:
        return ledgers.open("digest", LIMIT, rule)

    with ThreadPoolExecutor(THREADS) as pool:
        opened = list(pool.map(tab, range(THREADS)))
    assert len({id(ledger) for ledger in opened}) == 1
