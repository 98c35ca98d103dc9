"""The mean of a column."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column
from discreet.queries.query import Location


@dataclass(frozen=True)
class Mean(Location):
    """The mean, and the middle of the bounds where there are no rows.

    Add/remove, N = n - k rows kept, N2 = N - 1, in ticks from 0 to R, prefix sums P: A(k) is the
    maximum of (N R - P_N)/(N(N+1)), (S - P_k)/(N(N+1)), (N2 x_n - P_N2)/(N2(N2+1)) and
    (S - P_{k+1} - N2 x_1)/(N2(N2+1)) for k <= n-2.
    Proof: a pair (s, s+v) with |s| = N moves by |v - mean(s)|/(N+1). If v is free it is 0 or R, and
    removing the row that weighs least never lowers the shift while adding one never raises it, so
    the k largest or the k smallest rows go (first two terms). If v is an original row it is the
    largest or the smallest (last two). Change-one: A(0) = max(R - x_1, x_n)/n, then R/n.
    """

    name: ClassVar[str] = "mean"
    label: ClassVar[str] = "Mean"

    def exact(self, column: Column) -> Fraction:
        """Return the mean of the rows."""
        if not column.n:
            return column.bounds.exact(Fraction(column.bounds.top, 2))
        return column.bounds.exact(Fraction(column.total, column.n))

    def empty(self, bounds: Bounds) -> float:
        """Return the middle of the bounds, which keeps the sensitivity at half the width."""
        return float(bounds.value(bounds.top / 2))

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return R/2 (reached between no row and one row), or R/n where n is public."""
        return bounds.width / (self.relation.size or 2)

    def global_sensitivity(self, bounds: Bounds) -> float:
        """Return m R/(m+1), which m rows reach beside one; with a public n the sum of m rows' moves.

        Proof: m' <= m rows beside n >= 1 others move the mean by m' |difference of means| / (n + m'), at
        most m R/(m+1); beside none, from the middle, by at most R/2, which is no more.
        """
        if self.relation.size:
            return super().global_sensitivity(bounds)
        m = self.relation.rows
        return bounds.width * m / (m + 1)

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the exact A(k)."""
        step = column.bounds.resolution
        if self.relation.size:
            return step * self._changed(column, k, self.relation.size)
        n = column.n
        top = column.bounds.top
        rungs = np.full(k.shape, top / 2)
        if n and np.any(k == n - 1):
            first, last = column.order([1, n])
            rungs[k == n - 1] = max(top - first, last, 2 * last - top, top - 2 * first) / 2
        inner = k <= n - 2
        rungs[inner] = self._removed(column, k[inner])
        return step * rungs

    def _removed(self, column: Column, k: IntArray) -> FloatArray:
        n = column.n
        top = column.bounds.top
        total = column.total
        left = n - k
        fewer = n - k - 1
        first, last = column.order([1, n])
        free = np.maximum(left * top - column.prefix(left), total - column.prefix(k))
        rows = np.maximum(fewer * last - column.prefix(fewer), total - column.prefix(k + 1) - fewer * first)
        return np.asarray(np.maximum(free / (left * (left + 1.0)), rows / (fewer * (fewer + 1.0))))

    def _changed(self, column: Column, k: IntArray, size: int) -> FloatArray:
        top = column.bounds.top
        first, last = column.order([1, max(1, column.n)])
        return np.where(k == 0, max(top - first, last), top) / size

    def person_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the exact form for m rows a person, or a bound where few rows are left.

        N = n - km rows kept, H = max(N R - P_N, S - P_km). A_m(k) is the maximum of m H/(N(N+m)),
        m new rows on a bound, and of (sum of the m largest - m P_{N-m}/(N-m))/N with its mirror
        image, m rows of x leave; for N >= max(m+1, 3m-4).
        Proof: a state T and rows V, with T within k persons, or V in x and T + V within k persons.
        As N >= 3m - 4, an added row of T is never better than one more removed: for new rows by
        H >= N R/2, for leaving rows because otherwise the move is at most m R'/(2|T|+2), R' the
        distance of mean(T) from its bound, and new rows do more. The removed rows are then the
        ones named. For a neighbour x' = x - W the pair (T, V) is T within k + 1 persons, so the
        form is monotone as a ladder must be. Elsewhere: rows move the mean by at most m R/N.
        """
        if self.relation.size:
            return super().person_ladder(column, k)
        m = self.relation.rows
        rungs = np.empty(k.shape)
        left = column.n - k * m
        many = left >= max(m + 1, 3 * m - 4)
        rungs[many] = column.bounds.distance(self._together(column, left[many]))
        most = m * column.bounds.width / np.maximum(left[~many], 1)
        rungs[~many] = np.minimum(super().person_ladder(column, k[~many]), most)
        return rungs

    def _together(self, column: Column, left: IntArray) -> FloatArray:
        n = column.n
        m = self.relation.rows
        total = column.total
        rest = left - self.relation.rows
        low = column.prefix(left)
        high = total - column.prefix(n - left)
        new = m * np.maximum(left * column.bounds.top - low, high) / (left * (left + float(m)))
        above = (total - column.prefix(n - m)) - m * (column.prefix(rest) / rest)
        below = m * ((total - column.prefix(n - rest)) / rest) - column.prefix(m)
        return np.asarray(np.maximum(new, np.maximum(above, below) / left))
