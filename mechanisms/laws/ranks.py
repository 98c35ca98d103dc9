"""Ranks: how far ticks are from a rank among some rows, and the law that prefers the near ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.law import Answer, Law, Runs, Whole
from discreet.noise.protocol import NoiseSource
from discreet.queries import Bounds, Column
from discreet.queries.bounds import FloatArray, IntArray

# --- Quantiles: where a distribution function reaches a probability, searched at many places at once ---

BITS = 54  # of a fraction of the range: as many as a double has
CUTS, FEW = 64, 8  # parts that are evaluated together where few probabilities are wanted


def reached(cdf: Callable[[Any], FloatArray], p: Any, start: float, width: float) -> FloatArray:
    """Return the p-quantile of answers between start and start + width."""
    p = np.asarray(p, dtype=np.float64)
    cuts = 2 if p.size > FEW else CUTS
    low = np.zeros(p.shape)
    size = 1.0
    for _ in range(math.ceil(BITS / math.log2(cuts))):
        size /= cuts
        places = low + size * np.arange(1, cuts).reshape(-1, *[1] * p.ndim)
        low = low + size * (cdf(start + width * places) < p).sum(axis=0)
    return np.asarray(start + width * (low + size))


NEGLIGIBLE = 1e-18
SAFE = 1e-9  # of a unit: more than all rounding of a logarithm


@dataclass(frozen=True)
class Aim:
    """The rank that is aimed at: a share q = a/b of n rows, moved by `shift` units.

    A tick has it if L <= q n <= L + E (L rows below it, E on it). Distances are exact integers: in units of 1/b rows if
    n is private, of rows if it is public.
    """

    q: Fraction
    public: bool = False
    shift: int = 0

    @property
    def unit(self) -> int:
        """The number of units of a row."""
        return 1 if self.public else self.q.denominator

    def targets(self, n: int) -> tuple[int, int]:
        """Return the rank in units, rounded down and up to integers."""
        if not self.public:
            return (self.q.numerator * n + self.shift,) * 2
        return math.floor(self.q * n) + self.shift, math.ceil(self.q * n) + self.shift

    def distances(self, below: IntArray, upto: IntArray, n: int) -> IntArray:
        """Return the distances of ticks from the rank, given the rows below and up to each.

        Private n: max(0, b L - a n, a n - b (L + E)). Public n: max(0, L - floor(q n), ceil(q n) - (L + E)).
        """
        low, high = self.targets(n)
        return np.maximum(np.maximum(self.unit * below - low, high - self.unit * upto), 0)

    @property
    def sensitivity(self) -> int:
        """The largest change of a distance by one row, in units.

        Private n: an added row below t changes b L - a n by b - a and a n - b (L + E) by a - b; one on t changes them
        by -a and a - b; one above by -a and a. So it is max(a, b - a), as a maximum of functions changes by no more
        than they do. Public n: L and L + E change by at most one row, so it is 1.
        """
        return 1 if self.public else max(self.q.numerator, self.q.denominator - self.q.numerator)

    @property
    def spread(self) -> int:
        """How far apart one row moves two ticks: twice the sensitivity, once for extremes.

        The loss at a tick is the change of its distance minus that of the normalisation, which is between the smallest
        and the largest change of all ticks; so only this range matters, and the ranges of several rows add up. For q =
        0 or 1 the distance is the number of rows below (or above) a tick plus a constant, which one row, new or
        changed, moves by 0 or 1 in one direction.
        """
        one_way = (self.q == 0 and self.shift <= 0) or (self.q == 1 and self.shift >= 0)
        return self.sensitivity * (1 if one_way else 2)

    def rows(self, units: int) -> int:
        """Return units as whole rows, rounded up."""
        return -(-units // self.unit)


def furthest(candidates: int, rate: float, alpha: float) -> int:
    """Return by how many units a draw is off at most, whatever the rows are, except with probability alpha.

    Some candidate has distance 0 and weight 1; those that are k units off or more have weight at most exp(-rate k)
    each. So their total probability is at most w / (1 + w) with w = (candidates - 1) exp(-rate k), which is tight for
    rows of one value; the least k with w / (1 + w) <= alpha is one more than the result.
    """
    odds = (candidates - 1) * (1 - alpha) / alpha
    return max(1, math.ceil(math.log(odds) / rate + SAFE)) - 1 if odds > 0 else 0


def furthest_of(bounds: Bounds, rate: float) -> int:
    """Return the number of units from which on all ticks together have negligible weight; it is public."""
    return math.ceil(math.log((bounds.top + 1) / NEGLIGIBLE) / rate)


@dataclass(frozen=True)
class Part:
    """A range of a column's rows by rank, `first` excluded, and the ticks among which one is chosen."""

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
        """The number of rows."""
        return self.last - self.first


