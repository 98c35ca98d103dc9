"""Two laws: how differently one noisy count speaks of two neighbours."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from discreet.budget import Account, GaussianAccount, LaplaceAccount
from discreet.lab.lessons.composition import GAUSSIAN, PEOPLE
from discreet.lab.lessons.laplace import density
from discreet.mechanisms import shapes
from discreet.mechanisms.anatomy import anatomy
from discreet.mechanisms.divergence import loss
from discreet.mechanisms.exhibit import largest
from discreet.mechanisms.laws import Noisy
from discreet.queries.bounds import FloatArray

AT_ONE = 1 + 1e-6  # the Rényi divergence there is the Kullback-Leibler divergence


@dataclass(frozen=True)
class NoisyPair:
    """The laws of one noisy count on two neighbours, and how differently they speak."""

    with_: Noisy
    without: Noisy
    account: Account

    @property
    def kl(self) -> float:
        """The Kullback-Leibler divergence: the average loss, from the Rényi curve at order 1."""
        return float(self.account.rdp(AT_ONE))

    @property
    def most(self) -> float:
        """The max divergence: the largest loss. That of Gaussian noise grows without end."""
        return math.inf if isinstance(self.account, GaussianAccount) else loss(self.with_, self.without)

    def delta(self, epsilon: float) -> float:
        """Return the hockey-stick divergence at epsilon, which is delta."""
        return largest([(self.with_, self.without)], epsilon)

    def losses(self, x: FloatArray) -> FloatArray:
        """Return the privacy loss of every answer: ln P(x)/Q(x)."""
        p, q = anatomy(self.with_), anatomy(self.without)
        return np.asarray(p.log_density(x) - q.log_density(x))

    def excess(self, x: FloatArray, epsilon: float) -> FloatArray:
        """Return by how much P is above e^epsilon Q; the area below it is delta."""
        above = density(self.with_, x) - math.exp(epsilon) * density(self.without, x)
        return np.maximum(above, 0.0)


def pair(noise: str, scale: float) -> NoisyPair:
    """Return two neighbouring counts under Laplace or Gaussian noise of this scale."""
    shape = shapes.Gaussian() if noise == GAUSSIAN else shapes.Laplace()
    account = GaussianAccount(scale) if noise == GAUSSIAN else LaplaceAccount(1 / scale)
    with_, without = Noisy(PEOPLE, scale, shape), Noisy(PEOPLE - 1, scale, shape)
    return NoisyPair(with_, without, account)
