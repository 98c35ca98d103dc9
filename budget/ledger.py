"""Ledger: the append-only record that says yes or no to a charge."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, NamedTuple, NoReturn, Protocol

from discreet.budget.accounts import Account, Refined
from discreet.budget.cost import BudgetExceeded, Cost
from discreet.budget.errors import AlreadyCharged, ParameterError, Phrase
from discreet.budget.rules import BASIC, Amount, Rule

# Entry: one line of a ledger, never changed once written; and what the lines amount to.


@dataclass(frozen=True)
class Entry:
    """One line: a charge, or the settlement of the held part of an earlier charge.

    `cost` is spent for good; `held` counts as spent until the settlement says that it was `taken`
    or is free again. `amount` is what the rule counts for this charge as a whole, `total` what it
    counts after this line, as on a bank statement. `time` is for display and decides nothing.
    """

    seq: int
    request_id: str
    kind: Literal["charge", "settle"]
    cost: Cost
    held: Cost
    taken: bool | None
    account: Account | None
    amount: Amount
    total: Amount
    time: datetime | None


@dataclass(frozen=True)
class Charge:
    """A cost and, where more is known, the account of the same release."""

    cost: Cost
    account: Account | None = None


def charges(entries: Iterable[Entry]) -> tuple[Charge, ...]:
    """Return what every charge came to; a held part counts unless it was settled as free.

    An account speaks of cost and held part together, so it falls with the held part. An answer and
    a finer one in its place are one charge: what both cost, under the account of the finer one.
    """
    lines = tuple(entries)
    free = {line.request_id for line in lines if line.kind == "settle" and not line.taken}
    every: dict[str, Charge] = {}
    for line in lines:
        if line.kind == "charge":
            part = line.request_id in free and line.held != Cost.zero()
            charge = Charge(line.cost) if part else Charge(line.cost + line.held, line.account)
            if isinstance(line.account, Refined) and line.account.instead:
                earlier = every.pop(line.account.of, Charge(Cost.zero()))
                charge = Charge(earlier.cost + charge.cost, line.account.account)
            every[line.request_id] = charge
    return tuple(every.values())


# Terms: what a question meets before it is asked: an answer, somebody who decides, or too little left.


@dataclass(frozen=True)
class Now:
    """A question is answered at once; `left` is what is left then."""

    left: Cost


@dataclass(frozen=True)
class Waits:
    """Somebody decides about a question first, and its cost is reserved meanwhile."""

    why: Phrase
    left: Cost


@dataclass(frozen=True)
class TooMuch:
    """A question does not fit in what is left; `by` says by how much."""

    by: Phrase
    left: Cost


Terms = Now | Waits | TooMuch


def fitting(cost: Cost, left: Cost, after: Cost | None, waits: Phrase | None = None) -> Terms:
    """Return the terms of a cost: what is left, what would be after it (None where it does not fit), why it waits."""
    if after is None:
        return TooMuch(BudgetExceeded(cost, left).shortfall, left)
    return Now(after) if waits is None else Waits(waits, after)


Clock = Callable[[], datetime | None]
NOTHING = Cost.zero()


def no_clock() -> None:
    """Tell no time."""


class Ledger(Protocol):
    """What every ledger can do. What it says depends on public data only: limit and charges.

    `lasting` says whether it outlives the process; a ledger in memory ends with it.
    """

    @property
    def lasting(self) -> bool:
        """Whether what is charged and kept here outlives the process."""

    @property
    def limit(self) -> Cost:
        """The cost that may be spent in all."""

    @property
    def rule(self) -> Rule:
        """The rule that adds up."""

    @property
    def spent(self) -> Cost:
        """What is spent, held parts included."""

    @property
    def left(self) -> Cost:
        """What still fits."""

    def after(self, cost: Cost, account: Account | None = None) -> Cost | None:
        """Return what would be left after a charge, or None where it does not fit."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All lines, oldest first."""

    def charge(self, request_id: str, cost: Cost, held: Cost = NOTHING, account: Account | None = None) -> Entry:
        """Write a charge before any row is read, or refuse it and write nothing.

        `account` speaks of cost and held part together. Raises BudgetExceeded where it does not
        fit, and AlreadyCharged where this request is on the ledger.
        """

    def settle(self, request_id: str, taken: bool) -> Entry:
        """Say once whether the held part of a charge was taken or is free again.

        This is the only way anything comes back. A release that is never settled, for whatever
        reason, has spent its held part.
        """

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Settle a charge and keep its answer, in one step; the first answer is the answer.

        Whoever comes second gets the one that is kept.
        """

    def entry(self, request_id: str) -> Entry:
        """Return the charge of a request that is on the ledger."""

    def answer(self, request_id: str) -> str | None:
        """Return the answer of a request, if it was released."""


class Line(NamedTuple):
    """A line with the answer that was kept with it, if one was."""

    entry: Entry
    body: str | None = None


class SessionLedger:
    """A ledger in the memory of the server process.

    One lock guards one append-only dictionary. Every line carries the total after it, and the
    answer that was released with it, so that a charge is a single write, and a release is another:
    nothing can be half done, whatever interrupts it.
    """

    lasting: Final = False

    def __init__(
        self, limit: Cost, rule: Rule = BASIC, clock: Clock = no_clock, former: SessionLedger | None = None
    ) -> None:
        """Open with a limit and a rule, both for good; answers of a former one stay known."""
        self._limit = limit
        self._rule = rule.opened(limit)
        self._clock = clock
        self._capacity = self._rule.capacity(limit)
        self._closed = False
        self._lock = threading.Lock()
        self._former = former
        self._lines: dict[tuple[str, str], Line] = {}

    @property
    def limit(self) -> Cost:
        """The cost that may be spent in all."""
        return self._limit

    @property
    def rule(self) -> Rule:
        """The rule that adds up."""
        return self._rule

    @property
    def spent(self) -> Cost:
        """What is spent, held parts included."""
        with self._lock:
            return self._rule.spent(self._total(), self._limit)

    @property
    def left(self) -> Cost:
        """What still fits."""
        with self._lock:
            return self._rule.left(self._room())

    def after(self, cost: Cost, account: Account | None = None) -> Cost | None:
        """Return what would be left after a charge, or None where it does not fit."""
        with self._lock:
            return self._rule.after(self._room(), cost, account)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All lines, oldest first."""
        with self._lock:
            return tuple(line.entry for line in self._lines.values())

    def charge(self, request_id: str, cost: Cost, held: Cost = NOTHING, account: Account | None = None) -> Entry:
        """Write a charge before any row is read, or refuse it and write nothing."""
        time = self._clock()
        with self._lock:
            if (request_id, "charge") in self._lines:
                raise AlreadyCharged(request_id)
            room = self._room()
            amount = self._rule.amount(cost + held, account, room)
            if amount is None:
                raise BudgetExceeded(cost + held, self._rule.left(room))
            total = self._total() + amount
            seq = len(self._lines)
            return self._write(Entry(seq, request_id, "charge", cost, held, None, account, amount, total, time))

    def settle(self, request_id: str, taken: bool) -> Entry:
        """Say once whether the held part was taken; only False itself sets it free."""
        return self._settle(request_id, taken, None)

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Settle a charge and keep its answer, in one step; the first answer is the answer."""
        first = self.answer(request_id)
        if first is None:
            with suppress(AlreadyCharged):  # somebody was faster
                self._settle(request_id, taken, body)
            first = self.answer(request_id)
        if first is None:
            raise ParameterError("Only a charged request that is not settled is released.")
        return first

    def entry(self, request_id: str) -> Entry:
        """Return the charge of a request that is on the ledger."""
        with self._lock:
            return self._charge(request_id)

    def answer(self, request_id: str) -> str | None:
        """Return the answer of a request, if it was released, by this or by a former ledger."""
        lines = (ledger._lines.get((request_id, "settle")) for ledger in reversed(self.lineage))
        return next((line.body for line in lines if line is not None and line.body is not None), None)

    def close(self) -> None:
        """Refuse every further charge: this budget was replaced by an explicit act."""
        with self._lock:
            self._closed = True

    @contextmanager
    def closing(self) -> Iterator[None]:
        """Take no further charge while all is written down elsewhere; if that fails, take them again."""
        self.close()
        try:
            yield
        except BaseException:
            with self._lock:
                self._closed = False
            raise

    @property
    def lineage(self) -> tuple[SessionLedger, ...]:
        """This ledger and those it replaced, oldest first."""
        every = [self]
        while (former := every[-1]._former) is not None:
            every.append(former)
        return tuple(reversed(every))

    def _settle(self, request_id: str, taken: bool, body: str | None) -> Entry:
        """Settle a charge, and keep its answer if there is one: a single write."""
        time = self._clock()
        with self._lock:
            line = self._charge(request_id)
            if (request_id, "settle") in self._lines:
                raise AlreadyCharged(request_id)
            freed = self._freed(line) if taken is False else Amount()
            settled = replace(line, kind="settle", cost=NOTHING, taken=taken is not False, account=None, time=time)
            total = self._total() - freed
            seq = len(self._lines)
            return self._write(replace(settled, seq=seq, total=total), body)

    def _charge(self, request_id: str) -> Entry:
        line = self._lines.get((request_id, "charge"))
        if line is None:
            raise ParameterError("Request {request_id} is not on the ledger. Charge it first.", request_id=request_id)
        return line.entry

    def _freed(self, line: Entry) -> Amount:
        """Return what the held part counted for: the whole less the cost alone."""
        if line.held == NOTHING:
            return Amount()
        alone = self._rule.amount(line.cost, None, line.amount)
        return Amount() if alone is None else line.amount - alone

    def _total(self) -> Amount:
        return next(reversed(self._lines.values())).entry.total if self._lines else Amount()

    def _room(self) -> Amount:
        return Amount() if self._closed else self._capacity - self._total()

    def _write(self, entry: Entry, body: str | None = None) -> Entry:
        self._lines[entry.request_id, entry.kind] = Line(entry, body)
        return entry

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuse to be copied or pickled: two copies would spend the budget twice."""
        raise TypeError("A ledger cannot be copied: two copies would spend the budget twice.")


