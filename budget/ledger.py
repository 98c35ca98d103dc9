"""Ledger: the append-only record that accepts or refuses charges."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, NamedTuple, NoReturn, Protocol
from uuid import uuid4

from discreet.budget.accounts import Account, Refined
from discreet.budget.cost import BudgetExceeded, Cost, cost_of
from discreet.budget.errors import AlreadyCharged, ParameterError, Phrase
from discreet.budget.rules import BASIC, Amount, Rule

# --- Entry: one line of a ledger, never changed once written, and the charges that lines add up to ---


@dataclass(frozen=True)
class Entry:
    """One line: a charge, or the settlement of the held part of an earlier charge.

    `cost` is spent permanently; `held` counts as spent until the settlement records that it was `taken` or is free
    again. `amount` is what the rule counts for this charge as a whole, `total` what it counts after this line, as on a
    bank statement. `time` is for display and affects no decision.
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
    """A cost and, where more is known, the account of that release."""

    cost: Cost
    account: Account | None = None


def charges(entries: Iterable[Entry]) -> tuple[Charge, ...]:
    """Return the final amount of every charge; a held part counts unless it was settled as free.

    An account covers cost and held part together, so it is dropped with the held part. An answer and a finer one in its
    place are one charge: what both cost, under the account of the finer one.
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


# --- Terms: the answer to "may this query be asked": now, after a decision, or not within the budget ---


@dataclass(frozen=True)
class Now:
    """A query is answered immediately; `left` is what is left afterwards."""

    left: Cost


@dataclass(frozen=True)
class Waits:
    """A query needs an officer's decision first, and its cost is reserved meanwhile."""

    why: Phrase
    left: Cost


@dataclass(frozen=True)
class TooMuch:
    """A query does not fit in what is left; `by` states by how much."""

    by: Phrase
    left: Cost


Terms = Now | Waits | TooMuch


def fitting(cost: Cost, left: Cost, after: Cost | None, waits: Phrase | None = None) -> Terms:
    """Return the terms of a cost, from what is left now and `after` it (None where it does not fit)."""
    if after is None:
        return TooMuch(BudgetExceeded(cost, left).shortfall, left)
    return Now(after) if waits is None else Waits(waits, after)


# --- Standing: a budget at one moment ---


class Standing(NamedTuple):
    """What of a budget is spent, reserved and left, all read at one moment.

    `left` is what fits now, `whole` what fits in the budget as a whole, of which a period allows less, and `unreserved`
    what would fit in it if nothing was reserved.
    """

    rule: Rule
    limit: Cost
    spent: Cost
    reserved: Cost
    left: Cost
    whole: Cost
    unreserved: Cost

    def part(self, cost: Cost) -> float:
        """Return which part of the budget a cost is, as its rule counts."""
        return self.rule.part(cost, self.limit)


def standing(rule: Rule, limit: Cost, total: Amount, room: Amount, reserved: Amount | None = None) -> Standing:
    """Return how a budget stands after a total, of which a part is `reserved`, with this room now."""
    free = rule.capacity(limit) - total
    held = Amount() if reserved is None else reserved
    spent = rule.spent(total - held, limit)
    waits = rule.spent(total, limit) - spent
    return Standing(rule, limit, spent, waits, rule.left(room), rule.left(free), rule.left(free + held))


Clock = Callable[[], datetime | None]
NOTHING = Cost.zero()


def no_clock() -> None:
    """A clock that returns None."""


