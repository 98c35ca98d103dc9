"""The interquartile range."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column
from discreet.queries.quantile import Quantile
from discreet.queries.query import Exact


@dataclass(frozen=True)
class InterquartileRange(Exact):
    """Upper quartile minus lower quartile (rows at rank ceil(3n/4) and ceil(n/4)), 0 on no rows.

    The ladder is A1 + A3, the sum of the exact ladders of the two quartiles, and at most R.
    Proof: |f(y) - f(y')| is at most the sum of the two changes, so A1(k) + A3(k) bounds A(k), and
    A(x, k) <= A(x', k+1) for neighbours holds for each and so for the sum and for the minimum with
    the constant R. What S needs is no worse than S1 + S3, as max exp(-bk)(A1 + A3) <= S1 + S3. On
    no rows f is 0 like on every single row, so that pair moves by nothing and needs no bound.
    """

    name: ClassVar[str] = "interquartile-range"
    label: ClassVar[str] = "Interquartile range"

    def _quartiles(self) -> tuple[Quantile, Quantile]:
        return (Quantile(self.relation, Fraction(1, 4)), Quantile(self.relation, Fraction(3, 4)))

    def exact(self, column: Column) -> Fraction:
        """Return the distance of the quartiles."""
        if not column.n:
            return Fraction(0)
        lower, upper = (int(column.order(part.rank(column.n))) for part in self._quartiles())
        return (upper - lower) * Fraction(column.bounds.resolution)

    def empty(self, bounds: Bounds) -> float:
        """Return 0."""
        return 0.0

    def low(self, bounds: Bounds) -> float:
        """Return 0."""
        return 0.0

    def high(self, bounds: Bounds) -> float:
        """Return the whole width."""
        return bounds.width

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return the whole width."""
        return bounds.width

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return A1(k) + A3(k), at most the width: an upper bound."""
        lower, upper = (part.row_ladder(column, k) for part in self._quartiles())
        return np.minimum(lower + upper, column.bounds.width)
