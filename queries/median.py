"""The median of a column, as the middle of the two middle rows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column
from discreet.queries.gaps import block_gaps
from discreet.queries.query import Location


@dataclass(frozen=True)
class Median(Location):
    """The median (mean of the two middle rows of an even number), the middle of the bounds if none.

    Add/remove: A(k) = 1/2 max over w in {n, n+1, n+2} with w = k+1 (mod 2) of
    x_{(w+k+1)/2} - x_{(w-k-1)/2}, rows padded with the bounds on both sides.
    Proof: the local sensitivity is half the largest gap with |L - R| <= 1 rows on its sides; a gap
    (x_i, x_j) is made by deleting the j-i-1 rows inside it and adding on the short side, and for
    i + j <= n the cost n-1-2i does not depend on j, so j goes to n - i; the other side likewise.
    Change-one (n public): the block of the one or two middle rows of queries.gaps.
    """

    name: ClassVar[str] = "median"
    label: ClassVar[str] = "Median"

    def exact(self, column: Column) -> Fraction:
        """Return the middle of the two middle rows."""
        n = column.n
        if not n:
            return column.bounds.exact(Fraction(column.bounds.top, 2))
        low, high = column.order([(n + 1) // 2, n // 2 + 1])
        return column.bounds.exact(Fraction(int(low) + int(high), 2))

    def empty(self, bounds: Bounds) -> float:
        """Return the middle of the bounds."""
        return float(bounds.value(bounds.top / 2))

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return R/2; R for change-one with an odd public size."""
        return bounds.width / (1 if self.relation.size and self.relation.size % 2 else 2)

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the exact A(k)."""
        if self.relation.size:
            return column.bounds.distance(self._changed(column, k, self.relation.size))
        w = column.n + (column.n + k + 1) % 2
        gap = column.order((w + k + 1) // 2) - column.order((w - k - 1) // 2)
        even = w == column.n
        wider = column.order((w + k + 3) // 2) - column.order((w - k + 1) // 2)
        return column.bounds.distance(np.where(even, np.maximum(gap, wider), gap)) / 2

    def _changed(self, column: Column, k: IntArray, size: int) -> FloatArray:
        first = (size + 1) // 2
        last = size // 2 + 1
        gaps = block_gaps(column, first, last, k, size)
        return np.asarray(gaps / (last - first + 1))

    def person_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the smaller of the sum of rungs and 2 A(km + m - 1).

        Proof: m rows more above, or m fewer below, move the middle up by m/2 positions; where the
        first rows end, A(m - 1) is half a gap of m positions around the middle, so half of it or
        more lies above and 2 A(m - 1) covers the move (parity by parity; padded rows included, and
        a state that loses its last row moves by R/2 at most, while its gaps reach both bounds).
        """
        rungs = super().person_ladder(column, k)
        m = self.relation.rows
        if self.relation.size:
            return rungs
        return np.minimum(rungs, 2 * self.row_ladder(column, k * m + m - 1))
