"""A mean, a sum or a spread whose upper bound is found and used in one release: for bounds that are far too wide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any, ClassVar

import numpy as np

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism, checked_sensitivity, of_statistics
from discreet.mechanisms.base.view import OneColumn, View
from discreet.mechanisms.base.vocabulary import (
    CLIPPED_AT,
    LAPLACE,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    epsilon_parameter,
    own_relation,
    parameter,
)
from discreet.mechanisms.laws import selecting
from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.law import Answer, Laplace, Law, Measured, Noisy
from discreet.mechanisms.laws.moments import Linear, Moments, Scale, Spread
from discreet.mechanisms.laws.ranks import reached
from discreet.mechanisms.laws.ratio import SoftCounts
from discreet.mechanisms.private_bounds import geometric_grid
from discreet.mechanisms.soft_moments import piece_sums
from discreet.noise.protocol import NoiseSource
from discreet.queries import Bounds, Column, Relation
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum
from discreet.queries.variance import StandardDeviation, Variance

UNLIKELY = 1e-13
WORTH = 2
LOOSE = 8  # a declared bound that many times as far as the found one is named
LEAD = 1.25  # if the bound was tight after all, it is 1.4 times worse
EVENTS = np.concatenate((-(2.0 ** np.arange(5, -4, -1)), np.arange(0, 24, 0.5), 24 + 2.0 ** np.arange(-3, 6)))
COARSE = np.append(EVENTS[::3], EVENTS[-1])  # of three counts


@dataclass(frozen=True, eq=False)
class BoundAndMean(Law):
    """A choice among upper bounds, and soft counts of the rows after clipping at the chosen bound.

    As a number the answer is what is computed from them; only the chosen bound and these counts are shown.
    """

    points: FloatArray = field(repr=False)
    distances: IntArray = field(repr=False)
    rate: float
    inside: tuple[SoftCounts | Moments, ...] = field(repr=False)

    @property
    def draws(self) -> int:
        """One uniform for the bound, and one for each count."""
        return 1 + self.inside[0].draws

    @property
    def probabilities(self) -> FloatArray:
        """The exact probability of each bound."""
        return selecting.exponential(-self.distances, self.rate)

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        return np.asarray(sum(p * law.cdf(y) for p, law in self._likely) / sum(p for p, _ in self._likely))

    @property
    def _likely(self) -> list[tuple[float, SoftCounts | Moments]]:
        """The laws inside the bounds that are ever picked, with their probabilities."""
        return [(p, law) for p, law in zip(self.probabilities, self.inside, strict=True) if p > UNLIKELY]

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile: where the cdf reaches p."""
        last = self.inside[-1]
        if isinstance(last, SoftCounts):
            return reached(self.cdf, p, last.low, last.width)
        ends = np.array([law.quantile([0.0, 1.0]) for _, law in self._likely])
        return reached(self.cdf, p, float(ends.min()), float(np.ptp(ends)))

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return answers, each inside a bound of its own."""
        ends = np.cumsum(self.probabilities)
        at = np.minimum(np.searchsorted(ends, uniforms[0] * ends[-1]), ends.size - 1)
        answers = np.empty(at.size)
        for place in np.unique(at):
            here = at == place
            answers[here] = self.inside[place].simulate(uniforms[1:, here])
        return answers

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw a bound, then the counts inside it; return the number with its interval, and the bound."""
        at = noise.exponential(self.distances.tolist(), [1] * self.distances.size, self.rate)
        return self.inside[at].draw(noise), float(self.points[at])


@anatomy.register
def clipped(law: BoundAndMean) -> Anatomy:
    """Decompose the joint law of bound and counts, on public events whose outer ones reach every largest loss."""
    pairs = [(each.first, each.second) if isinstance(each, SoftCounts) else each.parts for each in law.inside]
    edges = (EVENTS if len(pairs[0]) == 2 else COARSE) * max(1.0, pairs[0][0].scale)
    low = np.append(-np.inf, edges)
    high = np.append(edges, np.inf)
    each = [[anatomy(count).mass(low, high) for count in pair] for pair in pairs]
    together = [p * reduce(np.multiply.outer, every).ravel() for p, every in zip(law.probabilities, each, strict=True)]
    masses = np.concatenate(together)
    return Anatomy(points=np.arange(masses.size, dtype=np.float64), masses=masses)


