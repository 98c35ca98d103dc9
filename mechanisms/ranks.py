"""Ranks: how far ticks are from a rank among some rows, and the law that prefers the near ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from discreet.mechanisms.runs import Runs
from discreet.queries import Bounds, Column
from discreet.queries.bounds import IntArray

NEGLIGIBLE = 1e-18
SAFE = 1e-9  # of a unit: more than all rounding of a logarithm


@dataclass(frozen=True)
class Aim:
    """The rank that is looked for: a share q = a/b of n rows, moved by `shift` units.

    A tick has it if L <= q n <= L + E (L rows below it, E on it). Distances are exact whole units:
    of 1/b rows where n is private, of rows where it is public.
    """

    q: Fraction
    public: bool = False
    shift: int = 0

    @property
    def unit(self) -> int:
        """How many units make a row."""
        return 1 if self.public else self.q.denominator

    def targets(self, n: int) -> tuple[int, int]:
        """Return the rank in units, rounded down and up to whole ones."""
        if not self.public:
            return (self.q.numerator * n + self.shift,) * 2
        return math.floor(self.q * n) + self.shift, math.ceil(self.q * n) + self.shift

    def distances(self, below: IntArray, upto: IntArray, n: int) -> IntArray:
        """Return how far ticks are, from the rows below and up to each.

        Private n: max(0, b L - a n, a n - b (L + E)). Public n: max(0, L - floor(q n), ceil(q n) - (L + E)).
        """
        low, high = self.targets(n)
        return np.maximum(np.maximum(self.unit * below - low, high - self.unit * upto), 0)

    @property
    def sensitivity(self) -> int:
        """The largest change of a distance by one row, in units.

        Private n: a row more below t changes b L - a n by b - a and a n - b (L + E) by a - b; one on t
        changes them by -a and a - b; one above by -a and a. So max(a, b - a), as a maximum of functions
        changes by no more than they do. Public n: L and L + E change by one row at most, so 1.
        """
        return 1 if self.public else max(self.q.numerator, self.q.denominator - self.q.numerator)

    @property
    def spread(self) -> int:
        """How far one row moves two ticks apart: twice the sensitivity, once for extremes.

        The loss at a tick is the change of its distance less that of the normalisation, which lies
        between the smallest and the largest change of all ticks; so this range is all that counts, and
        the ranges of several rows add up. For q = 0 or 1 the distance is the number of rows below (or
        above) a tick and a constant, which one row, new or changed, moves by 0 or 1 in one direction.
        """
        one_way = (self.q == 0 and self.shift <= 0) or (self.q == 1 and self.shift >= 0)
        return self.sensitivity * (1 if one_way else 2)

    def rows(self, units: int) -> int:
        """Return units as whole rows, rounded up."""
        return -(-units // self.unit)


def furthest(candidates: int, rate: float, alpha: float) -> int:
    """Return how many units a draw is off at most, whatever the rows are, but for a chance of alpha.

    Some candidate has distance 0 and weighs 1; the others that are k units off or more weigh
    exp(-rate k) at most each. So the chance of them all is at most w / (1 + w) with
    w = (candidates - 1) exp(-rate k), which rows of one value reach; the least k with w / (1 + w)
    <= alpha is one more than what is returned.
    """
    odds = (candidates - 1) * (1 - alpha) / alpha
    return max(1, math.ceil(math.log(odds) / rate + SAFE)) - 1 if odds > 0 else 0


def furthest_of(bounds: Bounds, rate: float) -> int:
    """Return from how many units on all ticks together weigh next to nothing; it is public."""
    return math.ceil(math.log((bounds.top + 1) / NEGLIGIBLE) / rate)


@dataclass(frozen=True)
class Part:
    """Rows of a column by their ranks, `first` not included, and the ticks among which is chosen."""

    first: int
    last: int
    low: int
    high: int

    @classmethod
    def whole(cls, column: Column) -> Part:
        """Return all rows and all ticks."""
        return cls(0, column.n, 0, column.bounds.top)

    @property
    def n(self) -> int:
        """How many rows."""
        return self.last - self.first


def runs_near(column: Column, aim: Aim, rate: float, part: Part | None = None, outside: int = 0) -> Runs:
    """Return the law with weights exp(-rate min(distance, cap)) over the ticks of a part of the rows.

    The cap is public: beyond it all ticks together weigh less than 1e-18 of the one that has the
    rank, and a capped distance changes by no more than the distance. So two runs hold all that
    is far, and only the levels between them are looked at. `outside` -1 or 1 is one more candidate,
    below or above all ticks and rows, and has the rank where that lies outside of the rows.
    """
    part = part or Part.whole(column)
    cap = furthest_of(column.bounds, rate)
    levels, rows = _window(column, aim, part, cap)
    starts, widths = cells(levels, part.low, part.high)
    twice = np.repeat(rows, 2)
    far = aim.distances(twice[:-1], twice[1:], part.n)
    real = widths > 0
    starts, widths, far = starts[real], widths[real], far[real]
    low, high = aim.targets(part.n)
    if outside < 0:
        starts, widths, far = (np.append(a, b) for a, b in ((part.low - 1, starts), (1, widths), (max(0, high), far)))
    elif outside > 0:
        beyond = max(0, aim.unit * part.n - low)
        starts, widths, far = (np.append(a, b) for a, b in ((starts, part.high + 1), (widths, 1), (far, beyond)))
    bounds = column.bounds
    return Runs(starts, widths, np.minimum(far, cap), rate, float(bounds.resolution), float(bounds.value(0)))


def _window(column: Column, aim: Aim, part: Part, cap: int) -> tuple[IntArray, IntArray]:
    """Return the levels that are near, and the rows of the part below all of them and up to each."""
    ends = column.ends
    low, high = aim.targets(part.n)
    first = int(np.searchsorted(ends, part.first + (low - cap) // aim.unit))
    last = int(np.searchsorted(ends, part.first + aim.rows(high + cap), side="right")) + 1
    first = max(first, int(np.searchsorted(column.levels, part.low)))
    last = max(first, min(last, int(np.searchsorted(column.levels, part.high, side="right"))))
    rows = np.append(ends[first - 1] if first else 0, ends[first:last])
    rows = np.minimum(np.maximum(rows, part.first), part.last) - part.first  # np.clip first looks what integers can be
    return column.levels[first:last], rows


def cells(levels: IntArray, low: int, high: int) -> tuple[IntArray, IntArray]:
    """Return first tick and width of: the gap before a level, the level, ..., the last gap."""
    edges = np.concatenate(([low], np.repeat(levels, 2), [high + 1]))
    edges[2:-1:2] += 1
    return edges[:-1], edges[1:] - edges[:-1]
