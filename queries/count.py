"""The number of rows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from discreet.budget.errors import Phrase
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column
from discreet.queries.query import Exact


@dataclass(frozen=True)
class Count(Exact):
    """How many rows there are; 0 where there are none.

    Add/remove: every neighbour differs by exactly 1, so A(k) = 1 for all k. Change-one: the size is public, so A(k) = 0
    and no query is needed.
    """

    name: ClassVar[str] = "count"
    additive: ClassVar[bool] = True
    label: ClassVar[str] = "Count"

    def unit(self, column: str) -> str:
        """Return rows, whatever the unit of the column."""
        return Phrase("rows")

    def exact(self, column: Column) -> Fraction:
        """Return the number of rows."""
        return Fraction(column.n)

    def empty(self, bounds: Bounds) -> float:
        """Return 0."""
        return 0.0

    def low(self, bounds: Bounds) -> float:
        """Return the public size under change-one, else 0."""
        return float(self.relation.size or 0)

    def high(self, bounds: Bounds) -> float:
        """Return the public size under change-one, else infinity."""
        return float(self.relation.size or "inf")

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return 1, or 0 where the size is public."""
        return 0.0 if self.relation.change_one else 1.0

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the exact A(k), which does not depend on the data."""
        return np.full(k.shape, self.row_sensitivity(column.bounds))
