"""Generations: the budgets of a content in a project's file, one after another.

A budget that was replaced stays in the file with all that it answered, so what was spent in all is
never forgotten.
"""

from __future__ import annotations

import json
from contextlib import suppress
from threading import Lock

from sqlalchemy import select

from discreet.budget import AlreadyCharged, BudgetExceeded, Cost, Entry, Rule, SessionLedger
from discreet.budget.account import Account
from discreet.budget.durable import DurableLedger, Store, open_budget, tables
from discreet.budget.durable.written import Told
from discreet.budget.ledger import NOTHING
from discreet.budget.rules import BASIC
from discreet.curator.records import Kept, remembered


class Generation(DurableLedger):
    """One of the budgets of a content; it knows the answers of those before it."""

    def __init__(self, store: Store, name: str, former: Generation | None = None) -> None:
        """Look at a budget that is open; what it answered is read once, and all of it at once."""
        super().__init__(store, name)
        self.former = former
        self.closed = False
        query = select(tables.answers.c.request, tables.answers.c.body).filter_by(budget=name)
        with store.reading() as connection:
            self._texts: dict[str, str] = {request: str(body) for request, body in connection.execute(query)}

    def _decide(self, kind: str, request_id: str, cost: Cost, held: Cost, account: Account | None) -> Told:
        """Write a charge if it fits: never, once this budget was replaced."""
        if self.closed:
            raise BudgetExceeded(cost + held, NOTHING)
        return super()._decide(kind, request_id, cost, held, account)

    def answer(self, request_id: str) -> str | None:
        """Return the answer of a request, if it was released, by this or by a former budget."""
        owner = next((each for each in reversed(self.lineage) if request_id in each._texts), None)
        if owner is None:
            return None
        text = owner._texts[request_id]
        if not isinstance(text, Kept):
            text = owner._texts[request_id] = remembered(text)
        return text

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Settle a charge and keep its answer; what stays in memory is not read again."""
        first = super().release(request_id, taken, body)
        self._texts[request_id] = body if first == body and isinstance(body, Kept) else remembered(first)
        return self._texts[request_id]

    def copy(self, ledger: SessionLedger) -> Generation:
        """Write down the lines of a ledger in memory, in their order: their charges were made there."""
        for entry in ledger.entries:
            with suppress(AlreadyCharged):
                self._copy(entry, ledger.answer(entry.request_id))
        return self

    def _copy(self, entry: Entry, answer: str | None) -> None:
        if entry.kind == "charge":
            self._decide("charge", entry.request_id, entry.cost, entry.held, entry.account)
        elif answer is not None:
            self.release(entry.request_id, bool(entry.taken), _at(answer, self.entry(entry.request_id).seq))
        else:
            self.settle(entry.request_id, bool(entry.taken))

    @property
    def lineage(self) -> tuple[Generation, ...]:
        """This budget and those it replaced, oldest first."""
        every = [self]
        while (former := every[-1].former) is not None:
            every.append(former)
        return tuple(reversed(every))


def _at(answer: str, entry: int) -> str:
    """Write an answer, or all of a plan, with the entry of the charge that paid for it here."""
    record = json.loads(answer)
    if "rows" in record:
        record["rows"] = [_at(row, entry) for row in record["rows"]]
    return json.dumps(record | {"entry": entry})


class Generations:
    """All budgets in a file, by whom they belong to."""

    def __init__(self, store: Store) -> None:
        """Look at a file; a budget is opened when somebody asks for it."""
        self._store = store
        self._lock = Lock()
        self._latest: dict[str, Generation] = {}

    def open(self, owner: str, limit: Cost, rule: Rule = BASIC) -> Generation:
        """Return the latest budget of an owner; limit and rule count only where there is none yet."""
        with self._lock:
            latest = self._known(owner)
            return self._next(owner, limit, rule) if latest is None else latest

    def before(self, owner: str) -> tuple[Cost, ...]:
        """Return what was spent of each budget that an owner's was put in the place of."""
        with self._lock:
            latest = self._known(owner)
        return () if latest is None else tuple(former.spent for former in latest.lineage[:-1])

    def replace(self, owner: str, limit: Cost, rule: Rule = BASIC) -> Generation:
        """Give an owner a new budget, knowing what that means, and close the one before."""
        with self._lock:
            self._known(owner)
            return self._next(owner, limit, rule)

    def take(self, owner: str, ledger: SessionLedger) -> Generation:
        """Write down what a ledger in memory has charged and answered, and the ledgers before it."""
        with self._lock:
            every = [self._next(owner, each.limit, each.rule).copy(each) for each in ledger.lineage]
            return every[-1]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all budgets in the file."""
        with self._store.reading() as connection:
            return tuple(connection.execute(select(tables.budgets.c.id)).scalars())

    def _known(self, owner: str) -> Generation | None:
        if owner not in self._latest:
            written, number = set(self.names), 1
            while _name(owner, number) in written:
                self._stand(owner, Generation(self._store, _name(owner, number), self._latest.get(owner)))
                number += 1
        return self._latest.get(owner)

    def _next(self, owner: str, limit: Cost, rule: Rule) -> Generation:
        latest = self._latest.get(owner)
        name = _name(owner, 1 if latest is None else len(latest.lineage) + 1)
        open_budget(self._store, name, limit, rule)
        return self._stand(owner, Generation(self._store, name, latest))

    def _stand(self, owner: str, latest: Generation) -> Generation:
        if latest.former is not None:
            latest.former.closed = True
        self._latest[owner] = latest
        return latest


def _name(owner: str, number: int) -> str:
    return f"{owner}#{number}"
