"""Lines: what a durable ledger writes for each charge, how lines are chained, and their totals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from discreet.budget.accounts import (
    Account,
    Approximate,
    BoundedRange,
    GaussianAccount,
    LaplaceAccount,
    Pure,
    Refined,
    Together,
)
from discreet.budget.allowance import FIRST, WAVE, Allowance, allowance_of, smaller
from discreet.budget.cost import Cost
from discreet.budget.durable import store
from discreet.budget.errors import ParameterError
from discreet.budget.ledger import NOTHING, Entry
from discreet.budget.rules import Amount, Rule, rule_of

# --- Accounts as text: how a ledger's line stores a release's account, exactly ---

SINGLE: dict[str, type[Any]] = {
    "Pure": Pure,
    "Laplace": LaplaceAccount,
    "Gaussian": GaussianAccount,
    "BoundedRange": BoundedRange,
}
NAMES: dict[type[Any], str] = {
    kind: name for name, kind in SINGLE.items()
}  # stored names are independent of class names


def text_of(account: Account | None) -> str | None:
    """Serialise an account."""
    return None if account is None else json.dumps(_plain(account))


def _plain(account: Account) -> list[Any]:
    if isinstance(account, Together):
        return ["Together", [_plain(member) for member in account.members]]
    if isinstance(account, Refined):
        return ["Refined", account.of, account.instead, _plain(account.account)]
    if isinstance(account, Approximate):
        return ["Approximate", account.cost.nano_epsilon, account.cost.delta_units]
    name = NAMES.get(type(account))
    if name is None:
        raise TypeError(f"{type(account).__name__} has no text yet: add it to budget/durable/lines.py.")
    return [name, float(account.size)]  # type: ignore[attr-defined]


def account_of(text: str | None) -> Account | None:
    """Parse an account."""
    return None if text is None else _made(json.loads(text))


def _made(written: list[Any]) -> Account:
    name, *rest = written
    if name == "Together":
        return Together(tuple(_made(member) for member in rest[0]))
    if name == "Refined":
        of, instead, account = rest
        return Refined(of, _made(account), instead)
    if name == "Approximate":
        return Approximate(Cost(*rest))
    single: Account = SINGLE[name](rest[0])
    return single


# --- Chain: every line contains the hash of the line before, so that a change is detected ---

BUDGET = tuple(c.name for c in store.budgets.columns if c.name != "hash")
LINE = tuple(c.name for c in store.lines.columns if c.name != "hash")


def _hash(names: tuple[str, ...], row: Mapping[str, Any]) -> str:
    values = [row[name] for name in names]
    return sha256(json.dumps(values, ensure_ascii=True).encode()).hexdigest()


def budget_hash(budget: Mapping[str, Any]) -> str:
    """Return the hash of a budget, which is the start of its chain."""
    return _hash(BUDGET, budget)


def line_hash(line: Mapping[str, Any]) -> str:
    """Return the hash of a line; the line contains the hash of the line before."""
    return _hash(LINE, line)


# --- The stored lines of a durable ledger, and their amounts ---

Line = dict[str, Any]


def lines_of(connection: Connection, budget: str) -> list[Line]:
    """Return all lines of a budget as they are stored, oldest first."""
    query = select(store.lines).filter_by(budget=budget).order_by(store.lines.c.seq)
    return [dict(line) for line in connection.execute(query).mappings()]


def budget_of(connection: Connection, name: str) -> Line | None:
    """Return a budget as it was opened, or None."""
    row = connection.execute(select(store.budgets).filter_by(id=name)).mappings().first()
    return None if row is None else dict(row)


def last_of(connection: Connection, name: str) -> Line | None:
    """Return the newest line of a budget, or None."""
    newest = select(store.lines).filter_by(budget=name).order_by(store.lines.c.seq.desc()).limit(1)
    line = connection.execute(newest).mappings().first()
    return None if line is None else dict(line)


def latest_of(connection: Connection, name: str, most: int) -> list[Line]:
    """Return all lines of the requests that were charged last, oldest first."""
    c = store.lines.c
    charged = select(c.request).where(c.budget == name, c.kind == "charge").order_by(c.seq.desc()).limit(most)
    requests = list(connection.execute(charged).scalars())
    query = select(store.lines).where(c.budget == name, c.request.in_(requests)).order_by(c.seq)
    return [dict(line) for line in connection.execute(query).mappings()]


def decided_of(connection: Connection, name: str, request_id: str) -> dict[str, Line]:
    """Return the lines of a request by kind; apart from refusals there is at most one of each."""
    query = select(store.lines).filter_by(budget=name, request=request_id)
    decided = query.where(store.lines.c.kind != "refuse")
    return {line["kind"]: dict(line) for line in connection.execute(decided).mappings()}


def place_of(connection: Connection, name: str, request_id: str) -> tuple[dict[str, Line], Line | None]:
    """Return the lines of a request by their kind, as `decided_of`, and the newest line of the budget."""
    newest = select(func.max(store.lines.c.seq)).where(store.lines.c.budget == name).scalar_subquery()
    wanted = (store.lines.c.request == request_id) | (store.lines.c.seq == newest)
    query = select(store.lines).where(store.lines.c.budget == name, wanted).order_by(store.lines.c.seq)
    lines = [dict(line) for line in connection.execute(query).mappings()]
    own = {line["kind"]: line for line in lines if line["request"] == request_id and line["kind"] != "refuse"}
    return own, lines[-1] if lines else None


def reserved_in(connection: Connection, name: str) -> Amount:
    """Return what the requests that wait for a decision have reserved: neither charged nor returned."""
    c, of = store.lines.c, store.lines.alias().c
    over = select(of.request).where(of.budget == name, of.kind.in_(("charge", "expire")))
    query = select(func.coalesce(func.sum(c.loss), 0), func.coalesce(func.sum(c.loss_delta), 0))
    waiting = query.where(c.budget == name, c.kind == "reserve", c.request.not_in(over))
    loss, delta = connection.execute(waiting).one()
    return Amount(int(loss), int(delta))


def answer_of(connection: Connection, name: str, request_id: str) -> str | None:
    """Return what was released, or None; an answer without its line, or different from its line, does not count."""
    query = select(store.answers.c.body).filter_by(budget=name, request=request_id)
    body = connection.execute(query).scalar_one_or_none()
    line = None if body is None else decided_of(connection, name, request_id).get("release")
    return None if line is None or digest(str(body)) != line["note"] else str(body)


def costs(cost: Cost, held: Cost) -> Line:
    """Return the columns of a line for its costs."""
    return {
        "cost_epsilon": cost.nano_epsilon,
        "cost_delta": cost.delta_units,
        "held_epsilon": held.nano_epsilon,
        "held_delta": held.delta_units,
    }


def sums(amount: Amount, total: Amount) -> Line:
    """Return the columns of a line for its amounts."""
    return {
        "loss": amount.loss,
        "loss_delta": amount.delta_units,
        "total_loss": total.loss,
        "total_delta": total.delta_units,
    }


def digest(body: str) -> str:
    """Return the digest of an answer that the line of its release contains."""
    return sha256(body.encode()).hexdigest()


def freed(rule: Rule, line: Line, whole: Amount) -> Amount:
    """Return the amount of the held part of a charge: the whole minus the cost alone."""
    if held_of(line) == NOTHING:
        return Amount()
    alone = rule.amount(cost_of(line), None, whole)
    return Amount() if alone is None else whole - alone


def given_back(rule: Rule, lines: dict[str, Line]) -> Amount:
    """Return the amount to refund if the held part of a request was not taken, from the request's lines."""
    reserved = "reserve" in lines and "expire" not in lines
    return freed(rule, lines["charge"], amount_of(lines["reserve" if reserved else "charge"]))


