"""Sample and aggregate: any estimator, on secret blocks of persons, made private at the end."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from discreet.budget import Account, BoundedRange, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import CONFIDENCE, ROUND_UP, Mechanism
from discreet.mechanisms.base.view import InBlocks
from discreet.mechanisms.base.vocabulary import (
    BLOCKS,
    CORE_TAIL,
    EXPONENTIAL,
    LAPLACE,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    epsilon_parameter,
    own_relation,
    parameter,
    setting,
)
from discreet.mechanisms.laws.law import Laplace, Law, Noisy
from discreet.mechanisms.laws.ranks import Aim, furthest, runs_near
from discreet.mechanisms.smooth import M_CHOICES, SmoothCoreTail
from discreet.queries import Bounds, Column, Relation
from discreet.queries.column import Blocks
from discreet.queries.estimators import registry as estimators
from discreet.queries.mean import Mean
from discreet.queries.median import Median

HALF = Fraction(1, 2)
MOST_BLOCKS = 1_000_000


@dataclass(frozen=True)
class SampleAggregate(Mechanism):
    """What every aggregator declares: the estimator, k blocks, and the public range of an estimate.

    A person is in one block, so one of k numbers changes, whatever the person's rows and whether the person is added,
    removed or changed. k is public, and so the mechanism for a column of the k estimates on the grid of [lower, upper]
    uses change-one. `default` is the estimate of a block without one.
    """

    family: ClassVar[Family] = BLOCKS
    after: ClassVar[Phrase] = Phrase("Results outside the declared range of an estimate are moved to its nearest end.")

    estimator: str = setting(Phrase("Estimator"), "mean")
    k: int = parameter(
        "Blocks",
        1,
        MOST_BLOCKS,
        default=100,
        help="A good number of blocks is about 100 / ε.",
        shown=Phrase("the number of blocks, {value}"),
    )
    lower: float = parameter("Lowest estimate", default=0.0, help="Lower estimates are raised to this value.")
    upper: float = parameter("Highest estimate", default=1.0, help="Higher estimates are lowered to this value.")
    default: float | None = setting(Phrase("Value for blocks without an estimate"), None)
    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def __post_init__(self) -> None:
        """Check the parameters; a missing default becomes the middle of the range."""
        super().__post_init__()
        if not isinstance(self.k, int):
            raise ParameterError(
                "Blocks must be a whole number between 1 and {most_blocks}. Got {k}.", most_blocks=MOST_BLOCKS, k=self.k
            )
        estimators[self.estimator]  # raises for an unknown name, and lists the known ones
        bounds = self.bounds
        if self.default is None:
            object.__setattr__(self, "default", (bounds.lower + bounds.upper) / 2)
        elif not bounds.lower <= self.default <= bounds.upper:
            raise ParameterError(
                "Default must be between {lower:.15g} and {upper:.15g}. Got {default}.",
                lower=bounds.lower,
                upper=bounds.upper,
                default=self.default,
            )

    @classmethod
    def topics(cls) -> tuple[Topic, ...]:
        """Return all estimators but the weighted ones."""
        every = (each for each in estimators.values() if not each.weighs)
        return tuple(Topic(e.name, e.label, e.columns, zeroless=e.zeroless) for e in every)

    @property
    def view(self) -> InBlocks:
        """The blocks of persons."""
        assert self.default is not None
        return InBlocks(self.estimator, self.k, self.lower, self.upper, self.default)

    def whole(self) -> Mechanism:
        """Return the mechanism with all rows in one block."""
        return replace(self, k=1)

    @property
    def bounds(self) -> Bounds:
        """The public grid of the k estimates."""
        return Bounds(self.lower, self.upper)

    @property
    def changed(self) -> Relation:
        """The neighbour relation of the k estimates."""
        return Relation(size=self.k)

    def column(self, blocks: Blocks) -> Column:
        """Round k estimates to the grid; NaN becomes the default."""
        assert self.default is not None
        numbers = np.nan_to_num(blocks.estimates, nan=self.default, posinf=np.inf, neginf=-np.inf)
        levels, counts = np.unique(self.bounds.ticks(numbers), return_counts=True)
        return Column(self.bounds, levels, counts)

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)


@dataclass(frozen=True)
class BlocksMedian(SampleAggregate):
    """The median of k block estimates by the exponential mechanism on their grid.

    Guarantee: epsilon-DP, no delta; bounded range given the blocks. It says nothing about the
    estimator's bias.
    Proof: given the secret blocks, which do not depend on anyone else, a person changes one of k estimates, so the
    distance of a tick moves by at most 1 and the log-weights of two ticks by at most epsilon apart. The normaliser
    lies between, so losses given the blocks span epsilon at most. Revealing the blocks as well would cost nothing
    more, so leaving them out keeps epsilon and epsilon^2/8-zCDP.
    Reference: Smith 2011 for the form; Nissim, Raskhodnikova and Smith 2007 for the framework.
    Complexity: O(k log k).
    Corner cases: k above the number of persons leaves blocks without estimate, which are the
    default; equal estimates are one tick; k = 1 is a single number at distance 0.
    """

    slug: ClassVar[str] = "blocks-median"
    title: ClassVar[str] = "Sample and aggregate, exponential median"
    noise: ClassVar[Noise] = EXPONENTIAL
    after: ClassVar[Phrase] = Phrase("No post-processing: the result is drawn from the declared range of an estimate.")

    @property
    def rate(self) -> float:
        """The weight of one block in the exponent, rounded towards more noise."""
        return self.epsilon / 2 / ROUND_UP

    def account(self) -> Account | None:
        """Return bounded range."""
        return BoundedRange(self.epsilon)

    def law(self, data: Blocks) -> Law:
        """Return the law over the grid of estimates."""
        return runs_near(self.column(data), Aim(HALF, public=True), self.rate)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but by how many blocks the answer may be off, whatever the data."""
        ranks = furthest(self.bounds.top + 1, self.rate, 1 - confidence)
        note = Phrase(
            "With {sure:.4g}% confidence, it is within {ranks} of {k} blocks from the median block.",
            sure=100 * confidence,
            ranks=ranks,
            k=self.k,
        )
        if ranks >= self.k / 2:
            note = Phrase("{note} The result may be anywhere: use more blocks.", note=note)
        return Forecast(None, note)