def runs_near(column: Column, aim: Aim, rate: float, part: Part | None = None, outside: int = 0) -> Runs:
    """Return the law with weights exp(-rate min(distance, cap)) over the ticks of a part of the rows.

    The cap is public: beyond it all ticks together weigh less than 1e-18 of the one that has the rank, and a capped
    distance changes by no more than the distance. So two runs cover everything far away, and only the levels between
    them are used. `outside` -1 or 1 adds one more candidate, below or above all ticks and rows, which has the rank if
    that is outside of the rows.
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


# --- RankDraws: many draws near a rank at once, each from its own part of the rows ---

FLAT = 600.0  # weights whose logarithms differ by no more are added directly


@dataclass(frozen=True)
class Parts:
    """Many parts of a column's rows: the fields are arrays of those of `Part`."""

    first: IntArray
    last: IntArray
    low: IntArray
    high: IntArray

    @property
    def n(self) -> Any:
        """The number of rows of each."""
        return self.last - self.first

    @classmethod
    def alike(cls, part: Part, number: int) -> Parts:
        """Return one part, repeated."""
        return cls(*(np.full(number, each) for each in (part.first, part.last, part.low, part.high)))

    def standing(self, column: Column, ticks: IntArray) -> tuple[IntArray, IntArray]:
        """Return the number of rows of each part below its tick, and on it."""
        ends = np.concatenate(([0], column.ends))
        below, upto = (
            np.clip(ends[np.searchsorted(column.levels, at)], self.first, self.last) for at in (ticks, ticks + 1)
        )
        return below - self.first, upto - below

    def split(self, ticks: IntArray, below: IntArray, lower: IntArray) -> tuple[Parts, Parts]:
        """Return both sides of the cuts; `lower` rows on each cut go to the lower side."""
        cut = self.first + below + lower
        return Parts(self.first, cut, self.low, ticks), Parts(cut, self.last, ticks, self.high)


@dataclass(frozen=True)
class Rising:
    """Cumulative weights over ascending ticks in cells of equal weight, as logarithms because they overflow."""

    starts: IntArray
    weights: FloatArray
    sums: FloatArray

    @classmethod
    def over(cls, starts: IntArray, widths: IntArray, weights: FloatArray) -> Rising:
        """Add up the cells: `sums` contains the weight below each cell, and below the end."""
        most = weights[-1]
        if most - weights[0] < FLAT:
            sums = most + np.log(np.cumsum(widths * np.exp(weights - most)))
        else:
            sums = np.logaddexp.accumulate(np.log(widths) + weights)
        return cls(starts, weights, np.concatenate(([-np.inf], sums)))

    def below(self, ticks: IntArray) -> FloatArray:
        """Return the total weight of the ticks below each given tick."""
        at = np.clip(np.searchsorted(self.starts, ticks, side="right") - 1, 0, self.starts.size - 1)
        with np.errstate(divide="ignore"):
            inside = np.log(np.maximum(ticks - self.starts[at], 0.0))
        return np.asarray(np.logaddexp(self.sums[at], inside + self.weights[at]))

    def place(self, weights: FloatArray) -> FloatArray:
        """Return the position, possibly between ticks, below which the weight is as given."""
        at = np.clip(np.searchsorted(self.sums, weights, side="right") - 1, 0, self.starts.size - 1)
        own = self.weights[at]
        return np.asarray(self.starts[at] + np.exp(weights - own) - np.exp(self.sums[at] - own))


