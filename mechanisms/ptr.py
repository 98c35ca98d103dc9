"""Propose-test-release: noise for a proposed bound, if the data are far from exceeding it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from discreet.budget import Cost
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.distance_test import BestTest, PureTest, Threshold, best_chances, distance
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism, OneStatistic
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    PTR,
    TESTED,
    Family,
    Forecast,
    Noise,
    Public,
    delta_parameter,
    epsilon_parameter,
    parameter,
    statistic,
)
from discreet.mechanisms.laws.law import Gated, Laplace, Law, around
from discreet.queries import Bounds, Column, Query
from discreet.queries.mean import Mean

SMALLEST_TEST = 0.001
SHARES = (0.01, 0.03, 0.06, 0.1, 0.2, 0.35, 0.5, 0.7)
MARGIN = 1.02  # a proposal is rounded to three digits; this keeps it above the rung


def check_test(epsilon: float) -> None:
    """Raise ParameterError for a part of epsilon that is too small to compute a test."""
    if epsilon < SMALLEST_TEST:
        raise ParameterError(
            "ε times the test share must be at least {smallest_test}. Got {epsilon_test:.3g}.",
            smallest_test=SMALLEST_TEST,
            epsilon_test=epsilon,
        )


def share_parameter() -> Any:
    """Declare the part of epsilon that a test spends."""
    return parameter("Test share", 0.001, 0.999, default=0.5, help="This share of ε is spent on the test.")


@dataclass(frozen=True)
class ProposeTestRelease(OneStatistic):
    """Propose b; refuse unless the noisy distance reaches T; release f(x) + Laplace(b/e2).

    The distance D is the number of persons between the data and a local sensitivity above b. The
    test spends e1, the answer e2 = epsilon - e1; T = ceil(ln(1/(delta (1 + exp(-e1))))/e1).
    Guarantee: (epsilon, delta)-DP. A refusal of the pure test costs (e1, delta) only; the best
    test passes earlier and costs everything either way.
    Proof: D moves by at most 1, so the pure test is e1-DP. If D is at least 1 on one side, then
    |f(x) - f(x')| <= b and the answer is e2-DP; if D is 0 on both, both pass with the same chance,
    at most delta. The best test starts at delta too and takes at each next distance the largest
    chance that keeps the divergence of answers b apart within delta.
    Reference: Dwork and Lei 2009, "Differential privacy and robust statistics"; Rogers, Roth,
    Ullman and Vadhan 2016 for charging what was used. The constants are proven in
    docs/guarantees.md; textbooks print smaller ones that are not private.
    Complexity: 11 to 30 rungs of the ladder, a public number.
    Corner cases: a distance of 0 is tested like any other; a bound at or above the global
    sensitivity needs no test (public), and all of epsilon goes into the answer's noise.
    """

    slug: ClassVar[str] = "propose-test-release"
    title: ClassVar[str] = "Propose-test-release"
    family: ClassVar[Family] = PTR
    noise: ClassVar[Noise] = TESTED
    after: ClassVar[Phrase] = CLIPPED

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()
    delta: float = delta_parameter()
    b: float = parameter(
        "Bound b",
        1e-280,
        1e300,
        default=1.0,
        help="This is the proposed bound on the local sensitivity.",
        shown=Phrase("the proposed bound b, {value}"),
    )
    share: float = share_parameter()
    test: str = parameter(
        "Test",
        choices=("pure", "best"),
        default="pure",
        help="The best test passes more often, but a failed test spends the full cost.",
    )

    def __post_init__(self) -> None:
        """Raise ParameterError for tests that could not be computed."""
        super().__post_init__()
        check_test(self.epsilon_test)

    def variants(self, stand_in: Column) -> Sequence[Mechanism]:
        """Return proposals that pass with probability 95 % on the stand-in, for several test shares."""
        tried = [self.epsilon * share for share in SHARES]
        return [self._passing(e / self.epsilon, stand_in) for e in tried if e >= SMALLEST_TEST]

    def _passing(self, share: float, stand_in: Column) -> ProposeTestRelease:
        asked = replace(self, share=share)
        rung = float(self.query.ladder(stand_in, np.array([asked.needed()]))[0])
        least = float(stand_in.bounds.resolution) / 2  # how far a median moves, if it moves
        return replace(asked, b=float(f"{rung * MARGIN or least:.3g}"))

    @property
    def epsilon_test(self) -> float:
        """The part of epsilon that the test spends."""
        return self.epsilon * self.share

    @property
    def epsilon_answer(self) -> float:
        """The part of epsilon that the answer spends."""
        return self.epsilon - self.epsilon_test

    def cost(self) -> Cost:
        """Return (epsilon, delta)."""
        return Cost.of(self.epsilon, self.delta)

    def refusal_cost(self) -> Cost:
        """Return (e1, delta) for the pure test, the full cost for the best one."""
        return self.cost() if self.test == "best" else Cost.of(self.epsilon_test, self.delta)

    def refused(self) -> Phrase:
        """Return the meaning of a refusal."""
        return Phrase("The test failed: the dataset may be too close to a jump. A larger bound b may pass.")

    def trivial(self, bounds: Bounds) -> bool:
        """Return whether the proposal is valid for every dataset, so that no test is needed."""
        return self.b >= self.query.global_sensitivity(bounds)

    def law(self, data: Column) -> Law:
        """Return the law of the answer behind the test."""
        inner = around(self.query, data, self.scale(data.bounds), Laplace())
        return inner if self.trivial(data.bounds) else Gated(self.tested(data), inner)

    def scale(self, bounds: Bounds) -> float:
        """Return the public noise scale, which never depends on the data."""
        if self.trivial(bounds):
            return self.query.global_sensitivity(bounds) / self.epsilon * ROUND_UP
        return self.b / self.epsilon_answer * ROUND_UP

    def tested(self, data: Column) -> PureTest | BestTest:
        """Return the test at the private distance."""
        if self.test == "pure":
            pure = Threshold(self.epsilon_test, self.delta)
            return PureTest(distance(self.query, data, self.b, pure.cap), pure)
        table = best_chances(self.epsilon, self.epsilon_answer, self.delta)
        away = distance(self.query, data, self.b, len(table))
        return BestTest(away, self.epsilon, self.epsilon_answer, self.delta)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width of an answer, if there is one."""
        if public.bounds is None:
            return Forecast(None, "The bounds are not declared yet.")
        width = self.scale(public.bounds) * math.log(1 / (1 - confidence))
        note = Phrase(
            "This applies if the test passes. The chance of passing is at least 95% once {needed} or "
            "more people would have to change.",
            needed=self.needed(),
        )
        return Forecast(width, note, exact=True)

    def needed(self, chance: float = 0.95) -> int:
        """Return the smallest distance that passes with the given probability: public."""
        if self.test == "best":
            table = best_chances(self.epsilon, self.epsilon_answer, self.delta)
            return next((k for k, p in enumerate(table) if p >= chance), len(table))
        pure = Threshold(self.epsilon_test, self.delta)
        a = math.exp(-1 / pure.scale)
        return pure.least + max(0, math.ceil(-math.log((1 - chance) * (1 + a)) * pure.scale) - 1)


def propose_mean(bounds: Bounds, epsilon: float, delta: float, size_guess: int) -> dict[str, float]:
    """Return a bound and a test share for the mean from public inputs alone.

    The distance is about n - R/b, so e1 = sqrt(c epsilon / n) balances both kinds of noise, with c the logarithms of
    what the test needs to pass with probability 95 %.
    """
    c = math.log(1 / (2 * delta)) + math.log(1 / (2 * 0.05))
    first = min(max(math.sqrt(c * epsilon / size_guess), SMALLEST_TEST), epsilon / 2)
    left = max(size_guess - c / first, 1.0)
    return {"b": bounds.width / left, "share": first / epsilon}