@dataclass(frozen=True)
class ClippedMean(Mechanism):
    """The mean of values clipped at an upper bound that a share of epsilon picks from the rows.

    The bounds g_0 < g_1 < ... of a public grid double, and g_j is picked with probability proportional to
    exp(-e1 (#{x > g_j} + d j) / m): a bound doubles for d rows or more. With the rest e2 of epsilon the two
    soft counts sum (x-l)/(g-l) and sum (g-x)/(g-l) of the clipped rows get Laplace(m/e2) each. Where
    nearly all rows lie far below the declared bound, the noise follows g and no longer that bound.
    Guarantee: epsilon-DP, no delta, for the mean, the bound and both counts together.
    Proof: one row more raises #{x > g} by 0 or 1 for every g, so the m rows of a person move all
    log-weights one way and two of them apart by at most e1: the choice costs e1. Given the bound a row of
    the clipped rows moves the two counts by (t, 1-t), in L1 by 1, so m rows cost e2 (see
    two-counts). The second step follows from the first one's answer alone, and both add up.
    Reference: McSherry and Talwar 2007 for the choice; two-counts for the mean.
    Complexity: O(grid).
    Corner cases: the answer is of clipped values, and how far rows beyond the bound would move it is not revealed;
    few rows, below d for each point of the grid, choose a bound that is far too low; with no rows the result is near
    the middle of the range that was chosen; a public size is refused.
    """

    slug: ClassVar[str] = "clipped-mean"
    title: ClassVar[str] = "Mean with an automatic upper bound"
    family: ClassVar[Family] = CLIPPED_AT
    answers: ClassVar[tuple[Topic, ...]] = of_statistics(Mean.name)
    single: ClassVar[bool] = False
    sized: ClassVar[bool] = True
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = Phrase("Values above the chosen bound count as that bound, which lowers the mean.")
    refused_size: ClassVar[Phrase] = Phrase(
        "This mean needs a private number of rows. With a public number, use Laplace noise."
    )

    epsilon: float = epsilon_parameter()
    share: float = parameter(
        "Share for the bound", 0.01, 0.9, default=0.3, help="This share of ε is spent on finding the bound."
    )
    doubling: float | None = parameter(
        "Rows to double the bound", 1, 1e13, help="This number of extra rows is needed to double the bound."
    )
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def __post_init__(self) -> None:
        """Set the default of the rows for a doubling, check the parameters, and refuse a public size."""
        self.parameters()["epsilon"].check(self.epsilon)
        self.parameters()["share"].check(self.share)
        if self.doubling is None:
            preset = math.ceil(WORTH * self.relation.rows / (self.epsilon * self.share))
            object.__setattr__(self, "doubling", preset)
        super().__post_init__()
        if self.relation.change_one:
            raise ParameterError(self.refused_size)

    @property
    def additive(self) -> bool:
        """True: each row moves the log-probabilities of bounds, and both counts, by as much as it does alone."""
        return True

    @property
    def view(self) -> View:
        """The column of the mean."""
        return OneColumn(Mean(self.relation), self.public_rows)

    @property
    def rate(self) -> float:
        """The weight of one row in the exponent of the choice, rounded towards more noise."""
        return self.epsilon * self.share / self.relation.rows / ROUND_UP

    @property
    def scale(self) -> float:
        """The public noise scale of both counts."""
        return self.relation.rows / (self.epsilon * (1 - self.share)) * ROUND_UP

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the two numbers of an answer."""
        return Phrase("mean of the values, clipped at the bound"), Phrase("the bound that was chosen")

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def law(self, data: Column) -> Law:
        """Return the law of bound and mean."""
        assert self.doubling is not None
        grid = geometric_grid(data.bounds, 2.0)[1:]
        below = np.concatenate(([0], data.ends))[np.searchsorted(data.levels, grid, side="right")]
        distances = data.n - below + math.ceil(self.doubling) * np.arange(grid.size)
        points = np.asarray(data.bounds.value(grid), dtype=np.float64)
        pairs = zip(grid.tolist(), below.tolist(), strict=True)
        return BoundAndMean(points, distances, self.rate, tuple(self._inside(data, *pair) for pair in pairs))

    def _counts(self, data: Column, top: int, below: int) -> tuple[Noisy, Noisy]:
        """Return both soft counts of the rows clipped at a tick, with noise."""
        total = int(data.prefix(below)) + top * (data.n - below)
        above = Fraction(total, top)
        return Noisy(above, self.scale, Laplace()), Noisy(data.n - above, self.scale, Laplace())

    def _inside(self, data: Column, top: int, below: int) -> SoftCounts | Moments:
        first, second = self._counts(data, top, below)
        return SoftCounts(first, second, True, float(data.bounds.value(0)), float(data.bounds.distance(top)))

    def needed(self, bounds: Bounds) -> float:
        """Return how many rows are needed to move the bound through the whole grid."""
        assert self.doubling is not None
        return self.doubling * geometric_grid(bounds, 2.0).size

    def lead(self, public: Public) -> float:
        """Return a margin, as the gain depends on the shape; infinity if too few rows would give the lowest bounds."""
        enough = public.bounds is not None and (public.size_guess or 0) >= self.needed(public.bounds)
        return LEAD if enough else math.inf

    def rows_about(self, answer: Any) -> float | None:
        """Return the sum of both counts."""
        return answer[0].size if isinstance(answer, tuple) and isinstance(answer[0], Measured) else None

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but how many rows let the bound double, and whether there are enough for that."""
        assert self.doubling is not None
        note = Phrase(
            "About {rows:.3g} rows above a bound are needed to double it, which also doubles the noise.",
            rows=self.doubling,
        )
        if (
            public.bounds is not None
            and public.size_guess is not None
            and public.size_guess < self.needed(public.bounds)
        ):
            note = Phrase("{note} With so few rows, the chosen bound may be far too low.", note=note)
        return Forecast(None, note)

    def loose(self, answers: Sequence[Any], public: Public) -> Phrase | None:
        """Return that the declared bound is far above the largest that was found: post-processing of the answers."""
        if public.bounds is None:
            return None
        low = float(public.bounds.value(0))
        far = float(public.bounds.value(public.bounds.top)) - low
        found = max(float(bound) for _, bound in answers) - low
        if found * LOOSE > far:
            return None
        return Phrase(
            "The bounds are loose: the chosen bound is {times} times nearer to the lower one than the declared one. "
            "A smaller upper bound makes the next results more precise.",
            times=round(far / max(found, float(public.bounds.resolution))),
        )


