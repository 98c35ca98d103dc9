"""The j-th largest and the j-th smallest row, with the maximum and the minimum."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from discreet.budget.cost import take_numbers
from discreet.budget.errors import ParameterError
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column
from discreet.queries.gaps import MOST_RUNGS, block_gaps
from discreet.queries.query import Location

LARGEST_RANK = 2**31


@dataclass(frozen=True)
class Extreme(Location):
    """A row counted from one end.

    Accuracy: one added row can be the new maximum, so A(0) >= u - x_n, and the scale of the noise for the maximum or
    the minimum is never below the gap between the data and the bound. Unless the bound is tight the answer is
    inaccurate: use a high quantile instead.

    Let e_i be the distance of the i-th row from this end to the bound (e_0 = 0, the width past the
    last row). Add/remove: A(k) is the maximum of e_{j+k+1} - e_j and, over 0 <= t <= min(k, j-1),
    of e_{j+k-2t} - e_{j-1-t}.
    Proof: a row more or less moves f across a gap with c = j or j - 1 rows between it and the
    bound. A gap (e_p, e_q) is made by removing the q - p - 1 rows inside and bringing the p rows
    outside to c. For p >= c that costs q - 1 - c whatever p is, so p = c; for p = c - t it costs
    q - 1 - c + 2t, and c = j with t + 1 lies inside c = j - 1 with t.
    Change-one: the block of one row of queries.gaps.
    """

    j: int = 1

    def __post_init__(self) -> None:
        """Raise ParameterError for a rank that no row can have."""
        take_numbers(self)
        most = min(self.relation.size or LARGEST_RANK, LARGEST_RANK)
        if isinstance(self.j, bool) or not isinstance(self.j, int) or not 1 <= self.j <= most:
            raise ParameterError(
                "The rank must be a whole number between 1 and {most}. Got {j!r}.", most=most, j=self.j
            )

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return the whole width."""
        return bounds.width

    def _depths(self, column: Column, first: int, last: int) -> IntArray:
        raise NotImplementedError

    def _rank(self, size: int) -> int:
        raise NotImplementedError

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the exact A(k) (the whole width beyond 2^14 rungs)."""
        size = self.relation.size
        if size:
            rank = self._rank(size)
            return column.bounds.distance(block_gaps(column, rank, rank, k, size))
        rungs = np.full(k.shape, column.bounds.top, dtype=np.int64)
        inner = k < MOST_RUNGS
        if np.any(inner):
            rungs[inner] = self._widest(column, k[inner])
        return column.bounds.distance(rungs)

    def _widest(self, column: Column, k: IntArray) -> IntArray:
        reach = int(k.max())
        base = max(0, self.j - 1 - reach)
        depth = self._depths(column, base, self.j + reach + 1)
        own = self.j - base
        gap = depth[own + k + 1] - depth[own]
        moves = min(reach, self.j - 1) + 1
        if moves <= k.size:  # the shorter of the two loops: over rows that move, or over rungs
            for t in range(moves):
                there = k >= t
                gap[there] = np.maximum(gap[there], depth[own + k[there] - 2 * t] - depth[own - 1 - t])
            return np.asarray(gap)
        near = depth[:own][::-1]
        for at, s in enumerate(k.tolist()):
            moved = min(s, self.j - 1) + 1
            gap[at] = max(gap[at], (depth[own + s :: -2][:moved] - near[:moved]).max())
        return np.asarray(gap)


@dataclass(frozen=True)
class Largest(Extreme):
    """The j-th largest row (1: the maximum), the lower bound where there are fewer than j rows."""

    name: ClassVar[str] = "largest"
    label: ClassVar[str] = "j-th largest (1: maximum)"

    def exact(self, column: Column) -> Fraction:
        """Return the j-th largest row."""
        return column.bounds.exact(int(column.order(column.n + 1 - self.j)))

    def empty(self, bounds: Bounds) -> float:
        """Return the lower bound."""
        return self.low(bounds)

    def _depths(self, column: Column, first: int, last: int) -> IntArray:
        n = column.n
        return column.bounds.top - column.window(n + 1 - last, n + 1 - first)[::-1]

    def _rank(self, size: int) -> int:
        return size + 1 - self.j


@dataclass(frozen=True)
class Smallest(Extreme):
    """The j-th smallest row (1: the minimum), the upper bound where there are fewer than j rows."""

    name: ClassVar[str] = "smallest"
    label: ClassVar[str] = "j-th smallest (1: minimum)"

    def exact(self, column: Column) -> Fraction:
        """Return the j-th smallest row."""
        return column.bounds.exact(int(column.order(self.j)))

    def empty(self, bounds: Bounds) -> float:
        """Return the upper bound."""
        return self.high(bounds)

    def _depths(self, column: Column, first: int, last: int) -> IntArray:
        return column.window(first, last)

    def _rank(self, size: int) -> int:
        return self.j
