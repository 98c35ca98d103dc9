"""The durable ledger: the same protocol as the session's, in a database that many servers share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, insert, select

from discreet.budget.account import Account
from discreet.budget.cost import BudgetExceeded, Cost
from discreet.budget.durable import tables
from discreet.budget.durable.accounts import text_of
from discreet.budget.durable.chain import line_hash
from discreet.budget.durable.store import Store
from discreet.budget.durable.written import (
    Told,
    amount_of,
    budget_of,
    charge_of,
    cost_of,
    costs,
    digest,
    entry_of,
    freed,
    held_of,
    last_of,
    lines_of,
    sums,
    total_of,
)
from discreet.budget.entry import Entry
from discreet.budget.errors import AlreadyCharged, ParameterError
from discreet.budget.ledger import NOTHING
from discreet.budget.rules import Amount, Rule, rule_of

COUNTED = ("charge", "settle")  # the lines that a session ledger knows, too


def now() -> str:
    """Return the time as the ledger writes it. It is for display and decides nothing."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


FREE = Amount()


class DurableLedger:
    """One budget's lines in a database: append-only, chained, decided under a lock.

    What is decided depends on public data only: the limit and the lines. A line is written in one
    transaction with the decision, so a process that dies has written all of it or nothing.
    """

    lasting: Final = True

    def __init__(self, store: Store, name: str, clock: Callable[[], str] = now) -> None:
        """Look at a budget that is open."""
        self._store, self._name, self._clock = store, name, clock
        with store.reading() as connection:
            budget = budget_of(connection, name)
        if budget is None:
            raise ParameterError("There is no such budget. Open it first.")
        self._limit = Cost(budget["limit_epsilon"], budget["limit_delta"])
        self._rule = rule_of(budget["rule"])
        self._capacity = Amount(budget["capacity_loss"], budget["capacity_delta"])
        self._start = str(budget["hash"])

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
        """What is spent, reservations and held parts included."""
        with self._store.reading() as connection:
            return self._rule.spent(total_of(last_of(connection, self._name)), self._limit)

    @property
    def left(self) -> Cost:
        """What still fits."""
        with self._store.reading() as connection:
            return self._rule.left(self._capacity - total_of(last_of(connection, self._name)))

    def after(self, cost: Cost, account: Account | None = None) -> Cost | None:
        """Return what would be left after a charge, or None where it does not fit."""
        with self._store.reading() as connection:
            return self._rule.after(self._capacity - total_of(last_of(connection, self._name)), cost, account)

    @property
    def head(self) -> str:
        """The hash of the last line: what a card shows, and what anchors the chain outside."""
        with self._store.reading() as connection:
            last = last_of(connection, self._name)
        return self._start if last is None else str(last["hash"])

    @property
    def lines(self) -> tuple[Told, ...]:
        """All lines as they are written, oldest first."""
        with self._store.reading() as connection:
            return tuple(lines_of(connection, self._name))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All charges and settlements, oldest first."""
        return tuple(entry_of(line) for line in self.lines if line["kind"] in COUNTED)

    def reserve(self, request_id: str, cost: Cost, held: Cost = NOTHING, account: Account | None = None) -> None:
        """Keep room for a request that waits for approval, or refuse it."""
        self._decide("reserve", request_id, cost, held, account)

    def expire(self, request_id: str) -> None:
        """Return a reservation that was never charged; a charge never comes back."""
        with self._store.writing(self._name) as connection:
            lines = self._known(connection, request_id)
            if "expire" in lines:
                raise AlreadyCharged(request_id)
            if "reserve" not in lines or "charge" in lines:
                raise ParameterError("This request has no reservation that could be returned.")
            back = Amount() - amount_of(lines["reserve"])
            self._write(connection, last_of(connection, self._name), request_id, "expire", amount=back)

    def entry(self, request_id: str) -> Entry:
        """Return the charge of a request that is on the ledger."""
        with self._store.reading() as connection:
            return entry_of(charge_of(self._known(connection, request_id), request_id))

    def charge(self, request_id: str, cost: Cost, held: Cost = NOTHING, account: Account | None = None) -> Entry:
        """Write a charge before any row is read, or refuse it; a reservation becomes the charge."""
        return entry_of(self._decide("charge", request_id, cost, held, account))

    def settle(self, request_id: str, taken: bool) -> Entry:
        """Say once whether the held part was taken; only False itself sets it free."""
        with self._store.writing(self._name) as connection:
            lines = self._known(connection, request_id)
            charge_of(lines, request_id)
            if "settle" in lines:
                raise AlreadyCharged(request_id)
            return entry_of(self._settled(connection, lines, taken))

    def answer(self, request_id: str) -> str | None:
        """Return the answer of a request, if it was released."""
        with self._store.reading() as connection:
            return self._answer(connection, request_id)

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Settle a charge and keep its answer, in one step; the first answer is the answer.

        Whoever comes second, after a crash or in another process, gets the one that is kept.
        """
        with self._store.writing(self._name) as connection:
            first = self._answer(connection, request_id)
            if first is not None:
                return first
            lines = self._known(connection, request_id)
            charge_of(lines, request_id)
            if "settle" in lines:
                raise ParameterError("Only a charged request that is not settled is released.")
            settled = self._settled(connection, lines, taken)
            self._write(connection, settled, request_id, "release", note=digest(body))
            values = {"budget": self._name, "request": request_id, "body": body}
            connection.execute(insert(tables.answers).values(**values))
        return body

    def _answer(self, connection: Connection, request_id: str) -> str | None:
        """Return what was released: an answer without its line, or another one, is none."""
        query = select(tables.answers.c.body).filter_by(budget=self._name, request=request_id)
        body = connection.execute(query).scalar_one_or_none()
        line = None if body is None else self._known(connection, request_id).get("release")
        return None if line is None or digest(str(body)) != line["note"] else str(body)

    def _settled(self, connection: Connection, lines: dict[str, Told], taken: bool) -> Told:
        return self._write(
            connection,
            last_of(connection, self._name),
            lines["charge"]["request"],
            "settle",
            held=held_of(lines["charge"]),
            taken=taken is not False,
            amount=Amount() - self._freed(lines) if taken is False else Amount(),
        )

    def _decide(self, kind: str, request_id: str, cost: Cost, held: Cost, account: Account | None) -> Told:
        """Write a reservation or a charge if it fits, else a refusal."""
        with self._store.writing(self._name) as connection:
            lines, last = self._known(connection, request_id), last_of(connection, self._name)
            if kind in lines:
                raise AlreadyCharged(request_id)
            reserved = None if "expire" in lines else lines.get("reserve")
            if reserved is not None:
                if (cost_of(reserved), held_of(reserved), reserved["account"]) != (cost, held, text_of(account)):
                    raise ParameterError("A charge must be what was reserved. Ask for it anew.")
                return self._write(connection, last, request_id, kind, cost, held, account=account)
            room = self._capacity - total_of(last)
            amount = self._rule.amount(cost + held, account, room)
            if amount is not None:
                return self._write(connection, last, request_id, kind, cost, held, amount, account=account)
            self._write(connection, last, request_id, "refuse", cost, held)
        raise BudgetExceeded(cost + held, self._rule.left(room))

    def _freed(self, lines: dict[str, Told]) -> Amount:
        reserved = "reserve" in lines and "expire" not in lines
        return freed(self._rule, lines["charge"], amount_of(lines["reserve" if reserved else "charge"]))

    def _known(self, connection: Connection, request_id: str) -> dict[str, Told]:
        """Return the lines of a request by their kind; refusals aside, there is one of each."""
        query = select(tables.lines).filter_by(budget=self._name, request=request_id)
        decided = query.where(tables.lines.c.kind != "refuse")
        return {line["kind"]: dict(line) for line in connection.execute(decided).mappings()}

    def _write(
        self,
        connection: Connection,
        last: Told | None,
        request_id: str,
        kind: str,
        cost: Cost = NOTHING,
        held: Cost = NOTHING,
        amount: Amount = FREE,
        *,
        taken: bool | None = None,
        account: Account | None = None,
        note: str = "",
    ) -> Told:
        line: Told = {
            "budget": self._name,
            "seq": 0 if last is None else last["seq"] + 1,
            "request": request_id,
            "kind": kind,
            **costs(cost, held),
            "taken": taken,
            "account": text_of(account),
            **sums(amount, total_of(last) + amount),
            "time": self._clock(),
            "note": note,
            "previous": self._start if last is None else last["hash"],
        }
        line["hash"] = line_hash(line)
        connection.execute(insert(tables.lines).values(**line))
        self._store.sealing(connection, self._name, line["seq"], line["hash"])
        return line
