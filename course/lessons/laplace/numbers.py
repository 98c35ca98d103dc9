"""Numbers of lesson 3: the Laplace density, noisy counts, two neighbours, and the ε of real deployments."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from discreet.budget import Account, GaussianAccount, LaplaceAccount, Phrase
from discreet.course.lessons.composition.numbers import GAUSSIAN, PEOPLE
from discreet.course.lessons.differencing.numbers import law as counted
from discreet.course.lessons.differencing.numbers import masses
from discreet.lab.experiment import simulate
from discreet.lab.explain import census_ground
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.exhibits.exhibit import largest
from discreet.mechanisms.laws import law
from discreet.mechanisms.laws.anatomy import anatomy
from discreet.mechanisms.laws.divergence import loss
from discreet.mechanisms.laws.law import Laplace, Noisy
from discreet.queries.bounds import FloatArray, IntArray

# Laplace: the density of the noise, noisy counts, and two neighbours side by side.

POINTS = 201


def noise(sensitivity: float, epsilon: float) -> Noisy:
    """Return the distribution of the noise itself: Laplace of scale sensitivity / epsilon around 0."""
    return Noisy(0.0, sensitivity / epsilon, Laplace())


def density(law: Noisy, x: FloatArray) -> FloatArray:
    """Return the density of a distribution at some points."""
    return np.asarray(np.exp(anatomy(law).log_density(x)))


def half_width(law: Noisy, share: float = 0.95) -> float:
    """Return the half-width around the centre that contains a share of the results."""
    return float(law.quantile((1 + share) / 2)) - law.centre


@lru_cache(maxsize=1)
def ages() -> FloatArray:
    """Return the ages of the public census."""
    return census_ground("age").column.values()


def aged(least: int) -> int:
    """Return how many people of the public census have at least this age."""
    return int(np.count_nonzero(ages() >= least))


def answers(count: int, epsilon: float, draws: int, seed: int) -> FloatArray:
    """Return many noisy results of one count."""
    return simulate(counted(count, epsilon), draws, SimulationNoise(seed))


def within(epsilon: float, reach: int) -> float:
    """Return the probability that the noise of a count is at most this far from 0."""
    return float(masses(0, epsilon, np.arange(-reach, reach + 1)).sum())


@dataclass(frozen=True)
class Neighbours:
    """The probabilities of every result on a dataset and on its neighbour without one person."""

    answers: IntArray
    with_: FloatArray
    without: FloatArray
    loss: float
    delta: float

    @property
    def ratio(self) -> FloatArray:
        """How much more likely each result is with the person than without; NaN outside both distributions."""
        seen = (self.with_ > 0) & (self.without > 0)
        nothing = np.full(seen.shape, np.nan)
        return np.asarray(np.divide(self.with_, self.without, out=nothing, where=seen))


def neighbours(count: int, epsilon: float, claimed: float, reach: int = 20) -> Neighbours:
    """Return both histograms around the count, the exact loss, and delta at a claimed epsilon."""
    around = np.arange(count - reach, count + reach + 1)
    this = counted(count, epsilon)
    other = counted(count - 1, epsilon)
    return Neighbours(
        around,
        masses(count, epsilon, around),
        masses(count - 1, epsilon, around),
        loss(this, other),
        largest([(this, other)], claimed),
    )


# Divergences: the distributions of one noisy count on two neighbours.

AT_ONE = 1 + 1e-6  # the Rényi divergence there is the Kullback-Leibler divergence


@dataclass(frozen=True)
class NoisyPair:
    """The distributions of one noisy count on two neighbours, and their divergences."""

    with_: Noisy
    without: Noisy
    account: Account

    @property
    def kl(self) -> float:
        """The Kullback-Leibler divergence: the average loss, from the Rényi curve at order 1."""
        return float(self.account.rdp(AT_ONE))

    @property
    def most(self) -> float:
        """The max divergence: the largest loss, which is unbounded for Gaussian noise."""
        return math.inf if isinstance(self.account, GaussianAccount) else loss(self.with_, self.without)

    def delta(self, epsilon: float) -> float:
        """Return the hockey-stick divergence at epsilon, which is delta."""
        return largest([(self.with_, self.without)], epsilon)

    def losses(self, x: FloatArray) -> FloatArray:
        """Return the privacy loss of every result: ln P(x)/Q(x)."""
        p = anatomy(self.with_)
        q = anatomy(self.without)
        return np.asarray(p.log_density(x) - q.log_density(x))

    def excess(self, x: FloatArray, epsilon: float) -> FloatArray:
        """Return by how much P exceeds e^epsilon Q; the area below it is delta."""
        above = density(self.with_, x) - math.exp(epsilon) * density(self.without, x)
        return np.maximum(above, 0.0)


def pair(noise: str, scale: float) -> NoisyPair:
    """Return two neighbouring counts under Laplace or Gaussian noise of this scale."""
    shape = law.Gaussian() if noise == GAUSSIAN else law.Laplace()
    account = GaussianAccount(scale) if noise == GAUSSIAN else LaplaceAccount(1 / scale)
    with_ = Noisy(PEOPLE, scale, shape)
    without = Noisy(PEOPLE - 1, scale, shape)
    return NoisyPair(with_, without, account)


# Deployments: the ε that others have chosen, its unit, and the source.

REGISTRY = "registry.opendp.org, “Deployments registry”"
STATE = "dof.ca.gov, “Disclosure avoidance through differential privacy”"
DAY = Phrase("a person's day")
PERSON = Phrase("a person")
MONTH = Phrase("a person's month")
BIRTH = Phrase("a birth")


@dataclass(frozen=True)
class Deployment:
    """Who published what, in which year, at which ε and δ for which unit, with or without a curator, and the source."""

    name: str
    year: int
    epsilon: float
    delta: float
    unit: str
    local: bool
    source: str


DEPLOYMENTS = (
    Deployment(Phrase("Google: searches for symptoms"), 2020, 1.68, 0.0, DAY, False, "arXiv:2009.01265"),
    Deployment(Phrase("Google: searches for vaccination"), 2021, 2.19, 1e-5, DAY, False, "arXiv:2107.01179"),
    Deployment(Phrase("Apple: popular emojis"), 2017, 4.0, 0.0, DAY, True, REGISTRY),
    Deployment(Phrase("Microsoft: writing suggestions"), 2020, 4.0, 1e-7, PERSON, False, REGISTRY),
    Deployment(Phrase("Israel: births of 2014"), 2024, 9.98, 0.0, BIRTH, False, REGISTRY),
    Deployment(Phrase("US census: trial tables"), 2021, 12.2, 0.0, PERSON, False, STATE),
    Deployment(Phrase("LinkedIn: audience statistics"), 2020, 34.9, 7e-9, MONTH, False, REGISTRY),
)


def right(epsilon: float) -> float:
    """Return the highest probability that a guess with even prior odds is right."""
    return 1 / (1 + math.exp(-epsilon))


def yearly(deployment: Deployment) -> float:
    """Return the privacy loss of a person in a year, if each unit is charged again and the costs add up."""
    times = {str(DAY): 365, str(MONTH): 12}
    return deployment.epsilon * times.get(deployment.unit, 1)
