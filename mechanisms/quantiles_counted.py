"""Many quantiles of one column from one noisy count of all its ticks, each with an interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.budget import Account, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import CONFIDENCE, ROUND_UP
from discreet.mechanisms.base.vocabulary import GLOBAL, LAPLACE, Family, Noise, Public
from discreet.mechanisms.laws.law import Answer, Laplace, Law, Measured, Noisy, Product
from discreet.mechanisms.laws.moments import Weights, chernoff, chernoff_width, sums_tail
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.several_quantiles import SeveralQuantiles
from discreet.noise.protocol import NoiseSource
from discreet.queries import Column, Relation
from discreet.queries.bounds import FloatArray, IntArray

MOST_TICKS = 4096
HALF = 0.5  # of a row: no rank that is aimed at is nearer to either end
SEEN, AT_ONCE = 400, 64  # answers from which widths are computed, and those that are simulated together
PATIENCE = 256  # places of an end that are examined exactly


@dataclass(frozen=True)
class Tree:
    """The public counts of a grid: of blocks of `width` ticks, then of ticks; about as many blocks as ticks in each."""

    ticks: int

    @property
    def width(self) -> int:
        """How many ticks a block has."""
        return math.isqrt(self.ticks - 1) + 1

    @property
    def blocks(self) -> int:
        """The number of blocks; the last one may have ticks beyond the grid, on which there are no rows."""
        return -(-self.ticks // self.width)

    @property
    def size(self) -> int:
        """The number of counts."""
        return self.blocks * (1 + self.width)

    def counts(self, column: Column) -> IntArray:
        """Return the exact counts."""
        each = np.zeros(self.blocks * self.width, dtype=np.int64)
        each[column.levels] = column.counts
        return np.concatenate((each.reshape(self.blocks, self.width).sum(axis=1), each))

    def below(self, noisy: FloatArray) -> FloatArray:
        """Return the number of rows up to each tick, by least squares of all noisy counts, one line for each draw."""
        blocks, ticks = np.split(noisy, [self.blocks], axis=1)
        inside = ticks.reshape(-1, self.blocks, self.width)
        more = (blocks - inside.sum(axis=2)) / (self.width + 1)
        return np.asarray(np.cumsum((inside + more[:, :, None]).reshape(len(noisy), -1), axis=1))

    def weights(self, q: Fraction, at: IntArray) -> Weights:
        """Return the weights of the noises in (rows up to a tick) - q (all rows), and how many noises have each."""
        share = float(q)
        width = self.width
        before = at // width
        upto = at % width + 1
        after = self.blocks - 1 - before
        return (
            ((1 - share) * width / (width + 1), before),
            ((1 - share) / (width + 1), before * width),
            (share * width / (width + 1), after),
            (share / (width + 1), after * width),
            ((upto - share * width) / (width + 1), 1),
            (1 - (upto + share) / (width + 1), upto),
            ((upto + share) / (width + 1), width - upto),
        )


def steady(below: FloatArray) -> FloatArray:
    """Return ascending numbers: the middle of the largest up to each tick and the smallest from it on."""
    largest = np.maximum.accumulate(below, axis=1)
    smallest = np.minimum.accumulate(below[:, ::-1], axis=1)[:, ::-1]
    return np.asarray((largest + smallest) / 2)


def expanded(seeds: FloatArray, size: int) -> FloatArray:
    """Return `size` numbers spread over (0, 1) for each seed, by the splitmix64 sequence: for figures alone."""
    start = np.asarray(seeds * 2.0**53, dtype=np.uint64)[:, None] << np.uint64(11)
    state = (start | np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) + np.arange(
        1, size + 1, dtype=np.uint64
    ) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        state = (state ^ (state >> np.uint64(shift))) * np.uint64(factor)
    state ^= state >> np.uint64(31)
    return np.asarray(((state >> np.uint64(12)) + 0.5) * 2.0**-52)


@dataclass(frozen=True, eq=False)
class Counted(Law):
    """Quantiles, and an interval for each, computed from noisy counts of blocks and of ticks."""

    column: Column = field(repr=False)
    levels: tuple[Fraction, ...]
    scale: float

    @property
    def tree(self) -> Tree:
        """The counts."""
        return Tree(self.column.bounds.top + 1)

    @cached_property
    def centres(self) -> tuple[int, ...]:
        """The exact counts."""
        return tuple(self.tree.counts(self.column).tolist())

    @property
    def everything(self) -> Law:
        """All noisy counts."""
        return Product(tuple(Noisy(count, self.scale, Laplace()) for count in self.centres))

    def _ticks(self, noisy: FloatArray) -> IntArray:
        """Return the tick of each level, one row per level."""
        below = self.tree.below(noisy)
        rows = np.maximum(below[:, -1:], 0.0)
        least = np.minimum(HALF, rows / 2)
        ascending = steady(below)[:, : self.column.bounds.top + 1]
        aims = [np.clip(float(q) * rows, least, rows - least) for q in self.levels]
        reached = [ascending >= aim for aim in aims]
        top = self.column.bounds.top
        return np.array([np.where(here.any(axis=1), here.argmax(axis=1), top) for here in reached])

    def values(self, noisy: FloatArray) -> FloatArray:
        """Return the quantiles of many draws, one row per level."""
        return np.asarray(self.column.bounds.value(self._ticks(noisy)), dtype=np.float64)

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one row of answers per level; each uniform is expanded to the noises of one answer."""
        centres = np.array(self.centres, dtype=np.float64)
        answers = np.empty((len(self.levels), uniforms.shape[1]))
        for first in range(0, uniforms.shape[1], AT_ONCE):
            seeds = uniforms[0, first : first + AT_ONCE]
            noises = self.scale * Laplace().quantile(expanded(seeds, self.tree.size))
            answers[:, first : first + AT_ONCE] = self.values(centres + noises)
        return answers

    @cached_property
    def seen(self) -> FloatArray:
        """Answers spread evenly over the law: it has no closed form, and widths need no more."""
        return self.simulate((np.arange(SEEN)[None, :] + 0.5) / SEEN)

    def cdf(self, y: Any) -> FloatArray:
        """Return each component's P(answer <= y), estimated from such answers; one row per component."""
        places = np.atleast_2d(np.asarray(y, dtype=np.float64))
        return np.stack([np.mean(own[:, None] <= at, axis=0) for own, at in zip(self.seen, places, strict=True)])

    def quantile(self, p: Any) -> FloatArray:
        """Return each component's p-quantile, estimated from such answers."""
        return np.asarray(np.quantile(self.seen, p, axis=1, method="inverted_cdf")).T

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw every count; the rest is post-processing."""
        return self.measured(np.array(noise.laplaces(self.centres, self.scale), dtype=np.float64))

    def measured(self, noisy: FloatArray) -> tuple[Measured, ...]:
        """Return the quantiles of one draw, with their intervals."""
        below = self.tree.below(noisy[None, :])[0] / self.scale
        value = self.column.bounds.value
        found = []
        for q, tick in zip(self.levels, self._ticks(noisy[None, :])[:, 0].tolist(), strict=True):
            low, high = ends(self.tree, below, q, 1 - CONFIDENCE)
            span = min(low, tick), max(min(high, self.column.bounds.top), tick)
            found.append(Measured(float(value(tick)), (float(value(span[0])), float(value(span[1])))))
        return tuple(found)

    @property
    def usual_width(self) -> float:
        """The half width of the widest interval where no count has noise."""
        spans = [each.interval for each in self.measured(np.array(self.centres, dtype=np.float64))]
        return max((high - low) / 2 for low, high in spans)


def ends(tree: Tree, below: FloatArray, q: Fraction, miss: float) -> tuple[int, int]:
    """Return the first and the last tick that may have the rank; counts are in units of the noise.

    Let D(t) be (rows up to t) - q (all rows) as computed, d(t) as it is, W(t) the noise in D(t). At the row of rank q n
    or above, d >= 0, so D is at least W there: the lower end is the first t where P(W(t) <= D(t)) >= miss / 2. Just
    below that row d <= 0: the upper end follows the last t where P(W(t) >= D(t)) >= miss / 2, or is the first tick.
    """
    apart = below - float(q) * below[-1]
    first = _first(apart, lambda at: tree.weights(q, at), miss / 2)
    last = _first(-apart[::-1], lambda at: tree.weights(q, apart.size - 1 - at), miss / 2)
    return first, apart.size - last


def _first(apart: FloatArray, weights: Callable[[IntArray], Weights], miss: float) -> int:
    """Return the first place whose noise is at most `apart` with probability `miss`, or one before it; else the end."""
    reached = np.flatnonzero(apart >= 0)
    end = int(reached[0]) if reached.size else apart.size
    places: NDArray[np.int64] = np.arange(end)
    if not places.size:
        return end
    near = places[chernoff(weights(places), -apart[:end]) >= miss]
    sure = near[:PATIENCE]
    likely = sure[sums_tail(weights(sure), -apart[sure]) >= miss] if sure.size else sure
    return int(likely[0]) if likely.size else int(near[PATIENCE]) if near.size > PATIENCE else end


@lru_cache(maxsize=1024)
def furthest_off(tree: Tree, q: Fraction, miss: float) -> float:
    """Return how far the computed distances from a rank are off at most, over all ticks, in units of the noise."""
    last = np.array([tree.ticks - 1])
    before = tree.weights(1 - q, last)  # before the first tick there are no rows: q times the noise of all
    each = miss / (2 * (tree.ticks + 1))
    places = np.arange(tree.ticks)
    return float(
        max(chernoff_width(tree.weights(q, places), each, places.shape).max(), *chernoff_width(before, each, (1,)))
    )


ADDED_UP = Phrase("The noisy counts are made to add up, and quantiles and intervals are read from them.")


class CountsAll:
    """Count all ticks with noise: what reading many quantiles from the counts shares with reading one."""

    epsilon: float
    relation: Relation

    @property
    def scale(self) -> float:
        """The public noise scale of every count, of which a row moves two."""
        moved = self.relation.rows * (2 if self.relation.change_one else 1)
        return 2 * moved / self.epsilon * ROUND_UP

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def check(self, public: Public) -> None:
        """Raise ParameterError for a grid with too many ticks."""
        if public.bounds is not None and public.bounds.top >= MOST_TICKS:
            raise ParameterError(
                "All values can be counted where there are at most {most:,}. Got {ticks:,}. Use a larger step.",
                most=MOST_TICKS,
                ticks=public.bounds.top + 1,
            )

    def counted(self, data: Column, shares: tuple[Fraction, ...]) -> Counted:
        """Return the joint law of the quantiles of some shares."""
        return Counted(data, shares, self.scale)

    def rows_off(self, ticks: int, share: Fraction, confidence: float) -> int:
        """Return by how many rows a quantile may be off: by the largest error of D over all ticks, and half a row.

        What is made ascending is at tick t between the smallest D from t on and the largest up to t. d is ascending, so
        there it is within that error of d.
        """
        return math.ceil(self.scale * furthest_off(Tree(ticks), share, 1 - confidence) + HALF)


@dataclass(frozen=True)
class QuantilesCounted(CountsAll, SeveralQuantiles):
    """Count all ticks with noise once, and read every quantile from the counts, with an interval for each.

    The grid is cut into about sqrt(T) blocks of as many ticks. The rows of every block and of every tick are counted,
    each count with Laplace(2 m/epsilon) noise. Least squares makes ticks add up to their block; the rows up to each
    tick follow and are made ascending. A quantile is the first tick with its share of all rows.
    Guarantee: epsilon-DP, no delta; with probability at least 95% on every dataset, the interval of a level contains
    the quantile of the rows that were read (of each level for itself).
    Proof: one row more raises the count of one block and of one tick by 1, so the m rows of a person move all
    counts by 2 m in L1 (change-one: 4 m), which the noise covers with epsilon. Everything else is
    post-processing. Let D(t) be the computed rows up to t less q times all rows. It is d(t) + W(t), W a weighted
    sum of the noises, with public weights. At the row of rank ceil(q n) d is 0 or more, and just below it 0 or less. An
    end leaves a tick out only where W would be as far as D with a probability below 2.5%.
    Reference: Hay, Rastogi, Miklau and Suciu 2010 for counts that add up; Qardaji, Yang and Li 2013 for wide trees;
    Davies 1973 for the tail of W. The intervals are derived here.
    Complexity: O(T) for counts, O(T) for each level.
    Corner cases: a grid of more than 4,096 ticks is refused; with no rows the quantiles are anywhere, and the
    intervals reach far; the error does not depend on how many levels there are.
    """

    slug: ClassVar[str] = "quantiles-counted"
    title: ClassVar[str] = "Several quantiles from one noisy count of all values"
    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = ADDED_UP
    why: ClassVar[Phrase | None] = Phrase(
        "all quantiles are read from the same noisy counts, so many cost no more than one"
    )
    spanned: ClassVar[bool] = True

    @property
    def additive(self) -> bool:
        """True: each row moves the counts by as much as it does alone."""
        return True

    def law(self, data: Column) -> Law:
        """Return the joint law of all levels."""
        return self.counted(data, self.shares)

    def off(self, ticks: int, confidence: float) -> tuple[int, ...]:
        """Return by how many rows each level may be off."""
        return tuple(self.rows_off(ticks, q, confidence) for q in self.shares)

    def interval(self, answer: Any, public: Public, confidence: float = CONFIDENCE) -> Any:
        """Return the intervals that were drawn, at 95% alone."""
        if confidence != CONFIDENCE or not all(isinstance(each, Measured) for each in answer):
            return None
        return tuple(each.interval for each in answer)

    def usual_width(self, data: Column) -> float:
        """Return the half width of the widest interval where no count has noise."""
        return self.counted(data, self.shares).usual_width


@dataclass(frozen=True, eq=False)
class OneCounted(Law):
    """One quantile and its interval from such counts."""

    inner: Counted = field(repr=False)

    @property
    def everything(self) -> Law:
        """All noisy counts."""
        return self.inner.everything

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y), estimated from evenly spread answers."""
        return np.asarray(np.mean(self.inner.seen[0] <= np.asarray(y, dtype=np.float64)[..., None], axis=-1))

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile, estimated from such answers."""
        return np.asarray(np.quantile(self.inner.seen[0], p, method="inverted_cdf"))

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one answer for each uniform."""
        return np.asarray(self.inner.simulate(uniforms)[0])

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw every count; the rest is post-processing."""
        drawn = self.inner.draw(noise)
        assert isinstance(drawn, tuple)
        answer: Answer = drawn[0]
        return answer


@dataclass(frozen=True)
class QuantileCounted(CountsAll, QuantileExponential):
    """Count all ticks with noise once, as quantiles-counted does, and read one quantile with its interval.

    Guarantee: epsilon-DP, no delta; with probability at least 95% on every dataset, the interval contains the
    quantile of the rows that were read, and the median.
    Proof: it is one level of quantiles-counted. Of a median both middle rows are between the ends, because d is 0 or
    more at the lower one and 0 or less just below the upper one.
    Reference: Hay, Rastogi, Miklau and Suciu 2010 for counts that add up; the interval is derived here.
    Complexity: O(T).
    Corner cases: a grid of more than 4,096 ticks is refused; with no rows the interval reaches far.
    """

    slug: ClassVar[str] = "quantile-counted"
    title: ClassVar[str] = "Median or quantile with an interval, from one noisy count of all values"
    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = ADDED_UP
    why: ClassVar[Phrase | None] = Phrase(
        "the result and its interval are read from the same noisy counts, which are not paid for twice"
    )
    compared: ClassVar[bool] = False  # worth it for the interval
    beats: ClassVar[str] = "quantile-interval"  # in ranks it is narrower on every grid that it takes: by 0.87 at most
    spanned: ClassVar[bool] = True

    def law(self, data: Column) -> Law:
        """Return the law of the quantile and its interval."""
        return OneCounted(self.counted(data, (self.share,)))

    def rank_error(self, public: Public, confidence: float = 0.95) -> int | None:
        """Return by how many rows the answer may be off, whatever the data."""
        if public.bounds is None:
            return None
        return self.rows_off(public.bounds.top + 1, self.share, confidence)

    def usual_width(self, data: Column) -> float:
        """Return the half width where no count has noise."""
        return self.counted(data, (self.share,)).usual_width