def charge_of(lines: dict[str, Line], request_id: str) -> Line:
    """Return the charge among the lines of a request; raise ParameterError if there is none."""
    if "charge" not in lines:
        raise ParameterError("Request {request_id} is not in the ledger. Charge it first.", request_id=request_id)
    return lines["charge"]


def total_of(last: Line | None) -> Amount:
    """Return the total of a budget after its last line; zero without lines."""
    return Amount() if last is None else Amount(last["total_loss"], last["total_delta"])


def amount_of(line: Line) -> Amount:
    """Return the amount of a line."""
    return Amount(line["loss"], line["loss_delta"])


def cost_of(line: Line) -> Cost:
    """Return what a line spends permanently."""
    return Cost(line["cost_epsilon"], line["cost_delta"])


def held_of(line: Line) -> Cost:
    """Return what a line holds back."""
    return Cost(line["held_epsilon"], line["held_delta"])


def entry_of(line: Line) -> Entry:
    """Return a line as an Entry, as every ledger shows it."""
    return Entry(
        line["seq"],
        line["request"],
        line["kind"],
        cost_of(line),
        held_of(line),
        line["taken"],
        account_of(line["account"]),
        amount_of(line),
        total_of(line),
        datetime.fromisoformat(line["time"]),
    )


# --- Periods: what a ledger's allowance leaves in a period, from the stored lines ---

COUNTING = ("reserve", "charge", "settle", "expire")


