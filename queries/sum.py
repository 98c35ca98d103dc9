"""The sum of a column."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from discreet.budget.errors import ParameterError
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column
from discreet.queries.query import Exact

LARGEST = 1e290  # 2^40 times this is still finite


@dataclass(frozen=True)
class Sum(Exact):
    """The sum of the values; 0 where there are no rows.

    Add/remove: a row adds its own value whatever the others are, so A(k) = max(|l|, |u|) for all k,
    with l and u the values of tick 0 and of the top tick (not u - l: that is change-one).
    Change-one (n public): A(0) = max(u - x_1, x_n - l), reached by the smallest or the largest row,
    and A(k) = u - l from k = 1 on, because one change may first put a row on a bound.
    """

    name: ClassVar[str] = "sum"
    additive: ClassVar[bool] = True
    zeroless: ClassVar[bool] = False
    label: ClassVar[str] = "Sum"

    def exact(self, column: Column) -> Fraction:
        """Return the sum."""
        bounds = column.bounds
        return column.n * bounds.exact(0) + column.total * Fraction(bounds.resolution)

    def empty(self, bounds: Bounds) -> float:
        """Return 0."""
        return 0.0

    def low(self, bounds: Bounds) -> float:
        """Return the sum of the `size` smallest values; of any number of rows if the size is not public."""
        least = float(bounds.value(0))
        if self.relation.size:
            return self.relation.size * least
        return -np.inf if least < 0 else 0.0

    def high(self, bounds: Bounds) -> float:
        """Return the sum of the `size` largest values; of any number of rows if the size is not public."""
        most = float(bounds.value(bounds.top))
        if self.relation.size:
            return self.relation.size * most
        return np.inf if most > 0 else 0.0

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return the largest absolute value, or u - l where n is public."""
        largest = float(max(abs(bounds.value(0)), abs(bounds.value(bounds.top))))
        if largest > LARGEST:
            raise ParameterError("A sum needs bounds between -{largest} and {largest}.", largest=LARGEST)
        return bounds.width if self.relation.change_one else largest

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the exact A(k)."""
        rungs = np.full(k.shape, self.row_sensitivity(column.bounds))
        if self.relation.change_one and column.n:
            first, last = column.order([1, column.n]).tolist()
            rungs[k == 0] = max(column.bounds.top - first, last) * column.bounds.resolution
        return rungs