@dataclass(frozen=True)
class BlocksMean(SampleAggregate):
    """The mean of k clipped block estimates plus Laplace(R / (k epsilon)), clipped to the range.

    Guarantee: epsilon-DP, no delta. It says nothing about the estimator's bias.
    Proof: given the secret blocks, which do not depend on anyone else, a person changes one of k estimates, so their
    mean moves by at most R/k, and Laplace noise of that over epsilon hides it. This holds for all blocks, so also on
    average over them; clipping is post-processing.
    Reference: Nissim, Raskhodnikova and Smith 2007; Mohan and others 2012 (GUPT).
    Complexity: O(k).
    Corner cases: k above the number of persons leaves blocks without estimate, which are the
    default and pull the mean there; k = 1 is noise as wide as the range.
    """

    slug: ClassVar[str] = "blocks-mean"
    title: ClassVar[str] = "Sample and aggregate, noisy mean"
    noise: ClassVar[Noise] = LAPLACE
    interval_of: ClassVar[Phrase | None] = Phrase(
        "the interval is for the mean of the block estimates, not for the estimate from all rows"
    )

    @property
    def scale(self) -> float:
        """The public noise scale."""
        mean = Mean(self.changed)
        return mean.global_sensitivity(self.bounds) / self.epsilon * ROUND_UP

    def law(self, data: Blocks) -> Law:
        """Return the law around the mean of the estimates."""
        mean = Mean(self.changed)
        bounds = self.bounds
        centre = mean.exact(self.column(data))
        return Noisy(centre, self.scale, Laplace(), mean.low(bounds), mean.high(bounds))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the noise part, around the mean of the blocks and not around the truth."""
        width = self.scale * math.log(1 / (1 - confidence))
        return Forecast(width, "This covers the noise only. The bias of small blocks is added to it.")

    def interval(self, answer: Any, public: Public, confidence: float = CONFIDENCE) -> Any:
        """Return an interval for the mean of the estimates: the noise has a public scale."""
        width = self.forecast(public, confidence).half_width
        return max(self.lower, answer - width), min(self.upper, answer + width)


@dataclass(frozen=True)
class BlocksSmoothMedian(SampleAggregate):
    """The median of k block estimates plus core-tail noise scaled to its smooth sensitivity.

    Guarantee: epsilon-DP, no delta. It says nothing about the estimator's bias.
    Proof: given the secret blocks, which do not depend on anyone else, a person changes one of k estimates. Their
    median is asked under change-one by smooth-core-tail, which is epsilon-DP for any such pair. This holds for all
    blocks, so also on average over them.
    Reference: Nissim, Raskhodnikova and Smith 2007; core-tail noise is derived in
    docs/guarantees.md.
    Complexity: O(k log k) and the rungs of the ladder.
    Corner cases: k above the number of persons leaves blocks without estimate, which are the
    default; equal estimates leave a scale above 0; k = 1 is noise as wide as the range.
    """

    slug: ClassVar[str] = "blocks-smooth-median"
    title: ClassVar[str] = "Sample and aggregate, smooth median"
    noise: ClassVar[Noise] = CORE_TAIL

    m: int = parameter("Tail", choices=M_CHOICES, default=3, help="β = ε / tail.")

    @property
    def inner(self) -> SmoothCoreTail:
        """The mechanism for a column of k public numbers."""
        return SmoothCoreTail(Median(self.changed), self.epsilon, self.m)

    def law(self, data: Blocks) -> Law:
        """Return the law around the median of the estimates."""
        return self.inner.law(self.column(data))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width: the scale is private."""
        return self.inner.forecast(public, confidence)
