"""The textbook's propose-test-release, with a threshold that is twice too small."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import OneStatistic
from discreet.mechanisms.base.vocabulary import PTR, Family, Public, parameter, statistic
from discreet.mechanisms.exhibits.exhibit import ApproximateExhibit, Guarantee
from discreet.mechanisms.laws.law import Gated, Laplace, Law, Noisy
from discreet.noise.protocol import NoiseSource
from discreet.queries import Column, Query
from discreet.queries.mean import Mean

FARTHEST = 2**40


def distance(query: Query, column: Column, b: float) -> float:
    """Return the smallest k with A(k) > b: infinite if b covers every dataset."""

    def above(k: int) -> bool:
        return float(query.ladder(column, np.array([k]))[0]) > b

    if query.global_sensitivity(column.bounds) <= b:
        return math.inf
    low = -1
    high = 1
    while not above(high):
        low, high = high, 2 * high
        if high > FARTHEST:
            return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if above(middle) else (middle, high)
    return float(high)


@dataclass(frozen=True)
class LaplaceTest:
    """Whether a private distance plus Laplace noise reaches a public threshold."""

    __test__: ClassVar[bool] = False

    distance: float = field(repr=False)
    threshold: float
    scale: float

    @property
    def chance(self) -> float:
        """The probability of passing."""
        return float(Laplace().cdf((self.distance - self.threshold) / self.scale))

    def draw(self, noise: NoiseSource) -> bool:
        """Draw once."""
        if math.isinf(self.distance):
            return True
        return noise.laplace(self.distance, self.scale) >= self.threshold


@dataclass(frozen=True)
class TextbookPTR(OneStatistic, ApproximateExhibit):
    """Refuse if D + Laplace(1/epsilon) < ln(2/delta)/(2 epsilon), else f(x) + Laplace(b/epsilon).

    Guarantee: exactly (2 epsilon, sqrt(delta/2)/2): the test and the answer cost epsilon each, and
    at distance 0 the test passes with probability exp(-epsilon threshold)/2 = sqrt(delta/2)/2.
    Claim: (epsilon, delta)-DP.
    Reference: Dwork and Lei 2009, whose threshold is ln(1/delta)/epsilon and whose epsilon is
    spent twice; the textbook's threshold is that of smooth sensitivity's beta.
    Corner cases: b at or above the global sensitivity never ends the printed search for D; here D
    is infinite and the test always passes. No rows have a distance like any other dataset.
    """

    slug: ClassVar[str] = "textbook-ptr"
    title: ClassVar[str] = "Textbook: propose-test-release"
    family: ClassVar[Family] = PTR

    query: Query = statistic(Mean)
    b: float = parameter(
        "Proposed sensitivity", 1e-300, 1e300, default=0.005, help="The proposed sensitivity is public."
    )

    @property
    def threshold(self) -> float:
        """The printed threshold."""
        return math.log(2 / self.delta) / (2 * self.epsilon)

    @property
    def claim(self) -> Guarantee:
        """The printed claim."""
        return Guarantee(self.epsilon, self.delta, "(ε, δ)-DP by composition.")

    def true_guarantee(self, public: Public) -> Guarantee:
        """Return the guarantee that is valid for every statistic, and tight for some."""
        delta = math.exp(-self.epsilon * self.threshold) / 2
        times = delta / self.delta
        return Guarantee(
            2 * self.epsilon,
            delta,
            Phrase(
                "Twice the ε, and a δ of {delta:.3g}, which is {times:.3g} times the claim.", delta=delta, times=times
            ),
        )

    def law(self, data: Column) -> Law:
        """Return the law as printed."""
        test = LaplaceTest(distance(self.query, data, self.b), self.threshold, 1 / self.epsilon)
        return Gated(test, Noisy(self.query.exact(data), self.b / self.epsilon, Laplace()))
