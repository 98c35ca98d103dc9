"""The durable ledger: the same protocol as the session's, in a database that many servers share."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from discreet.budget.account import Account
from discreet.budget.cost import BudgetExceeded, Cost
from discreet.budget.durable import tables
from discreet.budget.durable.accounts import text_of
from discreet.budget.durable.chain import budget_hash, line_hash
from discreet.budget.durable.seals import OPENING
from discreet.budget.durable.store import Store
from discreet.budget.durable.written import (
    Told,
    amount_of,
    charge_of,
    cost_of,
    digest,
    entry_of,
    freed,
    held_of,
    lines_of,
    total_of,
)
from discreet.budget.entry import Entry
from discreet.budget.errors import AlreadyCharged, ParameterError
from discreet.budget.ledger import NOTHING
from discreet.budget.rules import BASIC, RULES, Amount, Rule

COUNTED = ("charge", "settle")  # the lines that a session ledger knows, too


def now() -> str:
    """Return the time as the ledger writes it. It is for display and decides nothing."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def open_budget(store: Store, name: str, limit: Cost, rule: Rule = BASIC) -> DurableLedger:
    """Open a budget once and for good, or find it; another limit or rule is refused."""
    capacity = rule.capacity(limit)
    told: Told = {
        "id": name,
        "limit_epsilon": limit.nano_epsilon,
        "limit_delta": limit.delta_units,
        "rule": rule.name,
        "capacity_loss": capacity.loss,
        "capacity_delta": capacity.delta_units,
        "opened": now(),
    }
    with suppress(IntegrityError), store.writing(name) as connection:  # another process was faster
        if _budget(connection, name) is None:
            told["hash"] = budget_hash(told)
            connection.execute(insert(tables.budgets).values(**told))
            store.sealing(connection, name, OPENING, told["hash"])
    with store.reading() as connection:
        known = _budget(connection, name)
    assert known is not None
    if any(known[key] != told[key] for key in ("limit_epsilon", "limit_delta", "rule")):
        raise ParameterError("This budget is open with another limit or rule. Nothing was changed.")
    return DurableLedger(store, name)


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
            told = _budget(connection, name)
        if told is None:
            raise ParameterError("There is no such budget. Open it first.")
        self._limit = Cost(told["limit_epsilon"], told["limit_delta"])
        self._rule = RULES[told["rule"]]
        self._capacity = Amount(told["capacity_loss"], told["capacity_delta"])
        self._start = str(told["hash"])

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
            return self._rule.spent(total_of(self._last(connection)), self._limit)

    @property
    def left(self) -> Cost:
        """What still fits."""
        with self._store.reading() as connection:
            return self._rule.left(self._capacity - total_of(self._last(connection)))

    @property
    def head(self) -> str:
        """The hash of the last line: what a card shows, and what anchors the chain outside."""
        with self._store.reading() as connection:
            last = self._last(connection)
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
            known = self._known(connection, request_id)
            if "expire" in known:
                raise AlreadyCharged(request_id)
            if "reserve" not in known or "charge" in known:
                raise ParameterError("This request has no reservation that could be returned.")
            back = Amount() - amount_of(known["reserve"])
            self._write(connection, self._last(connection), request_id, "expire", amount=back)

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
            known = self._known(connection, request_id)
            charge_of(known, request_id)
            if "settle" in known:
                raise AlreadyCharged(request_id)
            return entry_of(self._settled(connection, known, taken))

    def answer(self, request_id: str) -> str | None:
        """Return the answer of a request, if it was released."""
        with self._store.reading() as connection:
            return self._answer(connection, request_id)

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Settle a charge and keep its answer, in one step; the first answer is the answer.

        Whoever comes second, after a crash or in another process, gets the one that is kept.
        """
        with self._store.writing(self._name) as connection:
            kept = self._answer(connection, request_id)
            if kept is not None:
                return kept
            known = self._known(connection, request_id)
            charge_of(known, request_id)
            if "settle" in known:
                raise ParameterError("Only a charged request that is not settled is released.")
            told = self._settled(connection, known, taken)
            self._write(connection, told, request_id, "release", note=digest(body))
            values = {"budget": self._name, "request": request_id, "body": body}
            connection.execute(insert(tables.answers).values(**values))
        return body

    def _answer(self, connection: Connection, request_id: str) -> str | None:
        """Return what was released: an answer without its line, or another one, is none."""
        found = select(tables.answers.c.body).filter_by(budget=self._name, request=request_id)
        body = connection.execute(found).scalar_one_or_none()
        line = None if body is None else self._known(connection, request_id).get("release")
        return None if line is None or digest(str(body)) != line["note"] else str(body)

    def _settled(self, connection: Connection, known: dict[str, Told], taken: bool) -> Told:
        return self._write(
            connection,
            self._last(connection),
            known["charge"]["request"],
            "settle",
            held=held_of(known["charge"]),
            taken=taken is not False,
            amount=Amount() - self._freed(known) if taken is False else Amount(),
        )

    def _decide(self, kind: str, request_id: str, cost: Cost, held: Cost, account: Account | None) -> Told:
        """Write a reservation or a charge if it fits, else a refusal."""
        with self._store.writing(self._name) as connection:
            known, last = self._known(connection, request_id), self._last(connection)
            if kind in known:
                raise AlreadyCharged(request_id)
            kept = None if "expire" in known else known.get("reserve")
            if kept is not None:
                if (cost_of(kept), held_of(kept), kept["account"]) != (cost, held, text_of(account)):
                    raise ParameterError("A charge must be what was reserved. Ask for it anew.")
                return self._write(connection, last, request_id, kind, cost, held, account=account)
            room = self._capacity - total_of(last)
            amount = self._rule.amount(cost + held, account, room)
            if amount is not None:
                return self._write(connection, last, request_id, kind, cost, held, amount, account=account)
            self._write(connection, last, request_id, "refuse", cost, held)
        raise BudgetExceeded(cost + held, self._rule.left(room))

    def _freed(self, known: dict[str, Told]) -> Amount:
        reserved = "reserve" in known and "expire" not in known
        return freed(self._rule, known["charge"], amount_of(known["reserve" if reserved else "charge"]))

    def _last(self, connection: Connection) -> Told | None:
        found = select(tables.lines).filter_by(budget=self._name)
        newest = found.order_by(tables.lines.c.seq.desc()).limit(1)
        line = connection.execute(newest).mappings().first()
        return None if line is None else dict(line)

    def _known(self, connection: Connection, request_id: str) -> dict[str, Told]:
        """Return the lines of a request by their kind; refusals aside, there is one of each."""
        found = select(tables.lines).filter_by(budget=self._name, request=request_id)
        decided = found.where(tables.lines.c.kind != "refuse")
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
        total = total_of(last) + amount
        told: Told = {
            "budget": self._name,
            "seq": 0 if last is None else last["seq"] + 1,
            "request": request_id,
            "kind": kind,
            "cost_epsilon": cost.nano_epsilon,
            "cost_delta": cost.delta_units,
            "held_epsilon": held.nano_epsilon,
            "held_delta": held.delta_units,
            "taken": taken,
            "account": text_of(account),
            "loss": amount.loss,
            "loss_delta": amount.delta_units,
            "total_loss": total.loss,
            "total_delta": total.delta_units,
            "time": self._clock(),
            "note": note,
            "previous": self._start if last is None else last["hash"],
        }
        told["hash"] = line_hash(told)
        connection.execute(insert(tables.lines).values(**told))
        self._store.sealing(connection, self._name, told["seq"], told["hash"])
        return told


def _budget(connection: Connection, name: str) -> Told | None:
    found = connection.execute(select(tables.budgets).filter_by(id=name)).mappings().first()
    return None if found is None else dict(found)
