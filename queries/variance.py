"""The variance and the standard deviation of a column."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from discreet.budget.errors import ParameterError
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column, exact_squares
from discreet.queries.gaps import MOST_RUNGS
from discreet.queries.query import Exact

# --- The spread that is left of a column when K rows change: the parts of the variance's ladders ---

BLOCK = 16  # values of K at a time, so that a pass stays inside a core's cache
EXACT = 2**32  # N (top) below it: N^2 times a variance fits 62 bits


def power(column: Column) -> int:
    """Return n^2 times the variance in ticks, an exact integer."""
    return column.n * column.squares - column.total**2


def neighbours(column: Column) -> list[tuple[float, float]]:
    """Return the extreme variances of one row more and of one row less, with their exact distances."""
    n = column.n
    total = column.total
    spread = power(column)
    if not n:
        return [(0.0, 0.0)]
    nearest = (2 * total + n) // (2 * n)
    at = int(np.searchsorted(column.levels, nearest))
    rows = [*column.levels[max(0, at - 1) : at + 1].tolist(), *column.order([1, n]).tolist()]
    steps = [(1, v) for v in (0, column.bounds.top, nearest)] + [(-1, v) for v in rows if n > 1]
    changes = []
    for sign, v in steps:
        size = n + sign
        far = (n * v - total) ** 2
        then = (spread * size + sign * far) / (n * size**2)
        changes.append((then, sign * (n * far - spread * size) / (n * size) ** 2))
    return changes


def farthest(column: Column, left: IntArray, size: int) -> FloatArray:
    """Bound the distance of a row from the mean when all but `kept` of `size` rows are free.

    R - min(sum of the `kept` smallest x, sum of the `kept` smallest R - x) / size, because the free rows are at one
    bound and move the mean away from the other.
    """
    top = column.bounds.top
    mirrored = left * top - (column.total - column.prefix(column.n - left))
    return np.asarray(top - np.minimum(column.prefix(left), mirrored) / max(size, 1))


def tightest(column: Column, dropped: IntArray) -> FloatArray:
    """Return the least sum of squared deviations over n - K rows, for each K = `dropped`.

    A subset with the least is n - K consecutive rows, so it is the minimum over K + 1 windows.
    Up to a quarter of the rows dropped it is computed around the median: on both sides of it a
    window keeps a quarter of the rows, so sums lose a factor of 5 to cancellation at most. Beyond
    that integers are exact while they fit; then, and beyond 2^14, it is 0, a bound as well. These
    three ranges follow each other for a neighbour with K + 1, so the part stays monotone.
    """
    n = column.n
    top = column.bounds.top
    least = np.zeros(dropped.shape)
    near = (4 * dropped < n) & (dropped <= MOST_RUNGS)
    whole = (4 * dropped >= n) & (dropped < n) & (3 * dropped * top < EXACT)
    whole &= dropped <= MOST_RUNGS
    if np.any(near):
        least[near] = _around_median(column, dropped[near])
    if np.any(whole):
        least[whole] = _in_integers(column.window(1, n), dropped[whole])
    return least


def _in_integers(rows: IntArray, dropped: IntArray) -> FloatArray:
    sums = np.concatenate(([0], np.cumsum(rows)))
    powers = np.concatenate(([0], np.cumsum(rows * rows)))  # wraps, and unwraps below
    squares = []
    for k in dropped.tolist():
        left = rows.size - k
        part = sums[left:] - sums[: k + 1]
        squares.append(int(np.min(left * (powers[left:] - powers[: k + 1]) - part * part)) / left)
    return np.array(squares)


def _around_median(column: Column, dropped: IntArray) -> FloatArray:
    n = column.n
    reach = int(dropped.max())
    centre = int(column.order((n + 1) // 2))
    head = column.window(1, reach) - centre
    tail = column.window(n - reach + 1, n)[::-1] - centre
    every = column.squares - 2 * centre * column.total + n * centre**2
    middle = float(every - exact_squares(head) - exact_squares(tail))
    power = (middle + _remaining(head), np.append(_remaining(tail)[::-1], np.full(reach, np.inf)))
    sums = (
        column.total - n * centre - np.append(0, np.cumsum(head)),
        np.append(np.append(0, np.cumsum(tail))[::-1], np.zeros(reach, np.int64)),
    )
    return _least(power, sums, dropped, n)


def _remaining(rows: IntArray) -> FloatArray:
    outward = np.cumsum(np.square(rows[::-1].astype(np.float64)))
    return np.append(outward[::-1], 0.0)


def _least(
    power: tuple[FloatArray, FloatArray], sums: tuple[IntArray, IntArray], dropped: IntArray, n: int
) -> FloatArray:
    reach = int(dropped.max())
    least = np.empty(dropped.shape)
    order = np.argsort(dropped)
    for start in range(0, dropped.size, BLOCK):
        block = order[start : start + BLOCK]
        first = reach - dropped[block]
        width = reach + 1 - int(first.min())
        left = (n - dropped[block])[:, None]
        tail = sliding_window_view(sums[1], width)[first]
        part = np.subtract(sums[0][:width], tail, out=tail).astype(np.float64)
        np.square(part, out=part)
        np.divide(part, left, out=part)
        whole = power[0][:width] + sliding_window_view(power[1], width)[first]
        least[block] = np.min(np.subtract(whole, part, out=whole), axis=1)
    return np.maximum(least, 0.0)


ROOT_BITS = 128  # a root is truncated after this many bits of a tick
SMALLEST, LARGEST = 1e-120, 1e120  # noise for their squares is still finite, and above 0


@dataclass(frozen=True)
class Spread(Exact):
    """The variance with divisor n, or its root; 0 where there are no rows.

    Adding v to s, N = |s| rows with mean m: V' = N V/(N+1) + N (v-m)^2/(N+1)^2. Add/remove: every
    pair within k steps has both datasets within K = k + 1, where N >= n - K =: N0, |v - m| <= D,
    the squared deviations sum to at least W (so V >= W/(n+K)) and, as one row adds at most R^2, to
    at most nV + K R^2. As N/(N+1)^2 falls with N >= 1, V rises by at most
    N0 D^2/(N0+1)^2 - W/((n+K)(n+K+1)) and falls by at most Vmax/(N0+1), Vmax = min(R^2/4,
    (nV + K R^2)/N0). The root rises by at most sqrt(a + b) - sqrt(a) with a = W/(n+K), b the first
    term above, and falls by sqrt(Vmax) (1 - sqrt(N0/(N0+1))). Both are capped by their sensitivity.
    A(0) is exact instead: new rows on a bound or nearest the mean, rows that go farthest from or
    nearest to it. It may be, because no ladder needs to stay below A(0) of a neighbour.
    Every part (n - K, n + K, D, W, Vmax) is monotone from x, k to a neighbour x', k + 1
    (see above), and so is the ladder: S is a smooth bound.
    Change-one (n public): the other n - 1 rows stay, w = (n-1)/n of their variance and c =
    (n-1)/n^2 give V = w + c (v-m)^2, so V moves by at most c D^2 and its root by at most
    sqrt(w + c D^2) - sqrt(w), with D and w >= W/n over k changes of those n - 1 rows.
    """

    @abstractmethod
    def _read(self, variance: Any) -> Any:
        """Turn a variance into the statistic."""

    @abstractmethod
    def _ticks(self, power: int, n: int, step: Fraction) -> Fraction:
        """Return the statistic of n rows with n^2 times a variance of `power` in ticks."""

    @abstractmethod
    def _rise(self, low: FloatArray, move: FloatArray, size: Any) -> FloatArray:
        """How far it rises at most from a variance of `low` or more, divided over `size` rows."""

    @abstractmethod
    def _fall(self, most: FloatArray, left: IntArray) -> FloatArray:
        """How far it falls at most from a variance of `most` or less over `kept` rows or more."""

    @abstractmethod
    def _move(self, now: float, then: float, by: float) -> float:
        """How far it moves when the variance moves by `by`, which is known more exactly."""

    def exact(self, column: Column) -> Fraction:
        """Return the statistic of exact sums."""
        return self._ticks(power(column), max(column.n, 1), Fraction(column.bounds.resolution))

    def empty(self, bounds: Bounds) -> float:
        """Return 0."""
        return 0.0

    def low(self, bounds: Bounds) -> float:
        """Return 0."""
        return 0.0

    def high(self, bounds: Bounds) -> float:
        """Return the statistic of rows of which half are at each bound."""
        return float(self._read(np.float64(bounds.width) ** 2 / 4))

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return R^2/4 (one row becomes two), or (n-1) R^2/n^2 where n is public; or its root."""
        if not SMALLEST < bounds.width < LARGEST:
            raise ParameterError(
                "The range must be between {smallest} and {largest} wide.", smallest=SMALLEST, largest=LARGEST
            )
        size = self.relation.size or 2
        return float(self._read(np.float64(bounds.width) ** 2 * (size - 1) / size**2))

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the proven upper bound, and the exact A(0) under add/remove."""
        unit = self._read(np.float64(column.bounds.resolution) ** 2)
        if self.relation.size:
            return np.asarray(unit * self._changed(column, k, self.relation.size))
        n = column.n
        top = column.bounds.top
        cap = self._read(np.float64(top) ** 2 / 4)
        rungs = np.full(k.shape, cap)
        inner = k < n - 1
        rungs[inner] = np.minimum(self._moved(column, k[inner] + 1), cap)
        rungs[k == 0] = self._next(column)
        return np.asarray(unit * rungs)

    def _moved(self, column: Column, steps: IntArray) -> FloatArray:
        n = column.n
        top = float(column.bounds.top)
        left = n - steps
        size = n + steps
        far = farthest(column, left, n)
        low = tightest(column, steps) / size
        most = np.minimum(top**2 / 4, (power(column) / max(n, 1) + steps * top**2) / left)
        rise = self._rise(low, left / (left + 1.0) ** 2 * far**2, size + 1.0)
        return np.maximum(rise, self._fall(most, left))

    def _changed(self, column: Column, k: IntArray, size: int) -> FloatArray:
        if size == 1:
            return np.zeros(k.shape)
        left = np.maximum(size - 1 - k, 0)
        far = farthest(column, left, size - 1)
        low = tightest(column, k + 1) / size
        return self._rise(low, (size - 1) / size**2 * far**2, np.full(k.shape, np.inf))

    def _next(self, column: Column) -> float:
        now = power(column) / max(column.n, 1) ** 2
        return max(self._move(now, then, abs(by)) for then, by in neighbours(column))


@dataclass(frozen=True)
class Variance(Spread):
    """The variance with divisor n; see `Spread` for its ladder."""

    name: ClassVar[str] = "variance"
    zeroless: ClassVar[bool] = False
    label: ClassVar[str] = "Variance"

    def unit(self, column: str) -> str:
        """Return no unit: squares of units have no name here."""
        return ""

    def _read(self, variance: Any) -> Any:
        return variance

    def _ticks(self, power: int, n: int, step: Fraction) -> Fraction:
        return Fraction(power, n**2) * step**2

    def _rise(self, low: FloatArray, move: FloatArray, size: Any) -> FloatArray:
        return np.asarray(move - low / size)

    def _fall(self, most: FloatArray, left: IntArray) -> FloatArray:
        return np.asarray(most / (left + 1.0))

    def _move(self, now: float, then: float, by: float) -> float:
        return by


@dataclass(frozen=True)
class StandardDeviation(Spread):
    """The root of the variance with divisor n; see `Spread` for its ladder."""

    name: ClassVar[str] = "standard-deviation"
    label: ClassVar[str] = "Standard deviation"

    def _read(self, variance: Any) -> Any:
        return np.sqrt(variance)

    def _ticks(self, power: int, n: int, step: Fraction) -> Fraction:
        return Fraction(math.isqrt(power << 2 * ROOT_BITS), n << ROOT_BITS) * step

    def _rise(self, low: FloatArray, move: FloatArray, size: Any) -> FloatArray:
        return np.asarray(move / (np.sqrt(low + move) + np.sqrt(low)))

    def _fall(self, most: FloatArray, left: IntArray) -> FloatArray:
        share = left / (left + 1.0)
        return np.asarray(np.sqrt(most) * (1 - share) / (1 + np.sqrt(share)))

    def _move(self, now: float, then: float, by: float) -> float:
        return by / (math.sqrt(now) + math.sqrt(then)) if by else 0.0
