"""RankDraws: many draws near a rank at once, each from its own part of the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet.mechanisms.ranks import Aim, Part, cells, furthest_of
from discreet.queries import Column
from discreet.queries.bounds import FloatArray, IntArray

FLAT = 600.0  # logarithms of weights that differ by no more are added up as they are


@dataclass(frozen=True)
class Parts:
    """Many parts of the rows of a column, one after the other: fields are arrays of those of `Part`."""

    first: IntArray
    last: IntArray
    low: IntArray
    high: IntArray

    @property
    def n(self) -> Any:
        """How many rows each."""
        return self.last - self.first

    @classmethod
    def alike(cls, part: Part, number: int) -> Parts:
        """Return one part many times."""
        return cls(*(np.full(number, each) for each in (part.first, part.last, part.low, part.high)))

    def standing(self, column: Column, ticks: IntArray) -> tuple[IntArray, IntArray]:
        """Return how many rows of each part stand below its tick, and how many on it."""
        ends = np.concatenate(([0], column.ends))
        below, upto = (
            np.clip(ends[np.searchsorted(column.levels, at)], self.first, self.last) for at in (ticks, ticks + 1)
        )
        return below - self.first, upto - below

    def split(self, ticks: IntArray, below: IntArray, lower: IntArray) -> tuple[Parts, Parts]:
        """Return both sides of the cuts, of whose rows so many go to the lower one."""
        cut = self.first + below + lower
        return Parts(self.first, cut, self.low, ticks), Parts(cut, self.last, ticks, self.high)


@dataclass(frozen=True)
class Rising:
    """Sums of weights over ascending ticks in cells that weigh the same; all in logarithms, as they overflow."""

    starts: IntArray
    weights: FloatArray
    sums: FloatArray

    @classmethod
    def over(cls, starts: IntArray, widths: IntArray, weights: FloatArray) -> Rising:
        """Add up the cells: `sums` has what lies below each, and below the end."""
        most = weights[-1]
        if most - weights[0] < FLAT:
            sums = most + np.log(np.cumsum(widths * np.exp(weights - most)))
        else:
            sums = np.logaddexp.accumulate(np.log(widths) + weights)
        return cls(starts, weights, np.concatenate(([-np.inf], sums)))

    def below(self, ticks: IntArray) -> FloatArray:
        """Return the weight of all ticks below some."""
        at = np.clip(np.searchsorted(self.starts, ticks, side="right") - 1, 0, self.starts.size - 1)
        with np.errstate(divide="ignore"):
            inside = np.log(np.maximum(ticks - self.starts[at], 0.0))
        return np.asarray(np.logaddexp(self.sums[at], inside + self.weights[at]))

    def place(self, weights: FloatArray) -> FloatArray:
        """Return where so much weight lies below, between ticks too."""
        at = np.clip(np.searchsorted(self.sums, weights, side="right") - 1, 0, self.starts.size - 1)
        own = self.weights[at]
        return np.asarray(self.starts[at] + np.exp(weights - own) - np.exp(self.sums[at] - own))


def _less(log: FloatArray, other: FloatArray) -> FloatArray:
    """Return the logarithm of a difference; of nothing where rounding leaves nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = log + np.log1p(-np.exp(np.minimum(other - log, 0.0)))
    return np.where(other < log, difference, -np.inf)


@dataclass(frozen=True)
class RankDraws:
    """The draws of one level: sums that all parts share, so that a draw is a few look-ups in them.

    Below the rank a tick weighs exp(rate (rows up to it) unit) of what does not depend on the tick, above it
    exp(-rate (rows below it) unit); on it 1. So sums over all rows tell those over every part.
    """

    aim: Aim
    rate: float
    rows: tuple[IntArray, IntArray]
    edges: IntArray
    up: Rising
    down: Rising

    @classmethod
    def near(cls, column: Column, aim: Aim, rate: float, parts: Parts) -> RankDraws:
        """Add up the weights of ticks on both sides; what is further from all ranks than others see is left out."""
        ranks, reach = aim.targets(parts.n)[0] + aim.unit * parts.first, furthest_of(column.bounds, rate)
        ends = np.concatenate(([0], column.ends))
        first = int(np.searchsorted(ends, (ranks.min() - reach) // aim.unit))
        last = int(np.searchsorted(ends, -((-ranks.max() - reach) // aim.unit), side="right"))
        first, last = max(0, first - 1), min(column.levels.size, last)
        low = int(column.levels[first - 1]) + 1 if first else 0
        high = column.bounds.top if last == column.levels.size else int(column.levels[last]) - 1
        starts, widths = cells(column.levels[first:last], low, high)
        rows, real = np.repeat(ends[first : last + 1], 2), widths > 0
        starts, widths, below, upto = starts[real], widths[real], rows[:-1][real], rows[1:][real]
        worth = rate * aim.unit
        up = Rising.over(starts, widths, worth * upto)
        down = Rising.over(1 - (starts + widths)[::-1], widths[::-1], worth * (upto[-1] - below[::-1]))
        return cls(aim, rate, (below, upto), np.append(starts, high + 1), up, down)

    def ticks(self, parts: Parts, uniforms: FloatArray) -> IntArray:
        """Return a tick for each part: the smallest with at least so much of the probability at or below it."""
        rank = self.aim.targets(parts.n)[0] + self.aim.unit * parts.first
        below, upto = self.rows
        first = np.searchsorted(self.aim.unit * upto, rank, side="left")
        last = np.searchsorted(self.aim.unit * below, rank, side="right")
        left, right = (np.clip(self.edges[at], parts.low, parts.high + 1) for at in (first, last))
        return self._placed(parts, left, right, rank, uniforms)

    def _placed(self, parts: Parts, left: IntArray, right: IntArray, rank: Any, uniforms: FloatArray) -> IntArray:
        """Choose below, on or above the rank by what they weigh, then a tick there."""
        bases = self.up.below(parts.low), self.down.below(-parts.high)
        sizes = _less(self.up.below(left), bases[0]), _less(self.down.below(1 - right), bases[1])
        with np.errstate(divide="ignore"):
            on = np.log(right - left)
        moved = self.rate * (rank - self.aim.unit * self.rows[1][-1])
        masses = np.exp((logs := np.stack([sizes[0] - self.rate * rank, on, sizes[1] + moved])) - logs.max(axis=0))
        ends = np.cumsum(masses / masses.sum(axis=0), axis=0)
        side = np.minimum((uniforms * ends[2] > ends).sum(axis=0), 2)
        before, part = (np.take_along_axis(each, side[None], 0)[0] for each in (ends, masses / masses.sum(axis=0)))
        share = np.clip(1 - (before - uniforms * ends[2]) / np.maximum(part, 1e-300), 1e-300, 1.0)
        with np.errstate(divide="ignore"):
            lower = np.ceil(self.up.place(np.logaddexp(bases[0], np.log(share) + sizes[0]))) - 1
            upper = -np.floor(self.down.place(np.logaddexp(bases[1], np.log1p(-share) + sizes[1])))
        middle = left + np.ceil(share * (right - left)) - 1
        first, last = np.choose(side, (parts.low, left, right)), np.choose(side, (left, right, parts.high + 1)) - 1
        return np.asarray(np.clip(np.choose(side, (lower, middle, upper)), first, last), dtype=np.int64)
