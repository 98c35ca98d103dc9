"""The median of a column, as the middle of the two middle rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from queries.bounds import Bounds, FloatArray, IntArray
from queries.column import Column
from queries.query import Location


@dataclass(frozen=True)
class Median(Location):
    """The median (mean of the two middle rows of an even number), the middle of the bounds if none.

    Add/remove: A(k) = 1/2 max over w in {n, n+1, n+2} with w = k+1 (mod 2) of
    x_{(w+k+1)/2} - x_{(w-k-1)/2}, rows padded with the bounds on both sides.
    Proof: the local sensitivity is half the largest gap with |L - R| <= 1 rows on its sides; a gap
    (x_i, x_j) is made by deleting the j-i-1 rows inside it and adding on the short side, and for
    i + j <= n the cost n-1-2i does not depend on j, so j goes to n - i; the other side likewise.
    Change-one (n public, even, n = 2h): A(k) = 1/2 max over 1 <= t <= k+2 of
    x_{h+t} - x_{h+t-k-2}; odd, n = 2h-1: max over 0 <= t <= k+1 of x_{h+t} - x_{h+t-k-1}
    (Nissim, Raskhodnikova and Smith 2007).
    """

    name: ClassVar[str] = "median"
    label: ClassVar[str] = "Median"

    def value(self, column: Column) -> float:
        """Return the middle of the two middle rows."""
        n = column.n
        if not n:
            return self.empty(column.bounds)
        low, high = column.order([(n + 1) // 2, n // 2 + 1])
        return float(column.bounds.value((int(low) + int(high)) / 2))

    def empty(self, bounds: Bounds) -> float:
        """Return the middle of the bounds."""
        return float(bounds.value(bounds.top / 2))

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return R/2; R for change-one with an odd public size."""
        return bounds.width / (1 if self.relation.size and self.relation.size % 2 else 2)

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the exact A(k)."""
        step = column.bounds.resolution
        if self.relation.size:
            return step * self._changed(column, k, self.relation.size)
        w = column.n + (column.n + k + 1) % 2
        gap = column.order((w + k + 1) // 2) - column.order((w - k - 1) // 2)
        even = w == column.n
        wider = column.order((w + k + 3) // 2) - column.order((w - k + 1) // 2)
        return np.asarray(step * np.where(even, np.maximum(gap, wider), gap) / 2)

    def _changed(self, column: Column, k: IntArray, size: int) -> FloatArray:
        odd, middle = size % 2, (size + 1) // 2
        reach = int(k.max(initial=0)) + 2
        rows = column.window(middle - reach, middle + reach)
        widths = k + (1 if odd else 2)
        gaps = [np.max((rows[w:] - rows[:-w])[reach - w + (1 - odd) : reach + 1]) for w in widths]
        return np.asarray(gaps, dtype=np.float64) / (1 if odd else 2)

    def person_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the smaller of the sum of rungs and 2 A(km + m - 1)."""
        rungs = super().person_ladder(column, k)
        m = self.relation.rows
        if self.relation.size:
            return rungs
        return np.minimum(rungs, 2 * self.row_ladder(column, k * m + m - 1))