@dataclass(frozen=True)
class ClippedSum(ClippedMean):
    """The sum of values clipped at an upper bound that a share of epsilon picks from the rows.

    The bound g is picked as clipped-mean picks it, and the same two soft counts A = sum (x-l)/(g-l) and B = sum
    (g-x)/(g-l) of the clipped rows get Laplace(m/e2) each. The sum is g A + l B, the number of rows A + B.
    Guarantee: epsilon-DP, no delta, for the sum, the bound and both counts together.
    Proof: bound and both counts are those of clipped-mean; the sum is computed from them.
    Reference: McSherry and Talwar 2007 for the choice; two-counts for the soft counts.
    Complexity: O(grid).
    Corner cases: the answer is of clipped values, and how much rows beyond the bound would add is not revealed;
    few rows, below d for each point of the grid, choose a bound that is far too low; a public size is refused.
    """

    slug: ClassVar[str] = "clipped-sum"
    title: ClassVar[str] = "Sum with an automatic upper bound"
    answers: ClassVar[tuple[Topic, ...]] = of_statistics(Sum.name)
    after: ClassVar[Phrase] = Phrase("Values above the chosen bound count as that bound, which lowers the sum.")
    refused_size: ClassVar[Phrase] = Phrase(
        "This sum needs a private number of rows. With a public number, use Laplace noise."
    )

    @property
    def view(self) -> View:
        """The column of the sum."""
        return OneColumn(Sum(self.relation), self.public_rows)

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the two numbers of an answer."""
        return Phrase("sum of the values, clipped at the bound"), Phrase("the bound that was chosen")

    def _inside(self, data: Column, top: int, below: int) -> Moments:
        """Return the law of the sum; the count of what is below a value comes first."""
        above, beneath = self._counts(data, top, below)
        scale = Scale(self.scale, 2, float(data.bounds.value(0)), float(data.bounds.distance(top)))
        return Moments((beneath, above), Linear(True), scale)


@dataclass(frozen=True)
class ClippedVariance(ClippedMean):
    """The variance of values clipped at an upper bound that a share of epsilon picks from the rows.

    The bound g is picked as clipped-mean picks it. With t = (x-l)/(g-l) of the clipped rows, the three soft moments,
    the sums of (1-t)^2, 2t(1-t) and t^2, get Laplace(m/e2) each, and the variance is computed from them.
    Guarantee: epsilon-DP, no delta, for the variance, the bound and all three sums together.
    Proof: the choice of the bound costs e1 (see clipped-mean). Given the bound, a row of the clipped rows moves the
    three sums in L1 by exactly 1 (see soft-moments), so m rows cost e2. The second step follows from the first one's
    answer alone, and both add up.
    Reference: McSherry and Talwar 2007 for the choice; soft-moments for the three sums.
    Complexity: O(rows) for each point of the grid.
    Corner cases: the answer is of clipped values, whose variance is never larger, and by how much is not revealed;
    few rows, below d for each point of the grid, choose a bound that is far too low; no rows, or a noisy number of
    them that is not above 0, answer 0; a public size is refused.
    """

    slug: ClassVar[str] = "clipped-variance"
    title: ClassVar[str] = "Variance with an automatic upper bound"
    answers: ClassVar[tuple[Topic, ...]] = of_statistics(Variance.name)
    after: ClassVar[Phrase] = Phrase("Values above the chosen bound count as that bound, which lowers the variance.")
    refused_size: ClassVar[Phrase] = Phrase(
        "This variance needs a private number of rows. With a public number, use Laplace noise."
    )
    root: ClassVar[bool] = False

    @property
    def view(self) -> View:
        """The column of the variance."""
        return OneColumn(Variance(self.relation), self.public_rows)

    def check(self, public: Public) -> None:
        """Raise ParameterError for bounds within which a variance is too large to be computed."""
        if public.bounds is not None:
            checked_sensitivity(Variance(self.relation), public.bounds)

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the two numbers of an answer."""
        return Phrase("variance of the values, clipped at the bound"), Phrase("the bound that was chosen")

    def _inside(self, data: Column, top: int, below: int) -> Moments:
        """Return the law of the spread of the rows clipped at a tick."""
        under = data.levels < top
        levels, counts = np.append(data.levels[under], top), np.append(data.counts[under], data.counts[~under].sum())
        clipped = Column(data.bounds, levels, counts)
        parts = tuple(Noisy(each, self.scale, Laplace()) for each in piece_sums(clipped, 3, top))
        scale = Scale(self.scale, 3, float(data.bounds.value(0)), float(data.bounds.distance(top)))
        return Moments(parts, Spread(self.root), scale)


