"""Several statistics of one column in one release, each with Gaussian noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from scipy import special

from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, checked_sensitivity
from discreet.mechanisms.base.vocabulary import GAUSSIAN, Noise, delta_parameter
from discreet.mechanisms.gaussian import NormalNoise
from discreet.mechanisms.laws.law import Gaussian, Noisy, around
from discreet.mechanisms.several_laplace import SeveralLaplace
from discreet.queries import Bounds, Column, Query


@dataclass(frozen=True)
class SeveralGaussian(NormalNoise, SeveralLaplace):
    """Several statistics of one column together, each with Gaussian noise of its own sensitivity.

    Divided by their global sensitivities the d statistics move by at most sqrt(d) in L2.

    Guarantee: (epsilon, delta)-DP.
    Proof: divided by GS_i, every statistic has normal noise of the same sigma, which is the same in
    all directions, and all of them shift by at most sqrt(d) in L2. Sigma is the exact one for that
    shift (see gaussian); clipping is post-processing.
    Reference: Balle and Wang 2018 for sigma at an L2 sensitivity.
    Complexity: one value per statistic.
    Corner cases: all statistics declare the same neighbour relation, else it is refused.
    """

    slug: ClassVar[str] = "several-gaussian"
    title: ClassVar[str] = "Several statistics, Gaussian noise"
    noise: ClassVar[Noise] = GAUSSIAN
    refines: ClassVar[bool] = True
    instead: ClassVar[Phrase | None] = None

    delta: float = delta_parameter()

    def scales(self, bounds: Bounds) -> list[float]:
        """Return the public sigma of every statistic."""
        times = math.sqrt(len(self.queries)) * self.sigma * ROUND_UP
        return [checked_sensitivity(query, bounds) * times for query in self.queries]

    def widths(self, bounds: Bounds, confidence: float = 0.95) -> list[float]:
        """Return the exact half width of every statistic."""
        return [scale * float(special.ndtri((1 + confidence) / 2)) for scale in self.scales(bounds)]

    def _noisy(self, query: Query, scale: float, data: Column) -> Noisy:
        return around(query, data, scale, Gaussian())
