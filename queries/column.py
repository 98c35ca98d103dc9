"""Column: the private values of one column as sorted ticks with counts and prefix sums."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError
from discreet.queries.bounds import Bounds, FloatArray, IntArray

# --- Ladders: the computed rungs of one column's ladders, each computed once ---

MOST = 8  # statistics of a column
MOST_BOUNDS = 512  # smooth bounds of a statistic


@dataclass
class Climbed:
    """One statistic: its rungs (NaN where not computed yet), and the smooth bounds by beta."""

    rungs: FloatArray = field(default_factory=lambda: np.zeros(0))
    bounds: dict[float, float] = field(default_factory=dict)


@dataclass
class Ladders:
    """The ladders of a column, for MOST statistics: when there are more, the cache is cleared."""

    climbed: dict[Hashable, Climbed] = field(default_factory=dict)

    def of(self, query: Hashable) -> Climbed:
        """Return the ladder of a statistic, with the rungs that are known."""
        if query not in self.climbed and len(self.climbed) >= MOST:
            self.climbed.clear()
        ladder = self.climbed.setdefault(query, Climbed())
        if len(ladder.bounds) >= MOST_BOUNDS:
            ladder.bounds.clear()
        return ladder


DENSE = 2**22  # up to this many ticks a histogram is faster than a sort
HALF = 2**16
MANY = 2**32  # from this many rows on, sums of squares below 2^32 need more than 64 bits


def exact_squares(ticks: IntArray, counts: IntArray | None = None) -> int:
    """Return the exact sum of squares of integers up to 2^31, each weighted by its number of rows in `counts`."""
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
    """Distinct ticks in ascending order and the number of rows on each.

    All statistics are computed from it: order statistics by position, sums of the j smallest. All are exact integers,
    so the order of rows has no effect and every engine gives the same bits. Private.
    """

    bounds: Bounds
    levels: IntArray = field(repr=False)
    counts: IntArray = field(repr=False)
    ends: IntArray = field(init=False, repr=False)  # number of rows on each level or below
    sums: IntArray = field(init=False, repr=False)  # sum of the ticks of all rows below each level, and the total

    def __post_init__(self) -> None:
        """Compute the sums once, so that a law only looks them up."""
        object.__setattr__(self, "ends", np.cumsum(self.counts))
        object.__setattr__(self, "sums", np.concatenate(([0], np.cumsum(self.counts * self.levels))))

    @classmethod
    def from_counts(cls, bounds: Bounds, counts: NDArray[Any]) -> Column:
        """Build a column from a dense histogram: counts[t] is the number of rows on tick t."""
        occupied = np.flatnonzero(np.asarray(counts) != 0)  # four times as fast as that of integers
        return cls(bounds, occupied, np.asarray(counts, dtype=np.int64)[occupied])

    @classmethod
    def from_ticks(cls, bounds: Bounds, ticks: NDArray[Any]) -> Column:
        """Build a column from ticks in any order."""
        if bounds.top < DENSE:
            return cls.from_counts(bounds, np.bincount(ticks, minlength=1))
        levels, counts = np.unique(ticks, return_counts=True)
        return cls(bounds, levels.astype(np.int64), counts.astype(np.int64))

    @classmethod
    def from_pairs(cls, bounds: Bounds, levels: IntArray, counts: IntArray) -> Column:
        """Build a column from ticks and the number of rows on each; a tick may occur several times."""
        if (levels[1:] > levels[:-1]).all() and (counts > 0).all():  # already sorted
            return cls(bounds, levels, counts)
        distinct, place = np.unique(levels, return_inverse=True)
        rows = np.zeros(distinct.size, dtype=np.int64)
        np.add.at(rows, place, counts)
        return cls(bounds, distinct[rows > 0], rows[rows > 0])

    @classmethod
    def from_values(cls, bounds: Bounds, values: Any) -> Column:
        """Build a column from plain numbers without missing values."""
        return cls.from_ticks(bounds, bounds.ticks(np.asarray(values)))

    @property
    def n(self) -> int:
        """The number of rows (private under add/remove)."""
        return int(self.ends[-1]) if self.ends.size else 0

    @property
    def total(self) -> int:
        """The sum of all ticks."""
        return int(self.sums[-1])

    @cached_property
    def squares(self) -> int:
        """The sum of the squares of all ticks, exact at any size."""
        middle = self.bounds.top // 2
        around = exact_squares(self.levels - middle, self.counts)
        return around + 2 * middle * self.total - self.n * middle**2

    @cached_property
    def ladders(self) -> Ladders:
        """The ladders computed so far: they depend on the rows alone, like the sums."""
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
        low = max(first, 1)
        high = min(last, self.n)
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
        """Return every row in the column's own unit, ascending: for figures on open data."""
        return np.asarray(np.repeat(self.bounds.value(self.levels), self.counts), dtype=np.float64)


# --- Pairs: the private values of two columns of the same rows, as pairs of ticks with counts ---

LIMB_BITS = 15  # products of two limbs, times fewer than 2^33 rows, fit 64 bits
LIMB = 2**LIMB_BITS
MOST_LIMBED = 2**33


def exact_products(counts: IntArray, first: IntArray, second: IntArray) -> int:
    """Return the exact sum of products of integers from 0 to 2^62, each weighted by its number of rows."""
    rows = int(counts.sum())
    if rows * int(first.max(initial=0)) * int(second.max(initial=0)) < 2**63:
        return int(np.dot(counts, first * second))
    if rows >= MOST_LIMBED:
        return int(np.sum(counts.astype(object) * first.astype(object) * second.astype(object)))
    total = 0
    for at, one in enumerate(_limbs(first)):
        weighted = counts * one
        total += sum(int(np.dot(weighted, two)) << LIMB_BITS * (at + to) for to, two in enumerate(_limbs(second)))
    return total


