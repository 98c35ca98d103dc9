"""Quantity: a column whose cells are brought to the ticks of a public grid."""

from __future__ import annotations

import sys
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import DENSE, READ
from discreet.rows.cells import Mask
from discreet.rows.columns.kind import Kind, Value

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

    Where `zero` is not nothing of them, as with days, sums and ratios of values say nothing, and
    a value is told as it is `shown`.
    """

    askable: ClassVar[bool] = True
    zero: ClassVar[bool] = True
    spelling: ClassVar[Phrase | None] = None  # what to look at where cells cannot be read

    @property
    @abstractmethod
    def bounds(self) -> Bounds:
        """The grid of ticks of this column."""

    @abstractmethod
    def ticks(self, cells: Any) -> tuple[IntArray, Mask]:
        """Return the tick of each cell, and which rows have one."""

    def readings(self, cells: Any) -> IntArray:
        """Return how each cell is read."""
        return np.where(self.ticks(cells)[1], READ, -1)

    def shown(self, value: float) -> str:
        """Return what a value, or a point between two, is called."""
        return f"{value:.15g}"

    def number(self, value: Value) -> float | None:
        """Return what a filter compares with as a number; None where it is none."""
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    @property
    def steps(self) -> int:
        """Steps are counted one by one where they are few; else only those that rows stand on."""
        return self.bounds.top + 1 if self.bounds.top < DENSE else 0

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Say how cells are brought to the grid."""
        bounds = self.bounds
        moved = Phrase(
            "{column} moved into {low:.15g} to {high:.15g}, in steps of {step:.6g}",
            column=column,
            low=bounds.lower,
            high=bounds.upper,
            step=bounds.resolution,
        )
        return moved, self.missing_as_read(column)

    def missing_as_read(self, column: str) -> Phrase:
        """Say what becomes of rows without a value."""
        return Phrase("rows without {column} left out", column=column)

    def check(self, column: str, comparison: str, value: Value) -> None:
        """Refuse what is no number."""
        number = self.number(value)
        if number is None:
            raise ParameterError("Column {column!r} compares with a number.", column=column)
        if comparison not in COMPARED or not abs(number) <= LARGEST:
            raise ParameterError("Column {column!r} compares with one finite number.", column=column)

    def passes(self, cells: Any, comparison: str, value: Value) -> Mask:
        """Compare cells as they are on the grid; a cell without a value does not pass."""
        number, (ticks, there) = self.number(value), self.ticks(cells)
        assert number is not None
        return there & self.compared(self.bounds.value(ticks), comparison, number)

    def compared(self, values: FloatArray, comparison: str, number: float) -> Mask:
        """Compare values on the grid, with a number that is brought to the grid as cells are."""
        bounds = self.bounds
        if not bounds.integer and bounds.lower <= number <= bounds.upper:
            number = bounds.value(bounds.ticks(np.array([number])))[0]
        return np.asarray(COMPARED[comparison](values, number))


class Bounded(Quantity):
    """A quantity between bounds that somebody knows from a public source, its `origin`."""

    origin: str

    def from_source(self, origin: str) -> Self:
        """Return the same with the public source of its bounds."""
        return replace(self, origin=origin)  # type: ignore[call-arg]

    @property
    def sourced(self) -> bool:
        """Whether it is said from what public source the bounds are."""
        return bool(self.origin.strip())
