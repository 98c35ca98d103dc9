"""Spent: what was spent per content, in a file that outlives the process, so that a crash refunds nothing.

The file contains keyed fingerprints of contents and sums, and nothing else: no query, no answer, no name. Several
servers of a machine may share it. A charge is on the disk before a row is read.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import Any
from uuid import uuid4

from discreet.budget.accounts import Account
from discreet.budget.cost import BudgetExceeded, Cost
from discreet.budget.durable.store import PRIVATE_FILE, PRIVATE_FOLDER, created
from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.ledger import NOTHING, Entry, Ledger, Standing, new_secret, standing
from discreet.budget.rules import Amount, Rule, rule_of

try:
    import fcntl
except ImportError:  # pragma: no cover - a system without it has one server at a time
    fcntl = None  # type: ignore[assignment]

NAME = "spent"
KEY = "spent.key"
HELD = "spent.lock"
LONG = 4 << 20  # size in bytes above which the file is rewritten as sums
UNWRITABLE = Phrase(
    "The server cannot record spending, so the query was not run. Nothing was spent. Contact the server administrator."
)


@dataclass(frozen=True)
class Budget:
    """One budget of a content, and what was spent of it."""

    limit: Cost
    rule: Rule
    total: Amount = Amount()

    @property
    def spent(self) -> Cost:
        """What was spent, as a cost."""
        return self.rule.spent(self.total, self.limit)

    @property
    def room(self) -> Amount:
        """What still fits, in the units of the rule."""
        return self.rule.capacity(self.limit) - self.total


class Spent:
    """The budgets of all contents, each with those that it replaced."""

    def __init__(self, folder: Path) -> None:
        """Attach to a folder; the file and its key are created when something is spent."""
        self._folder = folder
        self._path = folder / NAME
        self._lock = RLock()
        self._depth = 0
        self._secret = b""
        self._read_to = (0, 0)
        self._of = dict[str, list[Budget]]()

    def budgets(self, owner: str) -> tuple[Budget, ...]:
        """Return the budgets of a content, oldest first; the last one is in use."""
        with self._lock:
            try:
                if self._depth == 0:
                    self._look()
                return tuple(self._of.get(self._name(owner), ()))
            except OSError as wrong:
                raise ParameterError(UNWRITABLE) from wrong

    def begin(self, owner: str, limit: Cost, rule: Rule) -> None:
        """Open a budget, replacing the previous one."""
        with self.holding():
            self._append({"of": self._name(owner), "limit": _cost(limit), "rule": rule.opened(limit).written})

    def add(self, owner: str, amount: Amount) -> None:
        """Add an amount to the budget in use; a negative one for what is free again."""
        with self.holding():
            self._append({"of": self._name(owner)} | _amount(amount))

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Lock the file against other writers, in this process and others, and read what they wrote."""
        with self._lock:
            try:
                held = self._hold() if self._depth == 0 else None
            except OSError as wrong:
                raise ParameterError(UNWRITABLE) from wrong
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if held is not None:
                    os.close(held)

    def _hold(self) -> int:
        self._folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        held = os.open(self._folder / HELD, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, PRIVATE_FILE)
        try:
            if fcntl is not None:
                fcntl.flock(held, fcntl.LOCK_EX)
            self._look()
        except BaseException:
            os.close(held)
            raise
        return held

    def _name(self, owner: str) -> str:
        """Return the keyed fingerprint of a content: without the key it reveals nothing, even with the rows at hand."""
        if not self._secret:
            path = self._folder / KEY
            with suppress(FileExistsError):
                if not path.exists():
                    created(path, new_secret().encode())
            self._secret = path.read_bytes()
        return hmac.new(self._secret, owner.encode(), sha256).hexdigest()

    def _look(self) -> None:
        """Read what was written since the last call; an incomplete line has charged nothing."""
        try:
            state = self._path.stat()
        except FileNotFoundError:
            self._read_to = (0, 0)
            self._of = {}
            return
        if (state.st_ino, state.st_size) == self._read_to:
            return
        with self._path.open("rb") as source:  # it may be another file by now
            (file, at), state = self._read_to, os.fstat(source.fileno())
            if file != state.st_ino or state.st_size < at:
                file = state.st_ino
                at = 0
                self._of = {}
            source.seek(at)
            new = source.read()
        whole = new[: new.rfind(b"\n") + 1]
        for line in whole.splitlines():
            with suppress(ValueError, KeyError, TypeError):
                self._note(json.loads(line))
        self._read_to = (file, at + len(whole))

    def _note(self, line: dict[str, Any]) -> None:
        of = self._of.setdefault(str(line["of"]), [])
        if "limit" in line:
            of.append(Budget(Cost(*line["limit"]), rule_of(line["rule"]), Amount(*line.get("amount", (0, 0)))))
        elif of:
            of[-1] = replace(of[-1], total=of[-1].total + Amount(*line["amount"]))

    def _append(self, line: dict[str, Any]) -> None:
        """Append a line and sync it to the disk."""
        try:
            if self._path.exists() and self._path.stat().st_size > LONG:
                self._sum_up()
            with os.fdopen(
                os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW, PRIVATE_FILE), "r+b"
            ) as sink:
                torn = sink.seek(0, os.SEEK_END) > 0 and os.pread(sink.fileno(), 1, sink.tell() - 1) != b"\n"
                sink.write(b"\n" * torn + json.dumps(line).encode() + b"\n")
                sink.flush()
                os.fsync(sink.fileno())
        except OSError as wrong:
            raise ParameterError(UNWRITABLE) from wrong
        self._look()

    def _sum_up(self) -> None:
        """Replace all lines by their sums."""
        lines = [
            json.dumps({"of": name, "limit": _cost(each.limit), "rule": each.rule.written} | _amount(each.total))
            for name, every in self._of.items()
            for each in every
        ]
        part = self._path.with_name(f"{uuid4().hex}.part")
        created(part, "".join(f"{line}\n" for line in lines).encode())
        os.replace(part, self._path)
        self._look()


