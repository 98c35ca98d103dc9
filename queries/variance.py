"""The variance and the standard deviation of a column."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from discreet.budget.errors import ParameterError
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column
from discreet.queries.query import Exact
from discreet.queries.spread import farthest, neighbours, power, tightest

ROOT_BITS = 128  # a root is cut after so many bits of a tick
SMALLEST, LARGEST = 1e-120, 1e120  # noise for their squares is still a number, and above 0


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
    Every brick (n - K, n + K, D, W, Vmax) is monotone from x, k to a neighbour x', k + 1
    (queries.spread), and so is the ladder: S is a smooth bound.
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
        """Return the statistic of rows that are half on one bound and half on the other."""
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
        n, top = column.n, column.bounds.top
        cap = self._read(np.float64(top) ** 2 / 4)
        rungs = np.full(k.shape, cap)
        inner = k < n - 1
        rungs[inner] = np.minimum(self._moved(column, k[inner] + 1), cap)
        rungs[k == 0] = self._next(column)
        return np.asarray(unit * rungs)

    def _moved(self, column: Column, steps: IntArray) -> FloatArray:
        n, top = column.n, float(column.bounds.top)
        left, size = n - steps, n + steps
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
