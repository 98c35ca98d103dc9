"""Smooth sensitivity with Laplace noise: lighter tails, at the price of a delta."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from discreet.budget import Cost
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism, OneStatistic
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    LAPLACE,
    SMOOTH,
    Family,
    Forecast,
    Noise,
    Public,
    delta_parameter,
    epsilon_parameter,
    parameter,
    statistic,
)
from discreet.mechanisms.laws.law import Laplace, Law, around
from discreet.mechanisms.smooth import secret_width, smooth_bound
from discreet.queries import Column, Query
from discreet.queries.mean import Mean

RATIOS = (0.008, 0.014, 0.02, 0.04, 0.08, 0.16, 0.3)


def laplace_delta(kappa: float, beta: float, epsilon: float) -> float:
    """Return the exact delta of noise kappa S Laplace(1) for a beta-smooth S, kappa >= 1/epsilon.

    The worst pair dilates by exp(-beta) and shifts by as much as that allows. With a smaller kappa a shift alone would
    exceed epsilon.
    """
    rise = math.expm1(beta)
    left, right = ((epsilon + beta + sign / kappa) / rise for sign in (-1, 1))
    return 0.5 * -math.expm1(-beta) * (math.exp(-left) + math.exp(-right))


@lru_cache(maxsize=1024)
def laplace_kappa(beta: float, epsilon: float, delta: float) -> float:
    """Return the smallest kappa from 1/epsilon on, rounded up, that keeps to delta, or infinity."""
    low = 1 / epsilon
    high = 1e12 / epsilon
    if laplace_delta(high, beta, epsilon) > delta:
        return math.inf
    for _ in range(200):
        middle = math.sqrt(low * high)
        fits = laplace_delta(middle, beta, epsilon) <= delta
        low, high = (low, middle) if fits else (middle, high)
    return high * ROUND_UP


@dataclass(frozen=True)
class SmoothLaplace(OneStatistic):
    """f(x) + kappa S Laplace(1), S the beta-smooth sensitivity, kappa from an exact closed form.

    Guarantee: (epsilon, delta)-DP: kappa >= 1/epsilon solves delta = (1 - exp(-beta))(exp(-z1) +
    exp(-z2))/2 with z = (epsilon + beta -+ 1/kappa)/(exp(beta) - 1).
    Proof: S bounds |f(x) - f(x')| at both neighbours and changes by a factor of at most exp(beta),
    so one family of shifts and dilations covers all datasets. A shift alone loses 1/kappa, epsilon
    at most. Towards a scale smaller by exp(-u), shifted by s/exp(u), the loss exceeds epsilon in
    both tails only; delta is (1 - exp(-u)) exp(-(epsilon + u)/(exp(u) - 1)) cosh(s/(exp(u) - 1)),
    which grows with s, up to 1/kappa, and then with u, up to beta, as s <= epsilon. Towards a
    larger scale no loss exceeds epsilon if epsilon >= 2 ln 2; below that it does around the centre,
    and that its delta is smaller is not proven, only checked on grids.
    Reference: Nissim, Raskhodnikova and Smith 2007, whose kappa = 2/epsilon spends a small part of
    the delta it claims.
    Complexity: O(K) rungs, K = 27.7 / beta.
    Corner cases: a beta for which no scale keeps to delta is refused with the sentence that says
    so; S never falls below 2^-40 of the global sensitivity.
    """

    slug: ClassVar[str] = "smooth-laplace"
    title: ClassVar[str] = "Smooth sensitivity, Laplace noise"
    family: ClassVar[Family] = SMOOTH
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = CLIPPED

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()
    delta: float = delta_parameter()
    ratio: float = parameter(
        "β / ε", 0.001, 0.5, default=0.02, help="Use a small value for means and a larger one for medians."
    )

    def __post_init__(self) -> None:
        """Raise ParameterError for a beta for which no noise is enough."""
        super().__post_init__()
        if math.isinf(self.kappa):
            raise ParameterError(
                "β / ε must be smaller for δ = {delta:.3g}: at {ratio:.3g} no noise is enough. Try half of it.",
                delta=self.delta,
                ratio=self.ratio,
            )

    def variants(self, stand_in: Column) -> Sequence[Mechanism]:
        """Return the ratios for which there is a noise scale."""
        return [replace(self, ratio=r) for r in RATIOS if not math.isinf(self._at(r))]

    def _at(self, ratio: float) -> float:
        return laplace_kappa(self.epsilon * ratio, self.epsilon, self.delta)

    @property
    def beta(self) -> float:
        """The public smoothing parameter."""
        return self.epsilon * self.ratio

    @property
    def kappa(self) -> float:
        """The public ratio of the noise scale to S."""
        return laplace_kappa(self.beta, self.epsilon, self.delta)

    def cost(self) -> Cost:
        """Return (epsilon, delta)."""
        return Cost.of(self.epsilon, self.delta)

    def law(self, data: Column) -> Law:
        """Return the law around f(x)."""
        scale = self.kappa * smooth_bound(self.query, data, self.beta) * ROUND_UP
        return around(self.query, data, scale, Laplace())

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width: S is private."""
        times = self.kappa * math.log(1 / (1 - confidence))
        return secret_width(times)
