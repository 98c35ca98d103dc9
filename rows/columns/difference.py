"""Difference: one declared column minus another of the same row: numbers, or dates in whole units."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import Bounds, IntArray
from discreet.rows.calendar import GRAINS, LENGTHS
from discreet.rows.columns.date import LETTERS, UNITS, Date
from discreet.rows.columns.derivation import Exact, OfTwo, floored, form_of, reduced
from discreet.rows.columns.kind import DATES

MONTHS = {"month": 1, "year": 12}


@dataclass(frozen=True)
class Difference(OfTwo):
    """The column `of` minus the column `minus`, clipped to bounds of its own.

    Of two dates it is the number of whole units (`grain`) from the second to the first: days of a stay, or completed
    years of age. Bounds that are not declared are those that the bounds of both columns make possible.
    """

    name: ClassVar[str] = "difference"
    second: ClassVar[str] = "minus"

    minus: str
    lower: float | None = None
    upper: float | None = None
    step: float | None = None
    grain: str = ""
    origin: str = ""

    @property
    def sourced(self) -> bool:
        """Whether the public source of declared bounds is given; bounds that follow need none."""
        return (self.lower is None and self.upper is None) or super().sourced

    @property
    def unit(self) -> str:
        """The unit of both columns, or that in which dates are apart."""
        if self._dates:
            return UNITS[self._grain]
        units = {source.unit for source in self.sources}
        return units.pop() if len(units) == 1 else ""

    @property
    def _dates(self) -> tuple[Date, ...]:
        return tuple(cast(Date, source) for source in self.sources if source.amounts == DATES)

    @property
    def _grain(self) -> str:
        """The unit in which dates are apart: as declared, or the longer one of both columns."""
        return self.grain or max((date.grain for date in self._dates), key=GRAINS.index)

    def check_sources(self) -> None:
        """Raise ParameterError for columns of two kinds, and for units in which they cannot be apart."""
        dates = self._dates
        if len(dates) == 1:
            raise ParameterError("A difference needs two numbers or two dates, not one of each.")
        if self.grain and (not dates or self.grain not in GRAINS):
            raise ParameterError(
                "The unit of a difference is for dates only, and one of {choices}.", choices=", ".join(GRAINS)
            )
        if dates and len({date.zone for date in dates}) > 1:
            raise ParameterError("Both dates must have the same time zone.")
        for date in dates:
            if GRAINS.index(date.grain) > GRAINS.index(self._grain):
                raise ParameterError(
                    "These dates are counted in {unit}, which are too long for this. Choose a longer unit.",
                    unit=date.unit,
                )
        super().check_sources()

    @cached_property
    def bounds(self) -> Bounds:
        """The grid: declared, or all that the bounds of both columns make possible."""
        (low, high), whole = self._possible, self._whole
        lower = low if self.lower is None else self.lower
        upper = high if self.upper is None else self.upper
        return Bounds(lower, upper, self.step, whole) if whole else Bounds(float(lower), float(upper), self.step)

    @property
    def _whole(self) -> bool:
        """Whether differences are whole numbers: of dates, and of two columns of whole numbers."""
        return bool(self._dates) or all(grid.integer for grid in self.grids)

    @property
    def _possible(self) -> tuple[float, float]:
        one, other = self.grids
        if self._dates:
            low, high = self._units(np.array([0, one.top]), np.array([other.top, 0])).tolist()
            return low, high
        lower = Fraction(str(one.lower)) - Fraction(str(other.upper))
        upper = Fraction(str(one.upper)) - Fraction(str(other.lower))
        return (int(lower), int(upper)) if self._whole else (float(lower), float(upper))

    def combined(self, first: IntArray, second: IntArray) -> tuple[NDArray[Any], Any]:
        """Return the tick of each difference; every pair has one."""
        if self._dates:
            after = self._units(first, second)
            return (after - int(self.bounds.lower)) // int(self.bounds.resolution), True
        (a, b), grid = map(Exact.of, self.grids), Exact.of(self.bounds)
        own, other, lower, step = reduced(
            b.parts * grid.parts, a.parts * grid.parts, grid.start * a.parts * b.parts, grid.each * a.parts * b.parts
        )
        form = form_of(4 * (a.largest * own + b.largest * other + abs(lower) + step))
        above = a.values(first, form) * own - b.values(second, form) * other - lower
        return floored(above, step, halves=0 if self.bounds.integer else 1), True

    def _units(self, first: IntArray, second: IntArray) -> IntArray:
        """Return how many whole units each first date is after the second one."""
        one, other = self._dates
        fine = min(one.grain, other.grain, key=GRAINS.index)
        if self._grain in LENGTHS:
            here, there = (
                date.places(ticks) * (LENGTHS[date.grain] // LENGTHS[fine])
                for date, ticks in ((one, first), (other, second))
            )
            return (here - there) // (LENGTHS[self._grain] // LENGTHS[fine])
        month, rest = _in_months(one.places(first), one.grain, fine)
        start, begun = _in_months(other.places(second), other.grain, fine)
        return (month - start - (rest < begun)) // MONTHS[self._grain]

    def meaning(self, column: str, first: str, second: str) -> Phrase:
        """Say what is subtracted, and in which unit dates are apart."""
        if not self._dates:
            return Phrase("{column} is {first} minus {second}", column=column, first=first, second=second)
        return Phrase(
            "{column} is the number of whole {unit} from {second} to {first}",
            column=column,
            unit=self.unit,
            first=first,
            second=second,
        )


def _in_months(places: IntArray, grain: str, fine: str) -> tuple[IntArray, IntArray]:
    """Return the month of each date since 1970, and how many finer units of it have passed."""
    moments = places.astype(f"datetime64[{LETTERS[grain]}]")
    months = moments.astype("datetime64[M]")
    passed = (each.astype(f"datetime64[{LETTERS[fine]}]").astype(np.int64) for each in (moments, months))
    return months.astype(np.int64), np.subtract(*passed)
