"""Quantiles of a column, as one of its rows, and the lower median."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from discreet.budget.errors import Phrase
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column
from discreet.queries.gaps import MOST_RUNGS, block_gaps
from discreet.queries.query import Location, exact_share


@dataclass(frozen=True)
class Quantile(Location):
    """The row at rank j(n) = ceil(q n), at least 1 (the inverse of the empirical distribution).

    q is an exact fraction, read from decimal text ("0.9"), so that ranks are integers. On no rows:
    the lower bound if q <= 1/2, else the upper one, which is rank j(0) = 0 or 1 of padded rows.
    Add/remove: one row more or less moves f across a gap with p rows to its left, p = j(N+1) - 1 or
    p = j(N-1) in a state of N rows, and A(k) is the widest gap that k steps can make: r rows inside
    it are removed and a = k - r are added beside it, so N = n - k + 2a. Removing a row outside is
    no better than removing the neighbour of the gap. Adding on both sides is no better than the
    same with N - 2 rows, as p(N) - p(N-2) is 0 or 1 for q <= 1/2 (1 or 2 above): either the same
    gap costs two steps less, or one more row inside goes at the same cost. On one side: for
    q <= 1/2 the gaps made by adding on the right lie inside the one for a = 0, so what remains is
    A(k) = max over a <= k and both p of x_{p(N)+n+1-N} - x_{p(N)-a}; above 1/2 the mirror image,
    x_{p(N)+k+1-a} - x_{p(N)}. From k = n on, it is the whole width.
    Change-one: the block of the one row j(n) of queries.gaps. O(k) a rung.
    """

    name: ClassVar[str] = "quantile"
    label: ClassVar[str] = "Quantile"
    q: Fraction | str | float = Fraction(1, 2)

    def __post_init__(self) -> None:
        """Parse q exactly; raise ParameterError if it is not a share."""
        object.__setattr__(self, "q", exact_share(self.q, "Quantile"))

    @property
    def share(self) -> Fraction:
        """The q in use."""
        return Fraction(self.q)

    @property
    def level(self) -> float:
        """The q in use, as a number."""
        return float(self.share)

    @property
    def words(self) -> Phrase:
        """The name in tables: in the middle a median, which of two middle rows is the lower one."""
        return Phrase("Median") if self.share == Fraction(1, 2) else super().words

    def rank(self, size: Any) -> IntArray:
        """Return j(n) for any n >= 0."""
        n = np.asarray(size, dtype=np.int64)
        q = self.share
        rank = np.maximum(1, -((-q.numerator * n) // q.denominator))
        return np.where(n > 0, rank, int(q > Fraction(1, 2)))

    def exact(self, column: Column) -> Fraction:
        """Return the row at rank j(n)."""
        return column.bounds.exact(int(column.order(self.rank(column.n))))

    def empty(self, bounds: Bounds) -> float:
        """Return the lower bound, or the upper one for q above 1/2."""
        return self.high(bounds) if self.share > Fraction(1, 2) else self.low(bounds)

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return the whole width."""
        return bounds.width

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the exact A(k) (the whole width beyond 2^14 rungs)."""
        if self.relation.size:
            rank = int(self.rank(self.relation.size))
            gaps = block_gaps(column, rank, rank, k, self.relation.size)
            return column.bounds.distance(gaps)
        rungs = np.full(k.shape, column.bounds.top, dtype=np.int64)
        inner = k < min(column.n, MOST_RUNGS)
        if np.any(inner):
            rungs[inner] = self._widest(column, k[inner])
        return column.bounds.distance(rungs)

    def _widest(self, column: Column, k: IntArray) -> IntArray:
        n = column.n
        reach = int(k.max())
        states = np.arange(n - reach, n + reach + 1)
        lefts = np.stack((self.rank(states + 1) - 1, self.rank(states - 1)))
        base = int(lefts.min()) - reach
        rows = column.window(base, int(lefts.max()) + reach + 1)
        added = self._added_right if self.share > Fraction(1, 2) else self._added_left
        return added(rows, lefts - base, k, reach)

    def _added_left(self, rows: IntArray, lefts: IntArray, k: IntArray, reach: int) -> IntArray:
        right = rows[lefts + np.arange(reach + 1, -reach, -1)]
        added = np.arange(reach + 1)
        rungs = np.empty_like(k)
        for at, s in enumerate(k.tolist()):
            every = slice(reach - s, reach + s + 1, 2)
            left = rows[lefts[:, every] - added[: s + 1]]
            rungs[at] = np.max(right[:, every] - left)
        return rungs

    def _added_right(self, rows: IntArray, lefts: IntArray, k: IntArray, reach: int) -> IntArray:
        left = rows[lefts]
        removed = np.arange(reach + 1, 0, -1)
        rungs = np.empty_like(k)
        for at, s in enumerate(k.tolist()):
            every = slice(reach - s, reach + s + 1, 2)
            right = rows[lefts[:, every] + removed[reach - s :]]
            rungs[at] = np.max(right - left[:, every])
        return rungs


@dataclass(frozen=True)
class LowerMedian(Location):
    """The row at rank ceil(n/2), the lower bound where there are no rows.

    It is the quantile 1/2, whose two gaps are nested in one: with i = ceil((n - 1 - k) / 2),
    add/remove: A(k) = x_{i+k+1} - x_i, O(1). Change-one: the block of one row of queries.gaps.
    """

    name: ClassVar[str] = "lower-median"
    label: ClassVar[str] = "Lower median"

    def exact(self, column: Column) -> Fraction:
        """Return the lower of the two middle rows."""
        return column.bounds.exact(int(column.order((column.n + 1) // 2)))

    def empty(self, bounds: Bounds) -> float:
        """Return the lower bound."""
        return self.low(bounds)

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return the whole width."""
        return bounds.width

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the exact A(k)."""
        if self.relation.size:
            rank = (self.relation.size + 1) // 2
            gaps = block_gaps(column, rank, rank, k, self.relation.size)
        else:
            i = -((k + 1 - column.n) // 2)
            gaps = column.order(i + k + 1) - column.order(i)
        return column.bounds.distance(gaps)
