"""Periods: what a ledger's allowance leaves in the period of a moment, from the lines that are written.

A line says in which period it counts: in that of the request's first line, so that what comes back comes
back there. A clock that goes back opens no period again: the newest one on the ledger goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from discreet.budget.allowance import FIRST, WAVE, Allowance, allowance_of, smaller
from discreet.budget.durable import tables
from discreet.budget.durable.written import Told, amount_of
from discreet.budget.rules import Amount, Rule, rule_of

COUNTING = ("reserve", "charge", "settle", "expire")


class Space(NamedTuple):
    """What fits at a moment, what is used, and in which period it counts; no period where there is no allowance."""

    room: Amount
    total: Amount  # used of the budget: of this wave alone where waves stand apart
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
        """Return the period in which a new line counts: never one before the newest.

        Waves that stand apart have no order: an answer counts in the wave of the rows that it is of.
        """
        return max(self.first, *(() if self.allowance.apart else used), self.allowance.at(time, wave))

    def space(self, connection: Connection, budget: str, whole: Space, time: str, wave: int) -> Space:
        """Return what fits in this period, of which no more than of the whole budget, if that is one."""
        used = self._used(connection, budget)
        at = self.current(used, time, wave)
        left, here, label = self.left(used, at), used.get(at, Amount()), self.allowance.label(at)
        if self.allowance.apart:
            return Space(left, here, label, here)
        return Space(smaller(whole.room, left), whole.total, label, here)

    def _used(self, connection: Connection, budget: str) -> dict[int, Amount]:
        """Add up what counts in each period."""
        c = tables.lines.c
        query = select(c.note, func.sum(c.loss), func.sum(c.loss_delta)).group_by(c.note)
        mine = query.where(c.budget == budget, c.kind.in_(COUNTING))
        rows = connection.execute(mine).all()
        return {self.allowance.period(note): Amount(int(loss), int(delta)) for note, loss, delta in rows}


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