class Ledger(Protocol):
    """The protocol of every ledger. Its decisions depend on public data only: limit and charges.

    `lasting` states whether it outlives the process; a ledger in memory ends with it.
    """

    @property
    def lasting(self) -> bool:
        """Whether charges and stored answers outlive the process."""

    @property
    def limit(self) -> Cost:
        """The total cost that may be spent."""

    @property
    def rule(self) -> Rule:
        """The rule that adds charges up."""

    @property
    def spent(self) -> Cost:
        """What is spent, held parts included."""

    @property
    def left(self) -> Cost:
        """What may still be spent."""

    @property
    def standing(self) -> Standing:
        """What is spent, reserved and left, at one moment."""

    def after(self, cost: Cost, account: Account | None = None) -> Cost | None:
        """Return what would be left after a charge, or None where it does not fit."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All lines, oldest first."""

    def latest(self, most: int) -> tuple[Entry, ...]:
        """Return the last charges and their settlements, oldest first."""

    def charge(self, request_id: str, cost: Cost, held: Cost = NOTHING, account: Account | None = None) -> Entry:
        """Write a charge before any row is read; write nothing if it is refused.

        `account` covers cost and held part together. Raises BudgetExceeded if it does not fit, and AlreadyCharged if
        this request is on the ledger.
        """

    def settle(self, request_id: str, taken: bool) -> Entry:
        """Record, once, whether the held part of a charge was taken or is free again.

        This is the only way anything is refunded. A release that is never settled, for whatever reason, has spent its
        held part.
        """

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Settle a charge and store its answer in one step; the first stored answer is final.

        A second caller gets the stored answer.
        """

    def entry(self, request_id: str) -> Entry:
        """Return the charge of a request that is on the ledger."""

    def answer(self, request_id: str) -> str | None:
        """Return the answer of a request, or None if it was not released."""


class Line(NamedTuple):
    """A line with the answer that was stored with it, if any."""

    entry: Entry
    body: str | None = None


def new_secret() -> str:
    """Return 244 random bits."""
    return uuid4().hex + uuid4().hex


class SessionLedger:
    """A ledger in the memory of the server process.

    One lock guards one append-only dictionary. Every line contains the total after it, and the answer that was released
    with it. A charge is therefore a single write, and a release is another: nothing can be half done, whatever
    interrupts it.
    """

    lasting: Final = False

    def __init__(
        self, limit: Cost | float, rule: Rule = BASIC, clock: Clock = no_clock, former: SessionLedger | None = None
    ) -> None:
        """Open with a limit and a rule, both final; answers of the `former` ledger stay available."""
        limit = cost_of(limit)
        self._limit = limit
        self._rule = rule.opened(limit)
        self._clock = clock
        self._capacity = self._rule.capacity(limit)
        self._closed = False
        self._lock = threading.Lock()
        self._former = former
        self.secret = new_secret()  # of which ids of results are made, as in a budget file
        self._lines: dict[tuple[str, str], Line] = {}

    @property
    def limit(self) -> Cost:
        """The total cost that may be spent."""
        return self._limit

    @property
    def rule(self) -> Rule:
        """The rule that adds charges up."""
        return self._rule

    @property
    def spent(self) -> Cost:
        """What is spent, held parts included."""
        with self._lock:
            return self._rule.spent(self._total(), self._limit)

    @property
    def left(self) -> Cost:
        """What may still be spent."""
        with self._lock:
            return self._rule.left(self._room())

    @property
    def standing(self) -> Standing:
        """What is spent, reserved and left, at one moment."""
        with self._lock:
            return standing(self._rule, self._limit, self._total(), self._room())

    def after(self, cost: Cost, account: Account | None = None) -> Cost | None:
        """Return what would be left after a charge, or None where it does not fit."""
        with self._lock:
            return self._rule.after(self._room(), cost, account)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All lines, oldest first."""
        with self._lock:
            return tuple(line.entry for line in self._lines.values())

    def latest(self, most: int) -> tuple[Entry, ...]:
        """Return the last charges and their settlements, oldest first."""
        entries = self.entries
        names = [entry.request_id for entry in entries if entry.kind == "charge"][-most:]
        return tuple(entry for entry in entries if entry.request_id in names)

    def charge(self, request_id: str, cost: Cost, held: Cost = NOTHING, account: Account | None = None) -> Entry:
        """Write a charge before any row is read; write nothing if it is refused."""
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
        """Record, once, whether the held part was taken; only the value False itself frees it."""
        return self._settle(request_id, taken, None)

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Settle a charge and store its answer in one step; the first stored answer is final."""
        first = self.answer(request_id)
        if first is None:
            with suppress(AlreadyCharged):  # another thread was faster
                self._settle(request_id, taken, body)
            first = self.answer(request_id)
        if first is None:
            raise ParameterError("Only a charged request that is not settled can be released.")
        return first

    def entry(self, request_id: str) -> Entry:
        """Return the charge of a request that is on the ledger."""
        with self._lock:
            return self._charge(request_id)

    def answer(self, request_id: str) -> str | None:
        """Return the answer of a request if this or a former ledger released it, else None."""
        lines = (ledger._lines.get((request_id, "settle")) for ledger in reversed(self.lineage))
        return next((line.body for line in lines if line is not None and line.body is not None), None)

    def close(self) -> None:
        """Refuse every further charge: this budget was replaced explicitly."""
        with self._lock:
            self._closed = True

    @contextmanager
    def closing(self) -> Iterator[None]:
        """Refuse charges while the ledger is copied elsewhere; accept them again if that fails."""
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
        """Settle a charge, and store its answer if there is one, in a single write."""
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
            raise ParameterError("Request {request_id} is not in the ledger. Charge it first.", request_id=request_id)
        return line.entry

    def _freed(self, line: Entry) -> Amount:
        """Return the amount of the held part: the whole charge minus the cost alone."""
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
        """Raise TypeError: two copies of a ledger would spend the budget twice."""
        raise TypeError("A ledger cannot be copied: two copies would spend the budget twice.")


# --- Ledgers: one budget per dataset for the whole server process ---


class SessionLedgers:
    """The ledgers of a server process, one per dataset, shared by all sessions.

    The owner is the content digest of a dataset, so a reload, a second tab or a second upload of that content gets the
    existing budget and not a new one.
    """

    def __init__(self, clock: Clock = no_clock) -> None:
        """Start with no ledgers; every ledger gets this clock."""
        self._clock = clock
        self._lock = threading.Lock()
        self._ledgers: dict[str, SessionLedger] = {}

    def open(self, owner: str, limit: Cost, rule: Rule = BASIC) -> SessionLedger:
        """Return the owner's ledger; limit and rule are used only when it is created."""
        with self._lock:
            if owner not in self._ledgers:
                self._ledgers[owner] = SessionLedger(limit, rule, self._clock)
            return self._ledgers[owner]

    @property
    def every(self) -> dict[str, SessionLedger]:
        """All ledgers by owner."""
        with self._lock:
            return dict(self._ledgers)

    def before(self, owner: str) -> tuple[Cost, ...]:
        """Return what was spent of each earlier budget that the owner's current one replaced."""
        ledger = self.every.get(owner)
        return () if ledger is None else tuple(former.spent for former in ledger.lineage[:-1])

    def replace(self, owner: str, limit: Cost, rule: Rule = BASIC) -> SessionLedger:
        """Replace the owner's budget by a new one, as an explicit decision, and close the old ledger.

        Earlier answers stay available: the new ledger returns the answers of the old one.
        """
        with self._lock:
            former = self._ledgers.get(owner)
            fresh = SessionLedger(limit, rule, self._clock, former)
            if former is not None:
                former.close()
            self._ledgers[owner] = fresh
            return fresh