class Space(NamedTuple):
    """What fits at a moment, what is used, and the period in which it counts; no period without an allowance."""

    room: Amount
    total: Amount  # used of the whole budget
    label: str = ""
    used: Amount = Amount()  # used in this period


@dataclass(frozen=True)
class Meter:
    """The allowance of a budget, in the units of its rule, since the period in which it was opened."""

    allowance: Allowance
    each: Amount
    first: int

    def left(self, used: Mapping[int, Amount], at: int) -> Amount:
        """Return what is left in a period."""
        return self.allowance.room(self.each, used, self.first, at)

    def current(self, used: Mapping[int, Amount], time: str, wave: int) -> int:
        """Return the period in which a new line counts: never one before the newest."""
        return max(self.first, *used, self.allowance.at(time, wave))

    def space(self, connection: Connection, budget: str, whole: Space, time: str, wave: int) -> Space:
        """Return what fits in this period and in the whole budget; nothing where each wave had its own budget."""
        if self.allowance.apart:
            return Space(Amount(), whole.total)
        used = self._used(connection, budget)
        at = self.current(used, time, wave)
        left = self.left(used, at)
        here = used.get(at, Amount())
        label = self.allowance.label(at)
        return Space(smaller(whole.room, left), whole.total, label, here)

    def _used(self, connection: Connection, budget: str) -> dict[int, Amount]:
        """Add up what counts in each period."""
        c = store.lines.c
        query = select(c.note, func.sum(c.loss), func.sum(c.loss_delta)).group_by(c.note)
        mine = query.where(c.budget == budget, c.kind.in_(COUNTING))
        rows = connection.execute(mine).all()
        return {self.allowance.period(note): Amount(int(loss), int(delta)) for note, loss, delta in rows}


def of_all_waves(limit: Cost, waves: int) -> Cost:
    """Return the total of the budgets of some waves, each with this limit, for a person who is in all of them."""
    return Cost(limit.nano_epsilon * waves, limit.delta_units * waves)


def waves_in(lines: Iterable[Line]) -> int:
    """Return the number of waves in which something counts, at least 1."""
    return len({line["note"] for line in lines if line["kind"] in COUNTING}) or 1


def meter_of(budget: Line) -> Meter | None:
    """Return the meter of a budget as it was opened; None without an allowance."""
    allowance = allowance_of(budget["rule"])
    if allowance is None:
        return None
    rule: Rule = rule_of(budget["rule"])
    return Meter(allowance, rule.capacity(allowance.each), allowance.at(budget["opened"], FIRST))


@dataclass
class Recount:
    """A meter that recomputes the lines of a chain, one after the other."""

    meter: Meter | None
    used: dict[int, Amount] = field(default_factory=dict)
    begun: dict[str, str] = field(default_factory=dict)  # the period of each request

    @property
    def apart(self) -> bool:
        """Whether each period is a budget of its own, so that no sum over periods has to fit."""
        return self.meter is not None and self.meter.allowance.apart

    def fits(self, line: Line) -> bool:
        """Return whether a line counts in the right period and within what the period allows; count it."""
        if self.meter is None or line["kind"] not in COUNTING:
            return True
        request = str(line["request"])
        opens = line["kind"] in ("reserve", "charge") and request not in self.begun
        label = str(line["note"]) if opens else self.begun.get(request, "")
        try:
            at = self.meter.allowance.period(label)
        except ValueError:
            return False
        if label != line["note"] or (opens and not self._follows(line, at)):
            return False
        self.begun[request] = label
        if line["kind"] == "expire":
            del self.begun[request]
        self.used[at] = self.used.get(at, Amount()) + amount_of(line)
        return not opens or Amount().fits_in(self.meter.left(self.used, at))

    def _follows(self, line: Line, at: int) -> bool:
        """Return whether a period is that of the line's time, or the newest one; the wave is not checked here."""
        assert self.meter is not None
        if self.apart:
            return at >= FIRST and line["note"] == self.meter.allowance.label(at)
        newest = self.meter.current(self.used, line["time"], FIRST)
        return at >= newest if self.meter.allowance.span == WAVE else at == newest


def strays(waves: Sequence[tuple[int, int]], numbers: Mapping[str, int], lines: Iterable[Line]) -> Iterator[int]:
    """Yield the requests that count in another wave than that of their rows, where each wave had its own budget.

    `waves` lists the wave of every version of the rows, with the first request that the version answers; `numbers` maps
    requests to their numbers.
    """
    for line in lines:
        number = numbers.get(line["request"])
        if number is not None and line["kind"] in COUNTING:
            wave = [wave for since, wave in waves if since <= number][-1]
            if line["note"] != f"{WAVE} {wave}":
                yield number