# Ledgers: one budget per dataset for the whole server process.


class SessionLedgers:
    """The ledgers of a server process, one per dataset, whoever looks at it and however often.

    The owner is the content digest of a dataset, so that a reload, a second tab or a second upload
    of the same content sees the same budget and not a new one.
    """

    def __init__(self, clock: Clock = no_clock) -> None:
        """Start with none; the clock is given to every ledger."""
        self._clock = clock
        self._lock = threading.Lock()
        self._ledgers: dict[str, SessionLedger] = {}

    def open(self, owner: str, limit: Cost, rule: Rule = BASIC) -> SessionLedger:
        """Return the owner's ledger; the limit and rule count only the first time."""
        with self._lock:
            if owner not in self._ledgers:
                self._ledgers[owner] = SessionLedger(limit, rule, self._clock)
            return self._ledgers[owner]

    @property
    def every(self) -> dict[str, SessionLedger]:
        """All ledgers, by their owners."""
        with self._lock:
            return dict(self._ledgers)

    def before(self, owner: str) -> tuple[Cost, ...]:
        """Return what was spent of each budget that an owner's was put in the place of."""
        ledger = self.every.get(owner)
        return () if ledger is None else tuple(former.spent for former in ledger.lineage[:-1])

    def replace(self, owner: str, limit: Cost, rule: Rule = BASIC) -> SessionLedger:
        """Give the owner a new budget, knowing what that means, and close the old ledger.

        What was answered stays answered: the new ledger knows the answers of the old one.
        """
        with self._lock:
            former = self._ledgers.get(owner)
            fresh = SessionLedger(limit, rule, self._clock, former)
            if former is not None:
                former.close()
            self._ledgers[owner] = fresh
            return fresh
