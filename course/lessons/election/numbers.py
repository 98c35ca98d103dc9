"""Numbers of lesson 7: four ways to choose a winner, and a day that noise on the result would miss."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from discreet.course.lessons.differencing.numbers import law as counted
from discreet.lab.experiment import simulate
from discreet.lab.explain import counts
from discreet.lab.samples import election
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import registry
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.laws.anatomy import anatomy
from discreet.mechanisms.laws.law import Laplace, Noisy, Picked, Product
from discreet.mechanisms.laws.selecting import gauss_legendre
from discreet.mechanisms.selection import ExponentialMechanism, NoisyMax, PermuteAndFlip
from discreet.queries import Relation
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import Scores

COUNTED = CountsGeometric.slug
WAYS = (ExponentialMechanism.slug, PermuteAndFlip.slug, NoisyMax.slug, COUNTED)

PUPILS = 25
DAYS = 14
NEXT_TO_NOBODY = 5
WISHES_SEED = 700
# the fortnight begins on a Wednesday; the share of pupils who can come, by the day of the week
FIRST_WEEKDAY = 2
SHARES = (0.0, 0.1, 0.4, 0.1, 0.15, 0.65, 0.8)


def votes() -> Scores:
    """Return the votes of the class, from the sample."""
    return counts(election(), "outing")


def scores(votes: tuple[int, ...]) -> Scores:
    """Return votes for places whose names do not matter."""
    return Scores(tuple(map(str, range(len(votes)))), np.array(votes, dtype=np.int64))


@lru_cache(maxsize=256)
def chances(slug: str, votes: tuple[int, ...], epsilon: float, several: bool = False) -> FloatArray:
    """Return the exact probability of each place to be chosen in one of four ways.

    If a pupil may name several places, each count still changes by at most 1 and all in one direction, which is all
    that a choice depends on. Counts that are shown depend on the sum of the changes, up to the number of places.
    """
    moved = {"relation": Relation(rows=len(votes))} if several and slug == COUNTED else {}
    law = registry[slug](epsilon=epsilon, **moved).law(scores(votes))  # type: ignore[call-arg]
    if isinstance(law, Product):
        return largest(law)
    assert isinstance(law, Picked)
    return law.probabilities


def largest(law: Product) -> FloatArray:
    """Return the probability of each of several noisy whole numbers to be the largest, with random tie-breaking.

    If candidate r has the value v and t is uniform, r wins with the integral over t of the product over the others of
    P(below v) + t P(v): a polynomial of t, exact by Gauss-Legendre.
    """
    counts = [anatomy(part) for part in law.parts]
    low = min(int(count.points[0]) for count in counts)
    high = max(int(count.points[-1]) for count in counts)
    at = np.zeros((len(counts), high - low + 1))
    for row, count in zip(at, counts, strict=True):
        row[count.points.astype(np.int64) - low] = count.masses
    below = np.cumsum(at, axis=1) - at
    nodes, weights = gauss_legendre(len(counts) // 2 + 1)
    chances = np.zeros(len(counts))
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        chances += weight * (at * _others(below + node * at)).sum(axis=1)
    return chances


def _others(factors: FloatArray) -> FloatArray:
    """Return for each row the product of all other rows."""
    ones = np.ones((1, factors.shape[1]))
    before = np.cumprod(np.concatenate((ones, factors[:-1])), axis=0)
    after = np.cumprod(np.concatenate((ones, factors[:0:-1])), axis=0)[::-1]
    return np.asarray(before * after)


def right(votes: tuple[int, ...], chances: FloatArray) -> float:
    """Return the probability that a place with the most votes is chosen."""
    return float(chances[np.array(votes) == max(votes)].sum())


def behind(votes: tuple[int, ...], chances: FloatArray) -> float:
    """Return how many votes the chosen place has less than the best, on average."""
    return float(chances @ (max(votes) - np.array(votes)))


def winners(votes: tuple[int, ...], epsilon: float, draws: int, seed: int) -> list[int]:
    """Return the winners of many elections by the exponential mechanism, by index."""
    (uniforms,) = SimulationNoise(seed).uniforms(1, draws)
    ends = np.cumsum(chances(WAYS[0], votes, epsilon))
    return [min(int(place), len(votes) - 1) for place in np.searchsorted(ends, uniforms)]


def noisy(votes: tuple[int, ...], epsilon: float, seed: int) -> tuple[int, ...]:
    """Return one table of votes, each with independent geometric noise; a pupil votes once."""
    draws = [simulate(counted(count, epsilon), 1, SimulationNoise(1000 * seed + i)) for i, count in enumerate(votes)]
    return tuple(int(draw[0]) for draw in draws)


def with_more(votes: tuple[int, ...], more: int) -> tuple[int, ...]:
    """Return the votes with further places on the list that get no votes."""
    return (*votes, *(0 for _ in range(more)))


@lru_cache(maxsize=64)
def wishes(school_class: int) -> IntArray:
    """Return how many pupils of a class can come on each day: 0 on Mondays, when everything is closed."""
    shares = np.array([SHARES[weekday(day)] for day in range(1, DAYS + 1)])
    uniforms = SimulationNoise(WISHES_SEED + school_class).uniforms(PUPILS, DAYS)
    return np.asarray((uniforms < shares).sum(axis=0), dtype=np.int64)


def weekday(day: int) -> int:
    """Return the day of the week of a day from 1 to 14; 0 is a Monday."""
    return (day - 1 + FIRST_WEEKDAY) % 7


@dataclass(frozen=True)
class Day:
    """The probability of every day of the fortnight under one way to choose."""

    wishes: IntArray
    chances: FloatArray

    @property
    def pupils(self) -> float:
        """The expected number of pupils who can come."""
        return float(self.chances @ self.wishes)

    @property
    def empty(self) -> float:
        """The probability of a day on which hardly anyone can come, or everything is closed."""
        return float(self.chances[self.wishes <= NEXT_TO_NOBODY].sum())


def opened() -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return for every day whether it is not a Monday."""
    return np.array([weekday(day) != 0 for day in range(1, DAYS + 1)])


def by_noise(school_class: int, epsilon: float) -> Day:
    """Return the best day plus Laplace noise, rounded to a day of the fortnight.

    One pupil can move the best day from the first to the last if two days are almost level, so the sensitivity of its
    number is 13.
    """
    wishes_ = wishes(school_class)
    law = Noisy(float(1 + wishes_.argmax()), (DAYS - 1) / epsilon, Laplace(), 1.0, float(DAYS))
    ends = law.cdf(np.arange(DAYS) + 1.5)
    return Day(wishes_, np.diff(ends, prepend=0.0))


def by_weight(school_class: int, epsilon: float) -> Day:
    """Return the exponential mechanism over the open days.

    A pupil can come on several days, but changes each count by at most 1 and all in one direction: so the probabilities
    are those of one vote per pupil.
    """
    wishes_ = wishes(school_class)
    chances_ = np.zeros(DAYS)
    chances_[opened()] = chances(WAYS[0], tuple(wishes_[opened()].tolist()), epsilon)
    return Day(wishes_, chances_)
