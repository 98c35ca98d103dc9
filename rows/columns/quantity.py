"""Quantity: a column whose cells are rounded to the ticks of a public grid."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import DENSE, READ
from discreet.rows.cells import Mask
from discreet.rows.columns.bands import Cuts, Edge, cuts_of, usual_width
from discreet.rows.columns.kind import NUMBERS, Kind, Value

LARGEST = sys.float_info.max
COMPARED = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


@dataclass(frozen=True)
class Quantity(Kind):
    """Cells that are numbers, or are counted like numbers.

    If `zero` is False, as for dates, the number zero does not mean "none": sums and ratios of values are meaningless,
    and values are displayed by `shown`.
    """

    askable: ClassVar[bool] = True
    zero: ClassVar[bool] = True
    amounts: ClassVar[str] = NUMBERS
    spelling: ClassVar[Phrase | None] = None  # what to check if cells cannot be parsed

    @property
    @abstractmethod
    def bounds(self) -> Bounds:
        """The grid of ticks of this column."""

    @abstractmethod
    def ticks(self, cells: Any) -> tuple[IntArray, Mask]:
        """Return the tick of each cell, and which rows have one."""

    def placed(self, cells: Any) -> tuple[IntArray, Mask]:
        """Return the tick of each cell, and which rows have one."""
        return self.ticks(cells)

    def readings(self, cells: Any) -> IntArray:
        """Return how each cell is read."""
        return np.where(self.ticks(cells)[1], READ, -1)

    def cuts(self, edges: Sequence[Edge], every: Edge | None) -> Cuts:
        """Return the bands that edges or a width make; raise ParameterError for what makes none."""
        return cuts_of(self.bounds, edges, every)

    @property
    def usual(self) -> Edge | None:
        """The width of bands that is proposed, from the declaration alone; None where there can be no bands."""
        width = usual_width(self.bounds)
        return width if self.has_bands(width) else None

    def has_bands(self, every: Edge) -> bool:
        """Return whether a width makes bands."""
        try:
            return bool(self.cuts((), every))
        except ParameterError:
            return False

    def shown(self, value: float) -> str:
        """Return a value, or a point between two, as it is displayed."""
        return f"{value:.15g}"

    def number(self, value: Value) -> float | None:
        """Return the right side of a comparison as a number; None if it is not one."""
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    @property
    def steps(self) -> int:
        """The number of ticks if each of them is counted; 0 if only those that occur are."""
        return self.bounds.top + 1 if self.bounds.top < DENSE else 0

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Describe how cells are rounded to the grid."""
        bounds = self.bounds
        moved = Phrase(
            "{column} clipped to {low:.15g} to {high:.15g}, in steps of {step:.6g}",
            column=column,
            low=bounds.lower,
            high=bounds.upper,
            step=bounds.resolution,
        )
        return moved, self.missing_as_read(column)

    def missing_as_read(self, column: str) -> Phrase:
        """Describe what happens to rows without a value."""
        return Phrase("rows without {column} dropped", column=column)

    def check(self, column: str, comparison: str, value: Value) -> None:
        """Raise ParameterError for a value that is not a number."""
        number = self.number(value)
        if number is None:
            raise ParameterError("Column {column!r} can be compared only with a number.", column=column)
        if comparison not in COMPARED or not abs(number) <= LARGEST:
            raise ParameterError("Column {column!r} can be compared only with one finite number.", column=column)

    def passes(self, cells: Any, comparison: str, value: Value) -> Mask:
        """Compare cells as rounded to the grid; a cell without a value does not pass."""
        ticks, there = self.ticks(cells)
        return there & self.met(ticks, comparison, value)

    def met(self, places: IntArray, comparison: str, value: Value) -> Mask:
        """Compare ticks with a number."""
        number = self.number(value)
        assert number is not None
        return self.compared(self.bounds.value(places), comparison, number)

    def evenly(self, values: Sequence[Value]) -> tuple[IntArray, FloatArray]:
        """Return the first tick of each stretch of ticks that compare alike, and its part of all ticks."""
        numbers = [number for value in values if (number := self.number(value)) is not None]
        near = self.bounds.ticks(np.array(numbers, np.float64))[:, None] + np.arange(-1, 3)  # it may lie between two
        first = np.unique(np.append(np.clip(near, 0, self.bounds.top), 0))
        return first, np.diff(first, append=self.bounds.top + 1) / (self.bounds.top + 1)

    def compared(self, values: FloatArray, comparison: str, number: float) -> Mask:
        """Compare values on the grid with a number that is rounded to the grid as cells are."""
        bounds = self.bounds
        if not bounds.integer and bounds.lower <= number <= bounds.upper:
            number = bounds.value(bounds.ticks(np.array([number])))[0]
        return np.asarray(COMPARED[comparison](values, number))


class Bounded(Quantity):
    """A quantity between bounds that are known from a public source, its `origin`."""

    origin: str

    def from_source(self, origin: str) -> Self:
        """Return the declaration with the public source of its bounds."""
        return replace(self, origin=origin)  # type: ignore[call-arg]

    @property
    def sourced(self) -> bool:
        """Whether the public source of the bounds is given."""
        return bool(self.origin.strip())
