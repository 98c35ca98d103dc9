"""Periods: what a ledger's allowance leaves in the period of a moment, from the lines that are written.

A line says in which period it counts: in that of the request's first line, so that what comes back comes
back there. A clock that goes back opens no period again: the newest one on the ledger goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from discreet.budget.allowance import FIRST, WAVE, Allowance, allowance_of, smaller
from discreet.budget.cost import Cost
from discreet.budget.durable import tables
from discreet.budget.durable.written import Told, amount_of
from discreet.budget.rules import Amount, Rule, rule_of

COUNTING = ("reserve", "charge", "settle", "expire")


class Space(NamedTuple):
    """What fits at a moment, what is used, and in which period it counts; no period where there is no allowance."""

    room: Amount
    total: Amount  # used of the budget
    label: str = ""
    used: Amount = Amount()  # in this period


@dataclass(frozen=True)
class Meter:
    """The allowance of a budget, in the units of its rule, from the period in which it was opened."""

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
        """Return what fits in this period, and no more than in the whole budget; nothing fits where waves are apart."""
        if self.allowance.apart:
            return Space(Amount(), whole.total)
        used = self._used(connection, budget)
        at = self.current(used, time, wave)
        left, here, label = self.left(used, at), used.get(at, Amount()), self.allowance.label(at)
        return Space(smaller(whole.room, left), whole.total, label, here)

    def _used(self, connection: Connection, budget: str) -> dict[int, Amount]:
        """Add up what counts in each period."""
        c = tables.lines.c
        query = select(c.note, func.sum(c.loss), func.sum(c.loss_delta)).group_by(c.note)
        mine = query.where(c.budget == budget, c.kind.in_(COUNTING))
        rows = connection.execute(mine).all()
        return {self.allowance.period(note): Amount(int(loss), int(delta)) for note, loss, delta in rows}


def of_all_waves(limit: Cost, waves: int) -> Cost:
    """Return what the budgets of some waves, each with this limit, amount to for somebody who is in all of them."""
    return Cost(limit.nano_epsilon * waves, limit.delta_units * waves)


def waves_in(lines: Iterable[Told]) -> int:
    """Count the waves in which something counts, and at least one."""
    return len({line["note"] for line in lines if line["kind"] in COUNTING}) or 1


def meter_of(budget: Told) -> Meter | None:
    """Return the meter of a budget as it was opened; None where it may be spent at any time."""
    allowance = allowance_of(budget["rule"])
    if allowance is None:
        return None
    rule: Rule = rule_of(budget["rule"])
    return Meter(allowance, rule.capacity(allowance.each), allowance.at(budget["opened"], FIRST))


@dataclass
class Recount:
    """A meter that reads the lines of a chain anew, one after the other."""

    meter: Meter | None
    used: dict[int, Amount] = field(default_factory=dict)
    begun: dict[str, str] = field(default_factory=dict)  # the period of each request

    @property
    def apart(self) -> bool:
        """Whether each period is a budget of its own, so that no sum over them has to fit."""
        return self.meter is not None and self.meter.allowance.apart

    def fits(self, line: Told) -> bool:
        """Say whether a line counts where it must, and no more than the period allows."""
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

    def _follows(self, line: Told, at: int) -> bool:
        """Say whether a period is that of the line's time, or the newest one; a wave is not known here."""
        assert self.meter is not None
        if self.apart:
            return at >= FIRST and line["note"] == self.meter.allowance.label(at)
        newest = self.meter.current(self.used, line["time"], FIRST)
        return at >= newest if self.meter.allowance.span == WAVE else at == newest


def strays(waves: Sequence[tuple[int, int]], numbers: Mapping[str, int], lines: Iterable[Told]) -> Iterator[int]:
    """Yield the requests that count in another wave than that of the rows they were asked of, where waves are apart.

    `waves` are those of all versions of the rows, each with the first request that it answers; `numbers` are
    those of the requests.
    """
    for line in lines:
        number = numbers.get(line["request"])
        if number is not None and line["kind"] in COUNTING:
            wave = [wave for since, wave in waves if since <= number][-1]
            if line["note"] != f"{WAVE} {wave}":
                yield number
