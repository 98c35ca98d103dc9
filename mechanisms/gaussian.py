"""Global sensitivity with Gaussian noise, calibrated exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import scipy  # SciPy's solver is loaded when a scale is computed: otherwise every command would wait for it
from scipy import special

from discreet.budget import Account, Cost, GaussianAccount
from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, OneStatistic, checked_sensitivity
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    GAUSSIAN,
    GLOBAL,
    Family,
    Forecast,
    Noise,
    Public,
    delta_parameter,
    epsilon_parameter,
    statistic,
)
from discreet.mechanisms.laws.law import Gaussian, Law, around
from discreet.queries import Bounds, Column, Query
from discreet.queries.mean import Mean

LOWEST, HIGHEST = 1e-6, 60.0  # of epsilon
ROUNDING = 1e-12  # far above the rounding of two scales
WIDEST = 1e6  # for which an account is stated


def gaussian_delta(sigma: float, epsilon: float) -> float:
    """Return the exact delta of Normal(0, sigma) noise at sensitivity 1."""
    first = special.ndtr(0.5 / sigma - epsilon * sigma)
    second = math.exp(epsilon + float(special.log_ndtr(-0.5 / sigma - epsilon * sigma)))
    return float(first - second)


@lru_cache(maxsize=1024)
def gaussian_sigma(epsilon: float, delta: float) -> float:
    """Return the smallest sigma, rounded up, that is (epsilon, delta)-DP at sensitivity 1."""

    def excess(log_sigma: float) -> float:
        return math.log(max(gaussian_delta(math.exp(log_sigma), epsilon), 1e-300) / delta)

    root = scipy.optimize.brentq(excess, math.log(1e-4), math.log(1e9), xtol=1e-13, rtol=1e-14)
    return math.exp(root) * ROUND_UP


@lru_cache(maxsize=1024)
def gaussian_epsilon(sigma: float, delta: float) -> float:
    """Return an epsilon, rounded up, for which noise of this sigma is (epsilon, delta)-DP at sensitivity 1."""
    if gaussian_delta(sigma, LOWEST) <= delta:
        return LOWEST

    def excess(epsilon: float) -> float:
        return math.log(max(gaussian_delta(sigma, epsilon), 1e-300) / delta)

    root: float = scipy.optimize.brentq(excess, LOWEST, HIGHEST, xtol=1e-13, rtol=1e-14)
    return root * ROUND_UP + 1e-9


class NormalNoise:
    """What mechanisms with normal noise share: sigma and account are computed from epsilon and delta.

    A subclass declares both at their place among its fields.
    """

    epsilon: float
    delta: float

    @property
    def sigma(self) -> float:
        """The standard deviation that is private at an L2 sensitivity of 1."""
        return gaussian_sigma(self.epsilon, self.delta)

    def cost(self) -> Cost:
        """Return (epsilon, delta)."""
        return Cost.of(self.epsilon, self.delta)

    def account(self) -> Account | None:
        """Return the Gaussian curve."""
        return GaussianAccount(self.sigma)

    def step(self, finer: Any) -> tuple[Cost, Account, bool]:
        """Return the cost and the account of fresh noise, which averaged with the old noise gives the finer answer.

        Precisions (one over the variance) add up, so the fresh noise has the difference of both.
        """
        share = (finer.sigma / self.sigma) ** 2
        sigma = finer.sigma / math.sqrt(1 - share + ROUNDING)
        epsilon = min(gaussian_epsilon(sigma, finer.delta), finer.epsilon)
        account = GaussianAccount(min(sigma, WIDEST))  # a tiny step has wider noise, which loses less
        return Cost.of(epsilon, finer.delta), account, False


@dataclass(frozen=True)
class AnalyticGaussian(NormalNoise, OneStatistic):
    """f(x) + Normal(0, sigma) with the smallest sigma that is private, clipped into f's range.

    Guarantee: (epsilon, delta)-DP, for every epsilon, and rho-zCDP with rho = (GS/sigma)^2 / 2.
    Proof: a neighbour shifts the centre by at most GS. The divergence of two normal laws s sigmas
    apart is Phi(s/2 - epsilon/s) - exp(epsilon) Phi(-s/2 - epsilon/s), which grows with s, and
    sigma keeps it within delta at s = GS/sigma; their Renyi divergence of order a is a s^2/2.
    Clipping is post-processing.
    Reference: Balle and Wang 2018, "Improving the Gaussian mechanism for differential privacy".
    Complexity: one value of the statistic; sigma is found once per (epsilon, delta).
    Corner cases: the usual sigma = sqrt(2 ln(1.25/delta)) GS/epsilon is neither smallest nor valid
    for every epsilon and is not used; a public statistic is refused before a charge.
    """

    slug: ClassVar[str] = "gaussian"
    title: ClassVar[str] = "Global sensitivity, Gaussian noise"
    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = GAUSSIAN
    refines: ClassVar[bool] = True
    after: ClassVar[Phrase] = CLIPPED

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()
    delta: float = delta_parameter()

    @property
    def additive(self) -> bool:
        """Whether the statistic is: rows in several groups move all of them by less in L2 than in one."""
        return self.query.additive

    def scale(self, bounds: Bounds) -> float:
        """Return the public sigma."""
        sensitivity = checked_sensitivity(self.query, bounds)
        return sensitivity * self.sigma * ROUND_UP

    def law(self, data: Column) -> Law:
        """Return the law around f(x)."""
        return around(self.query, data, self.scale(data.bounds), Gaussian())

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width: sigma is public."""
        if public.bounds is None:
            return Forecast(None, "The bounds are not declared yet.")
        width = self.scale(public.bounds) * float(special.ndtri((1 + confidence) / 2))
        return Forecast(width, "σ is public.", exact=True)