def _cost(cost: Cost) -> list[int]:
    return [cost.nano_epsilon, cost.delta_units]


def _amount(amount: Amount) -> dict[str, list[int]]:
    return {"amount": [amount.loss, amount.delta_units]}


class LastingLedger:
    """A ledger whose spent amounts outlive the process, whatever happens to its lines and answers."""

    def __init__(self, inner: Ledger, spent: Spent, owner: str) -> None:
        """Wrap a ledger of one content; amounts spent on it that the file lacks are written to the file."""
        self.inner = inner
        self._spent = spent
        self._owner = owner
        self._charged: dict[str, Amount] = {}
        with spent.holding():
            entries = inner.entries
            more = _beyond(entries[-1].total if entries else Amount(), self._budget.total)
            if more != Amount():
                spent.add(owner, more)

    @property
    def _budget(self) -> Budget:
        return self._spent.budgets(self._owner)[-1]

    @property
    def lasting(self) -> bool:
        """Whether answers outlive the process, too."""
        return self.inner.lasting

    @property
    def limit(self) -> Cost:
        """The total cost that may be spent."""
        return self.inner.limit

    @property
    def rule(self) -> Rule:
        """The rule that adds charges up."""
        return self.inner.rule

    @property
    def spent(self) -> Cost:
        """What is spent, held parts included, by all processes so far."""
        return self._budget.spent

    @property
    def left(self) -> Cost:
        """What may still be spent."""
        return self.rule.left(self._budget.room)

    @property
    def standing(self) -> Standing:
        """What is spent, reserved and left, at one moment."""
        budget = self._budget
        return standing(budget.rule, budget.limit, budget.total, budget.room)

    def after(self, cost: Cost, account: Account | None = None) -> Cost | None:
        """Return what would be left after a charge, or None where it does not fit."""
        return self.rule.after(self._budget.room, cost, account)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The lines of this process, oldest first."""
        return self.inner.entries

    def latest(self, most: int) -> tuple[Entry, ...]:
        """Return the last charges of this process and their settlements, oldest first."""
        return self.inner.latest(most)

    def charge(self, request_id: str, cost: Cost, held: Cost = NOTHING, account: Account | None = None) -> Entry:
        """Write a charge to the file before any row is read; write nothing if it is refused."""
        with self._spent.holding():
            room = self._budget.room
            amount = self.rule.amount(cost + held, account, room)
            if amount is None:
                raise BudgetExceeded(cost + held, self.rule.left(room))
            self._spent.add(self._owner, amount)
            try:
                entry = self.inner.charge(request_id, cost, held, account)
            except BaseException:
                self._spent.add(self._owner, Amount() - amount)
                raise
            self._charged[request_id] = amount
            return entry

    def settle(self, request_id: str, taken: bool) -> Entry:
        """Record, once, whether the held part was taken; only the value False itself frees it."""
        entry = self.inner.settle(request_id, taken)
        self._settled(request_id, taken)
        return entry

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Settle a charge and store its answer in one step; the first stored answer is final."""
        first = self.inner.release(request_id, taken, body)
        self._settled(request_id, taken)
        return first

    def entry(self, request_id: str) -> Entry:
        """Return the charge of a request that is on the ledger."""
        return self.inner.entry(request_id)

    def answer(self, request_id: str) -> str | None:
        """Return the answer of a request, or None if it was not released."""
        return self.inner.answer(request_id)

    def _settled(self, request_id: str, taken: bool) -> None:
        """Write down what is free again, once, after the ledger has freed it."""
        amount = self._charged.pop(request_id, None)
        if amount is None or taken is not False:
            return
        line = self.inner.entry(request_id)
        alone = None if line.held == NOTHING else self.rule.amount(line.cost, None, amount)
        if alone is not None:
            self._spent.add(self._owner, alone - amount)


def _beyond(known: Amount, written: Amount) -> Amount:
    """Return what a ledger has spent that was not written down."""
    return Amount(max(known.loss - written.loss, 0), max(known.delta_units - written.delta_units, 0))
