"""Ratio: one declared number divided by another of the same row, such as cost a day."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import Bounds, IntArray
from discreet.rows.columns.derivation import Exact, OfTwo, floored, form_of, reduced
from discreet.rows.columns.kind import NUMBERS


@dataclass(frozen=True)
class Ratio(OfTwo):
    """The column `of` divided by the column `by`, clipped to bounds of its own.

    A row whose divisor is read as 0 has no ratio and is left out. The divisor may itself be derived: cost by days of
    stay.
    """

    name: ClassVar[str] = "ratio"
    second: ClassVar[str] = "by"

    by: str
    lower: float
    upper: float
    step: float | None = None
    origin: str = ""

    @property
    def unit(self) -> str:
        """The units of both columns, where both are declared."""
        first, second = (source.unit for source in self.sources)
        return Phrase("{first} / {second}", first=first, second=second) if first and second and first != second else ""

    def check_sources(self) -> None:
        """Raise ParameterError for dates, of which no zero means none."""
        if not all(source.amounts == NUMBERS for source in self.sources):
            raise ParameterError("A ratio needs two columns of numbers. For dates, derive a difference first.")
        super().check_sources()

    @cached_property
    def bounds(self) -> Bounds:
        """The declared grid."""
        return Bounds(float(self.lower), float(self.upper), self.step)

    def combined(self, first: IntArray, second: IntArray) -> tuple[NDArray[Any], Any]:
        """Return the tick of each ratio, and which pairs have one: those whose divisor is not read as 0."""
        (a, b), grid = map(Exact.of, self.grids), Exact.of(self.bounds)
        own, lower, step = reduced(b.parts * grid.parts, grid.start * a.parts, grid.each * a.parts)
        form = form_of(4 * (a.largest * own + b.largest * (abs(lower) + step)))
        divisor = b.values(second, form)
        there = np.asarray(divisor != 0)
        divisor = np.where(there, divisor, 1)
        above, below = a.values(first, form) * own - divisor * lower, divisor * step
        sign = np.where(below < 0, -1, 1)
        return floored(above * sign, below * sign, halves=1), there & ~self._zero(second)

    def _zero(self, second: IntArray) -> Any:
        """Return which divisors have the tick as which a cell of 0 is read."""
        bounds = self.grids[1]
        return (second == bounds.ticks(np.zeros(1))[0]) & (bounds.lower <= 0 <= bounds.upper)

    def meaning(self, column: str, first: str, second: str) -> Phrase:
        """Say what is divided, and that there is no ratio by 0."""
        return Phrase(
            "{column} is {first} divided by {second}; rows in which {second} is 0 dropped",
            column=column,
            first=first,
            second=second,
        )
