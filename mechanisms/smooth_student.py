"""Smooth sensitivity with Student-t noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism, OneStatistic
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    SMOOTH,
    STUDENT,
    Family,
    Forecast,
    Noise,
    Public,
    epsilon_parameter,
    parameter,
    statistic,
)
from discreet.mechanisms.laws.law import Law, Student, around
from discreet.mechanisms.smooth import secret_width, smooth_bound
from discreet.queries import Column, Query
from discreet.queries.median import Median

HALVINGS = 64  # of 42 powers of e: the rest is below all digits
RATIOS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.45, 0.6)


def student_loss(kappa: float, beta: float, nu: int) -> float:
    """Return the exact epsilon of noise kappa S T for a beta-smooth S, T Student-t(nu).

    The ratio of the two densities is a power of a ratio of quadratics, whose supremum is the
    largest root of nu mu^2 - (nu + s^2 t^2 + nu s^2) mu + nu s^2 at a shift t and a dilation 1/s.
    The sum is mu - 1, from terms without cancellation: a small epsilon needs all digits.
    """
    worst = 0.0
    for log_ratio in (-beta, 0.0, beta):
        s = math.exp(-log_ratio)
        moved = (s * min(1.0, 1 / s) / kappa) ** 2
        root = math.sqrt(nu * math.expm1(-log_ratio) ** 2 + moved)
        root *= math.sqrt(nu * (1 + s) ** 2 + moved)
        above = (nu * math.expm1(-2 * log_ratio) + moved + root) / (2 * nu)
        worst = max(worst, log_ratio + (nu + 1) / 2 * math.log1p(above))
    return worst


@lru_cache(maxsize=8192)
def student_kappa(epsilon: float, beta: float, nu: int) -> float:
    """Return the smallest kappa, rounded up, with a loss of epsilon; infinity if there is none."""
    low = 1e-6 / epsilon
    high = 1e12 / epsilon
    if student_loss(high, beta, nu) > epsilon:
        return math.inf
    for _ in range(HALVINGS):
        middle = math.sqrt(low * high)
        fits = student_loss(middle, beta, nu) <= epsilon
        low, high = (low, middle) if fits else (middle, high)
    return high * ROUND_UP


@dataclass(frozen=True)
class SmoothStudent(OneStatistic):
    """f(x) + kappa S T with Student-t noise T, S the beta-smooth sensitivity.

    Guarantee: epsilon-DP, no delta; kappa is the supremum of a ratio of quadratics in closed form
    at the corners of shift and dilation, checked against grids of pairs.
    Proof: S bounds |f(x) - f(x')| at both neighbours and changes by a factor of at most exp(beta),
    so one family of shifts and dilations covers all datasets. At a given pair the largest loss is
    exact, by the larger root of a quadratic. That a dilation by exp(-beta), 1 or exp(beta) with the
    largest shift is the worst pair is not proven, only checked on grids.
    Reference: Bun and Steinke 2019, "Average-case averages", whose bound is 1.4 to 2 times wider.
    Complexity: O(K) rungs, K = 27.7 / beta.
    Corner cases: nu beta must be below epsilon, or no scale is enough; nu = 1 (Cauchy) has no mean
    error; S never falls below 2^-40 of the global sensitivity.
    """

    slug: ClassVar[str] = "smooth-student"
    title: ClassVar[str] = "Smooth sensitivity, Student-t noise"
    family: ClassVar[Family] = SMOOTH
    noise: ClassVar[Noise] = STUDENT
    after: ClassVar[Phrase] = CLIPPED

    query: Query = statistic(Median)
    epsilon: float = epsilon_parameter()
    nu: int = parameter(
        "Degrees of freedom",
        choices=(1, 2, 3, 4, 6, 8),
        default=3,
        help="With 3 degrees of freedom, the RMSE is finite.",
    )
    ratio: float = parameter("β / ε", 0.001, 0.95, default=0.1, help="β / ε must be below 1 / degrees of freedom.")

    def __post_init__(self) -> None:
        """Raise ParameterError for a beta for which no noise is enough."""
        super().__post_init__()
        if math.isinf(self.kappa):
            raise ParameterError(
                "β / ε must be below 1 / degrees of freedom = {limit:.3g}. Got {ratio:.3g}.",
                limit=1 / self.nu,
                ratio=self.ratio,
            )

    def variants(self, stand_in: Column) -> Sequence[Mechanism]:
        """Return the tails and ratios for which there is a noise scale."""
        return [replace(self, nu=nu, ratio=ratio) for nu in (1, 2, 3, 4, 6) for ratio in RATIOS if nu * ratio < 0.99]

    @property
    def beta(self) -> float:
        """The public smoothing parameter."""
        return self.epsilon * self.ratio

    @property
    def kappa(self) -> float:
        """The public ratio of the noise scale to S."""
        return student_kappa(self.epsilon, self.beta, self.nu)

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def law(self, data: Column) -> Law:
        """Return the law around f(x)."""
        scale = self.kappa * smooth_bound(self.query, data, self.beta) * ROUND_UP
        return around(self.query, data, scale, Student(self.nu))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width: S is private."""
        times = self.kappa * float(Student(self.nu).quantile((1 + confidence) / 2))
        return secret_width(times)
