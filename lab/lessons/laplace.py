"""Laplace: the density of the noise, noisy counts, and two neighbours side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from discreet.lab.experiment import simulate
from discreet.lab.lessons.differencing import law as counted
from discreet.lab.lessons.differencing import masses
from discreet.lab.preview import census_ground
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.anatomy import anatomy
from discreet.mechanisms.divergence import loss
from discreet.mechanisms.exhibit import largest
from discreet.mechanisms.laws import Noisy
from discreet.mechanisms.shapes import Laplace
from discreet.queries.bounds import FloatArray, IntArray

POINTS = 201


def noise(sensitivity: float, epsilon: float) -> Noisy:
    """Return the law of the noise itself: Laplace of scale sensitivity / epsilon around 0."""
    return Noisy(0.0, sensitivity / epsilon, Laplace())


def density(law: Noisy, x: FloatArray) -> FloatArray:
    """Return the density of a law at some points."""
    return np.asarray(np.exp(anatomy(law).log_density(x)))


def half_width(law: Noisy, share: float = 0.95) -> float:
    """Return how far from its centre a share of the answers stays."""
    return float(law.quantile((1 + share) / 2)) - law.centre


@lru_cache(maxsize=1)
def ages() -> FloatArray:
    """Return the ages of the open census."""
    return census_ground("age").column.values()


def aged(least: int) -> int:
    """Return how many people of the open census have at least this age."""
    return int(np.count_nonzero(ages() >= least))


def answers(count: int, epsilon: float, draws: int, seed: int) -> FloatArray:
    """Return many noisy answers of one count."""
    return simulate(counted(count, epsilon), draws, SimulationNoise(seed))


@dataclass(frozen=True)
class Neighbours:
    """The chances of every answer on a dataset and on the same without one person."""

    answers: IntArray
    with_: FloatArray
    without: FloatArray
    loss: float
    delta: float

    @property
    def ratio(self) -> FloatArray:
        """How much likelier each answer is with the person than without; NaN beyond both laws."""
        seen = (self.with_ > 0) & (self.without > 0)
        nothing = np.full(seen.shape, np.nan)
        return np.asarray(np.divide(self.with_, self.without, out=nothing, where=seen))


def neighbours(count: int, epsilon: float, claimed: float, reach: int = 20) -> Neighbours:
    """Return both histograms around the count, the exact loss, and delta at a claimed epsilon."""
    around = np.arange(count - reach, count + reach + 1)
    this, other = counted(count, epsilon), counted(count - 1, epsilon)
    return Neighbours(
        around,
        masses(count, epsilon, around),
        masses(count - 1, epsilon, around),
        loss(this, other),
        largest([(this, other)], claimed),
    )