@dataclass(frozen=True)
class ClippedDeviation(ClippedVariance):
    """The standard deviation of values clipped at an upper bound that a share of epsilon picks from the rows.

    It is the root of the variance that clipped-variance computes.
    Guarantee: epsilon-DP, no delta, for the standard deviation, the bound and all three sums together.
    Proof: bound and sums are those of clipped-variance; the standard deviation is computed from them.
    Reference: McSherry and Talwar 2007 for the choice; soft-moments for the three sums.
    Complexity: O(rows) for each point of the grid.
    Corner cases: as those of clipped-variance.
    """

    slug: ClassVar[str] = "clipped-standard-deviation"
    title: ClassVar[str] = "Standard deviation with an automatic upper bound"
    answers: ClassVar[tuple[Topic, ...]] = of_statistics(StandardDeviation.name)
    after: ClassVar[Phrase] = Phrase(
        "Values above the chosen bound count as that bound, which lowers the standard deviation."
    )
    refused_size: ClassVar[Phrase] = Phrase(
        "This standard deviation needs a private number of rows. With a public number, use Laplace noise."
    )
    root: ClassVar[bool] = True

    @property
    def view(self) -> View:
        """The column of the standard deviation."""
        return OneColumn(StandardDeviation(self.relation), self.public_rows)

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the two numbers of an answer."""
        return Phrase("standard deviation of the values, clipped at the bound"), Phrase("the bound that was chosen")
