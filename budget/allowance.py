"""Allowance: how much of a budget may be spent in each period, and what is carried over; fixed when it is opened.

The whole budget still bounds all releases together. An allowance limits only how fast it is spent: a period is a month,
a quarter or a year of the ledger's clock, or a wave, which begins with new rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from discreet.budget.cost import Cost
from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.rules.rule import BESIDE, Amount

WAVE = "wave"
FIRST = 1
APART = "apart"
MONTHS = {"month": 1, "quarter": 3, "year": 12}  # calendar months in each period
SPANS = {"month": Phrase("month"), "quarter": Phrase("quarter"), "year": Phrase("year"), WAVE: Phrase("wave")}
MOST_CARRIED = 120


@dataclass(frozen=True)
class Allowance:
    """What may be spent in one period, and from how many earlier periods unspent budget is carried over at most.

    `apart` occurs on ledgers of earlier versions, in which each wave was a budget of its own. They are verified, and
    nothing more is spent on them.
    """

    span: str
    each: Cost
    carried: int = 0
    apart: bool = False

    def __post_init__(self) -> None:
        """Raise ParameterError for an unknown period, an invalid number of carried periods, or an empty allowance."""
        apart = self.apart and (self.span != WAVE or self.carried > 0)
        if self.span not in SPANS or not 0 <= self.carried <= MOST_CARRIED or apart:
            raise ParameterError(
                "Choose a period from the list, and carry over from 0 to {most} periods.", most=MOST_CARRIED
            )
        if self.each.nano_epsilon == 0:
            raise ParameterError("A period needs an ε above 0.")

    @property
    def written(self) -> str:
        """The text that a ledger stores, after its rule."""
        apart = f" {APART}" if self.apart else ""
        return f"{self.span} {self.each.nano_epsilon} {self.each.delta_units} {self.carried}{apart}"

    @property
    def words(self) -> Phrase:
        """The allowance as a phrase for cards."""
        each = self.each
        span = SPANS[self.span]
        if self.apart:
            return Phrase(
                "At most {each} per wave. A person in k waves has a privacy loss of at most k times that.", each=each
            )
        if not self.carried:
            return Phrase("At most {each} per {span}. Unused budget lapses.", each=each, span=span)
        return Phrase(
            "At most {each} per {span}. Unused budget is carried over, up to {carried} times that amount.",
            each=each,
            span=span,
            carried=self.carried,
        )

    def at(self, time: str, wave: int) -> int:
        """Return the number of the period of a time, or the wave itself."""
        if self.span == WAVE:
            return wave
        day = datetime.fromisoformat(time)
        return (day.year * 12 + day.month - 1) // MONTHS[self.span]

    def label(self, period: int) -> str:
        """Return the label of a period: the month in which it begins, or the number of the wave."""
        if self.span == WAVE:
            return f"{self.span} {period}"
        year, month = divmod(period * MONTHS[self.span], 12)
        return f"{self.span} {year:04d}-{month + 1:02d}"

    def period(self, label: str) -> int:
        """Parse a label."""
        word = label.removeprefix(f"{self.span} ")
        return int(word) if self.span == WAVE else self.at(f"{word}-01", 0)

    def room(self, each: Amount, used: Mapping[int, Amount], first: int, at: int) -> Amount:
        """Return what is left in a period; `each` is the allowance of one period in the units of the ledger's rule."""
        most = Amount(self.carried * each.loss, self.carried * each.delta_units)
        room = Amount()
        for period in range(first, at + 1):
            over = smaller(room, most)
            room = each + over - used.get(period, Amount())
        return room


class Metered(NamedTuple):
    """A period on a ledger: its label, what was used in it, and what is left."""

    label: str
    used: Cost
    left: Cost


def smaller(room: Amount, other: Amount) -> Amount:
    """Return the smaller loss and the smaller delta."""
    return Amount(min(room.loss, other.loss), min(room.delta_units, other.delta_units))


def allowance_of(written: str) -> Allowance | None:
    """Return the allowance that a ledger was opened with, parsed from the text after its rule, or None."""
    _, _, words = written.partition(BESIDE)
    return read(words) if words else None


def read(words: str) -> Allowance:
    """Parse the stored text of an allowance."""
    span, epsilon, delta, carried, *apart = words.split(" ")
    return Allowance(span, Cost(int(epsilon), int(delta)), int(carried), apart == [APART])
