"""The durable ledger: the protocol of a session ledger, in a database that many servers share."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from discreet.budget.accounts import Account
from discreet.budget.allowance import FIRST, Allowance, Metered
from discreet.budget.cost import BudgetExceeded, Cost
from discreet.budget.durable import store as tables
from discreet.budget.durable.lines import (
    Line,
    Space,
    amount_of,
    answer_of,
    budget_hash,
    budget_of,
    charge_of,
    cost_of,
    costs,
    decided_of,
    digest,
    entry_of,
    given_back,
    held_of,
    last_of,
    latest_of,
    line_hash,
    lines_of,
    meter_of,
    of_all_waves,
    place_of,
    reserved_in,
    sums,
    text_of,
    total_of,
    waves_in,
)
from discreet.budget.durable.store import OPENING, Store
from discreet.budget.errors import AlreadyCharged, ParameterError
from discreet.budget.ledger import NOTHING, Entry, Standing, standing
from discreet.budget.rules import BASIC, Amount, Rule, rule_of
from discreet.budget.rules.rule import BESIDE

COUNTED = ("charge", "settle")  # the lines that a session ledger has, too
FREE = Amount()


def now() -> str:
    """Return the time as the ledger writes it. It decides in which period a charge counts, and nothing else."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


class DurableLedger:
    """One budget's lines in a database: append-only, hash-chained, decided under a lock.

    A decision depends on public data only: limit, lines, day. A line is written in the transaction of its decision, so
    a process that dies has written all of it or nothing.
    """

    lasting: Final = True

    def __init__(
        self, store: Store, name: str, clock: Callable[[], str] = now, wave: Callable[[], int] = lambda: FIRST
    ) -> None:
        """Attach to an open budget; `clock` and `wave` determine the period of a charge, if there is an allowance."""
        self._store = store
        self._name = name
        self._clock = clock
        self._wave = wave
        with store.reading() as connection:
            budget = budget_of(connection, name)
        if budget is None:
            raise ParameterError("This budget does not exist. Open it first.")
        self._rule = rule_of(budget["rule"])
        self._capacity = Amount(budget["capacity_loss"], budget["capacity_delta"])
        self._start = str(budget["hash"])
        self._meter = meter_of(budget)
        self._limit = Cost(budget["limit_epsilon"], budget["limit_delta"])
        if self._meter is not None and self._meter.allowance.apart:
            self._limit = of_all_waves(self._limit, waves_in(self.lines))

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
        """What is spent, reservations and held parts included."""
        with self._store.reading() as connection:
            return self._rule.spent(self._now(connection).total, self._limit)

    @property
    def left(self) -> Cost:
        """What may still be spent."""
        with self._store.reading() as connection:
            return self._rule.left(self._now(connection).room)

    @property
    def standing(self) -> Standing:
        """What is spent, reserved and left, at one moment."""
        with self._store.reading() as connection:
            space = self._now(connection)
            return standing(self._rule, self._limit, space.total, space.room, reserved_in(connection, self._name))

    def after(self, cost: Cost, account: Account | None = None) -> Cost | None:
        """Return what would be left after a charge, or None where it does not fit."""
        with self._store.reading() as connection:
            return self._rule.after(self._now(connection).room, cost, account)

    @property
    def period(self) -> Metered | None:
        """The current period, what is used in it and what is left; None without an allowance."""
        with self._store.reading() as connection:
            space = self._now(connection)
        metered = Metered(space.label, self._rule.spent(space.used, self._limit), self._rule.left(space.room))
        return metered if space.label else None

    @property
    def head(self) -> str:
        """The hash of the last line: cards show it, and it anchors the chain outside."""
        with self._store.reading() as connection:
            return self._start if (last := last_of(connection, self._name)) is None else str(last["hash"])

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines as they are stored, oldest first."""
        with self._store.reading() as connection:
            return tuple(lines_of(connection, self._name))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All charges and settlements, oldest first."""
        return tuple(entry_of(line) for line in self.lines if line["kind"] in COUNTED)

    def latest(self, most: int) -> tuple[Entry, ...]:
        """Return the last charges and their settlements, oldest first."""
        with self._store.reading() as connection:
            lines = latest_of(connection, self._name, most)
        return tuple(entry_of(line) for line in lines if line["kind"] in COUNTED)

    def reserve(self, request_id: str, cost: Cost, held: Cost = NOTHING, account: Account | None = None) -> None:
        """Reserve budget for a request that waits for approval; raise BudgetExceeded if it does not fit."""
        self._decide("reserve", request_id, cost, held, account)

    def expire(self, request_id: str) -> None:
        """Release a reservation that was never charged; a charge is never refunded."""
        with self._store.writing(self._name) as connection:
            lines, last = place_of(connection, self._name, request_id)
            if "expire" in lines:
                raise AlreadyCharged(request_id)
            if "reserve" not in lines or "charge" in lines:
                raise ParameterError("This request has no reservation to return.")
            back = lines["reserve"]
            gone = Amount() - amount_of(back)
            self._written(connection, self._line(last, request_id, "expire", amount=gone, note=back["note"]))

    def entry(self, request_id: str) -> Entry:
        """Return the charge of a request that is on the ledger."""
        with self._store.reading() as connection:
            return entry_of(charge_of(decided_of(connection, self._name, request_id), request_id))

    def charge(self, request_id: str, cost: Cost, held: Cost = NOTHING, account: Account | None = None) -> Entry:
        """Write a charge before any row is read, or raise BudgetExceeded; a reservation becomes the charge."""
        return entry_of(self._decide("charge", request_id, cost, held, account))

    def settle(self, request_id: str, taken: bool) -> Entry:
        """Record, once, whether the held part was taken; only the value False itself frees it."""
        with self._store.writing(self._name) as connection:
            lines, last = place_of(connection, self._name, request_id)
            charge_of(lines, request_id)
            if "settle" in lines:
                raise AlreadyCharged(request_id)
            return entry_of(self._written(connection, self._settled(lines, last, taken)))

    def answer(self, request_id: str) -> str | None:
        """Return the answer of a request, or None if it was not released."""
        with self._store.reading() as connection:
            return answer_of(connection, self._name, request_id)

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Settle a charge and store its answer in one step; the first stored answer is final.

        A second caller, after a crash or in another process, gets the stored answer.
        """
        with self._store.writing(self._name) as connection:
            lines, last = place_of(connection, self._name, request_id)
            first = answer_of(connection, self._name, request_id) if "release" in lines else None
            if first is not None:
                return first
            charge_of(lines, request_id)
            if "settle" in lines:
                raise ParameterError("Only a charged request that is not settled can be released.")
            settled = self._settled(lines, last, taken)
            self._written(connection, settled, self._line(settled, request_id, "release", note=digest(body)))
            connection.execute(insert(tables.answers).values(budget=self._name, request=request_id, body=body))
        return body

    def _settled(self, lines: dict[str, Line], last: Line | None, taken: bool) -> Line:
        return self._line(
            last,
            lines["charge"]["request"],
            "settle",
            held=held_of(lines["charge"]),
            taken=taken is not False,
            amount=Amount() - given_back(self._rule, lines) if taken is False else Amount(),
            note=lines["charge"]["note"],
        )

    def _decide(self, kind: str, request_id: str, cost: Cost, held: Cost, account: Account | None) -> Line:
        """Write a reservation or a charge if it fits, else a refusal."""
        with self._store.writing(self._name) as connection:
            time = self._clock()  # also the time of the line, so that it counts in its own period
            lines, last = place_of(connection, self._name, request_id)
            if kind in lines:
                raise AlreadyCharged(request_id)
            reserved = None if "expire" in lines else lines.get("reserve")
            if reserved is not None:
                if (cost_of(reserved), held_of(reserved), reserved["account"]) != (cost, held, text_of(account)):
                    raise ParameterError("The charge differs from the reservation. Send the request again.")
                note = reserved["note"]  # it counts where it was reserved
                again = self._line(last, request_id, kind, cost, held, account=account, note=note)
                return self._written(connection, again)
            space = self._space(connection, last, time)
            amount = self._rule.amount(cost + held, account, space.room)
            if amount is not None:
                line = self._line(
                    last, request_id, kind, cost, held, amount, account=account, note=space.label, time=time
                )
                return self._written(connection, line)
            self._written(connection, self._line(last, request_id, "refuse", cost, held))
        raise BudgetExceeded(cost + held, self._rule.left(space.room))

    def _now(self, connection: Connection) -> Space:
        """Return what fits now in the whole budget and in its period."""
        return self._space(connection, last_of(connection, self._name), self._clock())

    def _space(self, connection: Connection, last: Line | None, time: str) -> Space:
        """Return what fits after a line, at a time, in the whole budget and in its period."""
        total = total_of(last)
        meter = self._meter
        whole = Space(self._capacity - total, total)
        return whole if meter is None else meter.space(connection, self._name, whole, time, self._wave())

    def _line(
        self,
        last: Line | None,
        request_id: str,
        kind: str,
        cost: Cost = NOTHING,
        held: Cost = NOTHING,
        amount: Amount = FREE,
        *,
        taken: bool | None = None,
        account: Account | None = None,
        note: str = "",
        time: str = "",
    ) -> Line:
        seq = 0 if last is None else last["seq"] + 1
        line: Line = {
            **{"budget": self._name, "seq": seq, "request": request_id, "kind": kind},
            **costs(cost, held),
            "taken": taken,
            "account": text_of(account),
            **sums(amount, total_of(last) + amount),
            **{"time": time or self._clock(), "note": note, "previous": self._start if last is None else last["hash"]},
        }
        line["hash"] = line_hash(line)
        return line

    def _written(self, connection: Connection, *lines: Line) -> Line:
        """Write lines that follow the last one, each after the other, and seal them; return the newest."""
        connection.execute(insert(tables.lines), list(lines))
        self._store.sealing(*((self._name, line["seq"], line["hash"]) for line in lines))
        return lines[-1]


# --- Opening a durable budget ---


def open_budget(
    store: Store,
    name: str,
    limit: Cost,
    rule: Rule = BASIC,
    allowance: Allowance | None = None,
    clock: Callable[[], str] = now,
) -> DurableLedger:
    """Create a budget, or return the existing one; raise ParameterError for another limit, rule or allowance."""
    rule = rule.opened(limit)
    capacity = rule.capacity(limit)
    written = rule.written if allowance is None else f"{rule.written}{BESIDE}{_within(limit, rule, allowance).written}"
    wish: Line = {"limit_epsilon": limit.nano_epsilon, "limit_delta": limit.delta_units, "rule": written}
    budget = wish | {"id": name, "capacity_loss": capacity.loss, "capacity_delta": capacity.delta_units}
    with suppress(IntegrityError), store.writing(name) as connection:  # another process was faster
        if budget_of(connection, name) is None:
            budget |= {"opened": clock()}
            budget["hash"] = budget_hash(budget)
            connection.execute(insert(tables.budgets).values(**budget))
            store.sealing((name, OPENING, str(budget["hash"])))
    with store.reading() as connection:
        stored = budget_of(connection, name)
    assert stored is not None
    if any(stored[key] != value for key, value in wish.items()):
        raise ParameterError(
            "This budget is already open with another limit or accounting method. Nothing was changed."
        )
    return DurableLedger(store, name, clock)


def left_of_each(store: Store, names: Collection[str]) -> dict[str, Cost]:
    """Return what is left in each of several budgets; those with periods are omitted, as they depend on a clock."""
    lines = tables.lines
    ends = select(lines.c.budget, func.max(lines.c.seq).label("seq")).where(lines.c.budget.in_(names))
    newest = ends.group_by(lines.c.budget).subquery()
    last = select(lines).join(newest, (lines.c.budget == newest.c.budget) & (lines.c.seq == newest.c.seq))
    with store.reading() as connection:
        budgets = [
            dict(row)
            for row in connection.execute(select(tables.budgets).where(tables.budgets.c.id.in_(names))).mappings()
        ]
        ended = {line["budget"]: dict(line) for line in connection.execute(last).mappings()}
    return {each["id"]: _left(each, ended.get(each["id"])) for each in budgets if meter_of(each) is None}


def _left(budget: Line, last: Line | None) -> Cost:
    capacity = Amount(budget["capacity_loss"], budget["capacity_delta"])
    return rule_of(budget["rule"]).left(capacity - total_of(last))


def _within(limit: Cost, rule: Rule, allowance: Allowance) -> Allowance:
    """Return the allowance; raise ParameterError if it exceeds the budget, counts as zero, or is per wave."""
    if allowance.apart:
        raise ParameterError("A wave no longer has a separate budget. Open one budget for all waves.")
    if not allowance.each.fits_in(limit):
        raise ParameterError("A period cannot have more budget than the total.")
    if not rule.capacity(allowance.each).loss:
        raise ParameterError("With this accounting method, a period of this size allows no release. Increase it.")
    return allowance
