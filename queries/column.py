"""Column: the private values of one column as sorted ticks with counts and prefix sums."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.ladders import Ladders

DENSE = 2**22  # up to so many ticks a histogram beats a sort
HALF = 2**16
MANY = 2**32  # from so many rows on, sums of squares below 2^32 need more than 64 bits


def exact_squares(ticks: IntArray, counts: IntArray | None = None) -> int:
    """Return the exact sum of squares of integers up to 2^31, each standing for `counts` rows."""
    weights = np.ones_like(ticks) if counts is None else counts
    size = int(np.abs(ticks).max(initial=0))
    if int(weights.sum()) * size**2 < 2**63:
        return int(np.dot(weights, ticks * ticks))
    high, low = np.divmod(np.abs(ticks), HALF)
    kind = np.uint64 if int(weights.sum()) < MANY else object
    lows = np.dot(weights.astype(kind), (low * low).astype(kind))
    crossed = int(np.dot(weights, high * low))
    return int(np.dot(weights, high * high)) * HALF**2 + 2 * crossed * HALF + int(lows)


@dataclass(frozen=True, eq=False)
class Column:
    """Distinct ticks in ascending order and how many rows stand on each.

    Every statistic starts here: order statistics by position, sums of the j smallest. All are exact
    integers, so the order of rows cannot matter and every engine gives the same bits. Private.
    """

    bounds: Bounds
    levels: IntArray = field(repr=False)
    counts: IntArray = field(repr=False)
    ends: IntArray = field(init=False, repr=False)  # how many rows stand on each level or below
    sums: IntArray = field(init=False, repr=False)  # of the ticks of all rows below each level, and the total

    def __post_init__(self) -> None:
        """Add up once, so that a law only looks up."""
        object.__setattr__(self, "ends", np.cumsum(self.counts))
        object.__setattr__(self, "sums", np.concatenate(([0], np.cumsum(self.counts * self.levels))))

    @classmethod
    def from_counts(cls, bounds: Bounds, counts: NDArray[Any]) -> Column:
        """Make a column of a dense histogram: counts[t] rows stand on tick t."""
        occupied = np.flatnonzero(counts)
        return cls(bounds, occupied, np.asarray(counts, dtype=np.int64)[occupied])

    @classmethod
    def from_ticks(cls, bounds: Bounds, ticks: NDArray[Any]) -> Column:
        """Make a column of ticks in any order."""
        if bounds.top < DENSE:
            return cls.from_counts(bounds, np.bincount(ticks, minlength=1))
        levels, counts = np.unique(ticks, return_counts=True)
        return cls(bounds, levels.astype(np.int64), counts.astype(np.int64))

    @classmethod
    def from_pairs(cls, bounds: Bounds, levels: IntArray, counts: IntArray) -> Column:
        """Make a column of ticks, each with how many rows stand on it; a tick may come again."""
        if (levels[1:] > levels[:-1]).all() and (counts > 0).all():  # in order already
            return cls(bounds, levels, counts)
        distinct, place = np.unique(levels, return_inverse=True)
        rows = np.zeros(distinct.size, dtype=np.int64)
        np.add.at(rows, place, counts)
        return cls(bounds, distinct[rows > 0], rows[rows > 0])

    @classmethod
    def from_values(cls, bounds: Bounds, values: Any) -> Column:
        """Make a column of plain numbers without missing ones."""
        return cls.from_ticks(bounds, bounds.ticks(np.asarray(values)))

    @property
    def n(self) -> int:
        """How many rows there are (private under add/remove)."""
        return int(self.ends[-1]) if self.ends.size else 0

    @property
    def total(self) -> int:
        """Sum of all ticks."""
        return int(self.sums[-1])

    @cached_property
    def squares(self) -> int:
        """Sum of the squares of all ticks, exact at any size."""
        middle = self.bounds.top // 2
        around = exact_squares(self.levels - middle, self.counts)
        return around + 2 * middle * self.total - self.n * middle**2

    @cached_property
    def ladders(self) -> Ladders:
        """What was computed of its ladders so far: they follow from the rows alone, like the sums."""
        return Ladders()

    def order(self, positions: Any) -> IntArray:
        """Order statistics x_j for any positions: 0 below the first row, top above the last."""
        j = np.asarray(positions, dtype=np.int64)
        if not self.n:
            return np.where(j < 1, 0, self.bounds.top)
        ticks = self.levels[np.searchsorted(self.ends, np.minimum(np.maximum(j, 1), self.n))]
        return np.where(j < 1, 0, np.where(j > self.n, self.bounds.top, ticks))

    def window(self, first: int, last: int) -> IntArray:
        """Order statistics x_first to x_last, both included, padded like `order`."""
        size = max(0, last - first + 1)
        low, high = max(first, 1), min(last, self.n)
        if low > high:
            return self.order(np.arange(first, first + size))
        cell, final = np.searchsorted(self.ends, (low, high))
        repeats = self.counts[cell : final + 1].copy()
        repeats[0] = self.ends[cell] - low + 1
        repeats[-1] -= self.ends[final] - high
        if cell == final:
            repeats[0] = high - low + 1
        body = np.repeat(self.levels[cell : final + 1], repeats)
        return np.concatenate((np.zeros(low - first, np.int64), body, np.full(last - high, self.bounds.top)))

    def prefix(self, positions: Any) -> IntArray:
        """Sum of the j smallest ticks for any j (none below 1, all of them above n)."""
        j = np.minimum(np.maximum(np.asarray(positions, dtype=np.int64), 0), self.n)
        if not self.n:
            return np.zeros_like(j)
        cell = np.searchsorted(self.ends, j)
        below = self.ends[cell] - self.counts[cell]
        return np.asarray(self.sums[cell] + (j - below) * self.levels[cell])

    def values(self) -> FloatArray:
        """Every row in the column's own unit, ascending: for figures on open data."""
        return np.asarray(np.repeat(self.bounds.value(self.levels), self.counts), dtype=np.float64)