def _limbs(numbers: IntArray) -> list[IntArray]:
    """Return the digits of numbers in base 2^15, the lowest first."""
    limbs = []
    while numbers.any():
        limbs.append(numbers % LIMB)
        numbers = numbers // LIMB
    return limbs


@dataclass(frozen=True, eq=False)
class Pairs:
    """The distinct pairs of ticks of two columns, and the number of rows on each. Private."""

    first: Bounds
    second: Bounds
    left: IntArray = field(repr=False)
    right: IntArray = field(repr=False)
    counts: IntArray = field(repr=False)

    @classmethod
    def from_ticks(cls, first: Bounds, second: Bounds, left: Any, right: Any) -> Pairs:
        """Build pairs from the ticks of each row, in any order."""
        size = second.top + 1
        codes = np.asarray(left, np.int64) * size + np.asarray(right, np.int64)
        distinct, counts = np.unique(codes, return_counts=True)
        return cls(first, second, distinct // size, distinct % size, counts.astype(np.int64))

    @classmethod
    def answered(cls, no: Column, yes: Column) -> Pairs:
        """Build pairs of 0 for no and 1 for yes, and a number, from the numbers of either."""
        left = np.repeat(np.arange(2, dtype=np.int64), (no.levels.size, yes.levels.size))
        right, counts = (np.concatenate(sides) for sides in ((no.levels, yes.levels), (no.counts, yes.counts)))
        return cls(Bounds(0, 1, integer=True), no.bounds, left, right, counts)

    def times(self, number: int) -> Pairs:
        """Return each row so many times."""
        return Pairs(self.first, self.second, self.left, self.right, number * self.counts)

    @property
    def n(self) -> int:
        """The number of rows."""
        return int(self.counts.sum())

    def moment(self, first: int, second: int) -> int:
        """Return the exact sum of products of powers, up to squares, of the ticks of both columns."""
        return exact_products(self.counts, self.left**first, self.right**second)

    def values(self) -> FloatArray:
        """Return every row in the columns' own units, one line for each column: for figures on open data."""
        sides = (self.first.value(self.left), self.second.value(self.right))
        return np.asarray([np.repeat(side, self.counts) for side in sides], dtype=np.float64)


# --- Blocks: one estimate per secret random block of persons ---


@dataclass(frozen=True, eq=False)
class Blocks:
    """k estimates, each clipped into the public range [lower, upper]. Private.

    One person is in one block, so a neighbour changes at most one of the k numbers.
    """

    lower: float
    upper: float
    estimates: FloatArray = field(repr=False)


# --- Scores: one exact integer per declared candidate, and counts over declared bins ---


MOST_CANDIDATES = 100_000


@dataclass(frozen=True, eq=False)
class Scores:
    """The number of rows of each declared candidate. The labels are public, the counts private."""

    labels: tuple[str, ...]
    counts: IntArray = field(repr=False)

    @property
    def n(self) -> int:
        """The number of rows that were counted."""
        return int(self.counts.sum())


@dataclass(frozen=True)
class Bins:
    """Declared bins of a numeric column: bin i contains edges[i] <= value < edges[i+1].

    The last bin contains its upper edge, too; values outside all edges belong to the nearest bin, so every row is in
    exactly one and one row changes one count by one.
    """

    edges: tuple[float, ...]

    def __post_init__(self) -> None:
        """Raise ParameterError for edges that are too few, too many, or not increasing."""
        if not 2 <= len(self.edges) <= MOST_CANDIDATES + 1:
            raise ParameterError("Bins need 2 to {most_candidates} edges.", most_candidates=MOST_CANDIDATES + 1)
        if not all(np.isfinite(self.edges)) or not all(np.diff(self.edges) > 0):
            raise ParameterError("The edges of bins must be finite numbers in increasing order.")

    @classmethod
    def equal(cls, bounds: Bounds, number: int, whole: bool) -> Bins:
        """Return bins of equal width between bounds, as equal as whole units allow; fewer where there are fewer."""
        edges = np.linspace(bounds.lower, bounds.upper, min(number, bounds.top + 1) + 1)
        return cls(tuple(map(float, np.unique(np.round(edges)) if whole else edges)))

    @property
    def labels(self) -> tuple[str, ...]:
        """The public name of each bin."""
        pairs = zip(self.edges, self.edges[1:], strict=False)
        return tuple(f"{low:.15g} to {high:.15g}" for low, high in pairs)

    def scores(self, column: Column) -> Scores:
        """Count the rows of each bin."""
        values = column.bounds.value(column.levels)
        bins = np.searchsorted(np.asarray(self.edges[1:-1]), values, side="right")
        counts = np.bincount(bins, weights=column.counts, minlength=len(self.edges) - 1)
        return Scores(self.labels, counts.astype(np.int64))


READ, DOUBTFUL, GROUPED, UNREAD, MISSING = range(5)


@dataclass(frozen=True)
class HowRead:
    """How the cells of a column are read, in place of bins: each cell is exactly one of these.

    A cell is read; or read but doubtful: as another level, or as a number with exactly three digits after the decimal
    separator; or read as a number of thousands, with exactly three digits after one point or comma; or not read; or
    missing. Which one depends on the cell and the declaration of its column alone.
    """

    @property
    def labels(self) -> tuple[str, ...]:
        """The public name of each way."""
        return "read", "doubtful", "thousands", "not read", "missing"