def _less(log: FloatArray, other: FloatArray) -> FloatArray:
    """Return the logarithm of a difference; minus infinity where rounding leaves nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = log + np.log1p(-np.exp(np.minimum(other - log, 0.0)))
    return np.where(other < log, difference, -np.inf)


@dataclass(frozen=True)
class RankDraws:
    """The draws of one level: sums that all parts share, so that a draw is a few look-ups in them.

    Below the rank a tick weighs exp(rate (rows up to it) unit) times a factor that does not depend on the tick, above
    it exp(-rate (rows below it) unit), and on it 1. So sums over all rows give those over every part.
    """

    aim: Aim
    rate: float
    rows: tuple[IntArray, IntArray]
    edges: IntArray
    up: Rising
    down: Rising

    @classmethod
    def near(cls, column: Column, aim: Aim, rate: float, parts: Parts) -> RankDraws:
        """Add up the weights of ticks on both sides; ticks that are negligibly far from all ranks are left out."""
        ranks = aim.targets(parts.n)[0] + aim.unit * parts.first
        reach = furthest_of(column.bounds, rate)
        ends = np.concatenate(([0], column.ends))
        first = int(np.searchsorted(ends, (ranks.min() - reach) // aim.unit))
        last = int(np.searchsorted(ends, -((-ranks.max() - reach) // aim.unit), side="right"))
        first, last = max(0, first - 1), min(column.levels.size, last)
        low = int(column.levels[first - 1]) + 1 if first else 0
        high = column.bounds.top if last == column.levels.size else int(column.levels[last]) - 1
        starts, widths = cells(column.levels[first:last], low, high)
        rows = np.repeat(ends[first : last + 1], 2)
        real = widths > 0
        starts, widths, below, upto = starts[real], widths[real], rows[:-1][real], rows[1:][real]
        worth = rate * aim.unit
        up = Rising.over(starts, widths, worth * upto)
        down = Rising.over(1 - (starts + widths)[::-1], widths[::-1], worth * (upto[-1] - below[::-1]))
        return cls(aim, rate, (below, upto), np.append(starts, high + 1), up, down)

    def ticks(self, parts: Parts, uniforms: FloatArray) -> IntArray:
        """Return a tick for each part: the smallest with at least the given probability at or below it."""
        rank = self.aim.targets(parts.n)[0] + self.aim.unit * parts.first
        below, upto = self.rows
        first = np.searchsorted(self.aim.unit * upto, rank, side="left")
        last = np.searchsorted(self.aim.unit * below, rank, side="right")
        left, right = (np.clip(self.edges[at], parts.low, parts.high + 1) for at in (first, last))
        return self._placed(parts, left, right, rank, uniforms)

    def _placed(self, parts: Parts, left: IntArray, right: IntArray, rank: Any, uniforms: FloatArray) -> IntArray:
        """Choose below, on or above the rank by weight, then a tick there."""
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
        first = np.choose(side, (parts.low, left, right))
        last = np.choose(side, (left, right, parts.high + 1)) - 1
        return np.asarray(np.clip(np.choose(side, (lower, middle, upper)), first, last), dtype=np.int64)


# --- RankTree: the joint law of several quantiles, the middle one first, then those on each side ---

MOST_SEEN, FEWEST_SEEN = 600, 50  # answers from which widths are computed
LARGEST = 2**22  # answers that an audit enumerates
Ticks = tuple[int, ...]


@dataclass(frozen=True)
class Stretch:
    """Consecutive levels between two cuts; the middle one is drawn next."""

    levels: tuple[Fraction, ...]
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)

    @property
    def middle(self) -> int:
        """The index of the level that is drawn."""
        return len(self.levels) // 2

    @cached_property
    def aim(self) -> Aim:
        """The rank that is aimed at among the rows between the cuts."""
        return Aim((self.levels[self.middle] - self.low) / (self.high - self.low))

    @cached_property
    def sides(self) -> tuple[Stretch, Stretch]:
        """The levels that remain to be drawn on each side."""
        at = self.middle
        cut = self.levels[at]
        return Stretch(self.levels[:at], self.low, cut), Stretch(self.levels[at + 1 :], cut, self.high)

    @property
    def depth(self) -> int:
        """The number of successive draws."""
        return len(self.levels).bit_length()


@dataclass(frozen=True, eq=False)
class RankTree(Law):
    """Ticks of ascending levels, each drawn among the ticks and the rows between two drawn before.

    `rate` is the effect of one row in an exponent; rows that are on a cut are divided by a noisy number, of scale
    `scale`, so that the sides have the share of rows that the level gives.
    """

    column: Column = field(repr=False)
    levels: tuple[Fraction, ...]
    rate: float
    scale: float

    @cached_property
    def span(self) -> Stretch:
        """All levels."""
        return Stretch(self.levels)

    def runs(self, span: Stretch, part: Part) -> Runs:
        """Return the law of the middle level of a span, given its part of the rows."""
        return runs_near(self.column, span.aim, self.rate / span.aim.spread, part)

    def standing(self, part: Part, tick: int) -> tuple[int, int]:
        """Return how many rows of a part are below a tick, and how many on it."""
        ends = np.searchsorted(self.column.levels, (tick, tick + 1))
        rows = [int(self.column.ends[end - 1]) if end else 0 for end in ends]
        below, upto = (min(max(row, part.first), part.last) - part.first for row in rows)
        return below, upto - below

    def division(self, span: Stretch, part: Part, tick: int) -> tuple[Whole, int]:
        """Return the law of the number of rows on the cut that go to the lower side, and the number of rows on it.

        Without noise and without limits it is the number that the lower side lacks of its share of the rows.
        """
        below, on = self.standing(part, tick)
        low, _ = span.aim.targets(part.n)
        return Whole(low // span.aim.unit - below, self.scale), on

    def split(self, part: Part, tick: int, lower: int) -> tuple[Part, Part]:
        """Return the two sides of a cut; `lower` rows on it go to the lower side."""
        below, on = self.standing(part, tick)
        cut = part.first + below + min(max(lower, 0), on)
        return Part(part.first, cut, part.low, tick), Part(cut, part.last, tick, part.high)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw every level."""
        ticks = self._drawn(noise, self.span, Part.whole(self.column))
        return tuple(float(value) for value in self.column.bounds.value(np.array(ticks)))

    def _drawn(self, noise: NoiseSource, span: Stretch, part: Part) -> Ticks:
        if not span.levels:
            return ()
        tick = self.runs(span, part).pick(noise)
        if len(span.levels) == 1:
            return (tick,)
        whole, _ = self.division(span, part, tick)
        sides = zip(span.sides, self.split(part, tick, noise.geometric(whole.centre, whole.scale)), strict=True)
        lower, upper = (self._drawn(noise, *side) for side in sides)
        return (*lower, tick, *upper)

    @property
    def draws(self) -> int:
        """A uniform for each level, and one for each division."""
        return 2 * len(self.levels)

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one row of answers per level, all answers of a level at once."""
        each = uniforms.reshape(len(self.levels), 2, -1)
        ticks = np.empty((len(self.levels), each.shape[-1]), dtype=np.int64)
        self._simulate(each, ticks, self.span, Parts.alike(Part.whole(self.column), each.shape[-1]))
        return np.asarray(self.column.bounds.value(ticks), dtype=np.float64)

    def _simulate(self, uniforms: FloatArray, ticks: IntArray, span: Stretch, parts: Parts) -> None:
        """Fill in the ticks of a span, one row per level."""
        at = span.middle
        aim = span.aim
        ticks[at] = RankDraws.near(self.column, aim, self.rate / aim.spread, parts).ticks(parts, uniforms[at, 0])
        below, on = parts.standing(self.column, ticks[at])
        centres = np.asarray(aim.targets(parts.n)[0] // aim.unit - below)
        lower = np.clip(centres + Whole(0, self.scale).quantile(uniforms[at, 1]), 0, on).astype(np.int64)
        places = (slice(at), slice(at + 1, None))
        for place, side, part in zip(places, span.sides, parts.split(ticks[at], below, lower), strict=True):
            if side.levels:
                self._simulate(uniforms[place], ticks[place], side, part)

    @cached_property
    def seen(self) -> FloatArray:
        """Answers spread evenly over the law: it has no closed form, and widths need no more."""
        number = max(FEWEST_SEEN, MOST_SEEN // len(self.levels))
        root = 2.0
        for _ in range(60):
            root = (1 + root) ** (1 / (self.draws + 1))
        steps = root ** -np.arange(1.0, self.draws + 1)
        return self.simulate((0.5 + np.outer(steps, np.arange(1, number + 1))) % 1.0)

    def cdf(self, y: Any) -> FloatArray:
        """Return each component's P(answer <= y), estimated from evenly spread answers; one row per component."""
        y = np.asarray(y, dtype=np.float64)
        return np.stack(
            [np.mean(own[:, None] <= at, axis=0) for own, at in zip(self.seen, np.atleast_2d(y), strict=True)]
        )

    def quantile(self, p: Any) -> FloatArray:
        """Return each component's p-quantile, estimated from evenly spread answers."""
        return np.asarray(np.quantile(self.seen, p, axis=1, method="inverted_cdf")).T

    def joint(self) -> dict[Ticks, float]:
        """Return the exact probability of every answer."""
        if (self.column.bounds.top + 1) ** len(self.levels) > LARGEST:
            raise ValueError("Too many answers to go through them all.")
        return self._joint(self.span, Part.whole(self.column))

    @cached_property
    def _seen_sides(self) -> dict[tuple[Stretch, Part], dict[Ticks, float]]:
        """The laws of sides, cached because many cuts share them."""
        return {}

    def _joint(self, span: Stretch, part: Part) -> dict[Ticks, float]:
        if not span.levels:
            return {(): 1.0}
        side = (span, part)
        if side not in self._seen_sides:
            self._seen_sides[side] = self._cut(span, part)
        return self._seen_sides[side]

    def _cut(self, span: Stretch, part: Part) -> dict[Ticks, float]:
        runs = self.runs(span, part)
        chances = dict[Ticks, float]()
        each = np.repeat(runs.probabilities / runs.widths, runs.widths).tolist()
        if len(span.levels) == 1:  # nothing is left on either side
            return {(tick,): chance for tick, chance in enumerate(each, part.low)}
        for tick, chance in zip(range(part.low, part.high + 1), each, strict=True):
            for sides, weight in self._divided(span, part, tick):
                below, above = (self._joint(*side) for side in zip(span.sides, sides, strict=True))
                for (lower, p), (upper, q) in product(below.items(), above.items()):
                    ticks = (*lower, tick, *upper)
                    chances[ticks] = chances.get(ticks, 0.0) + chance * weight * p * q
        return chances

    def _divided(self, span: Stretch, part: Part, tick: int) -> Iterator[tuple[tuple[Part, Part], float]]:
        """Yield the divisions of the rows on a cut, each with its probability."""
        whole, on = self.division(span, part, tick)
        below = whole.cdf(np.arange(on)) if len(span.levels) > 1 else np.ones(on)
        weights = np.append(below, 1.0) - np.append(0.0, below)
        for lower, weight in enumerate(weights.tolist()):
            if weight > 0:
                yield self.split(part, tick, lower), weight


@anatomy.register
def tree(law: RankTree) -> Anatomy:
    """Decompose several quantiles: each combination is one atom."""
    ticks = law.joint()
    size = law.column.bounds.top + 1
    places = np.array([sum(tick * size**at for at, tick in enumerate(each)) for each in ticks], dtype=np.float64)
    order = np.argsort(places)
    return Anatomy(points=places[order], masses=np.array(list(ticks.values()))[order])
