"""Numbers of lesson 8: monitored streams, the local model, noise in four places."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import optimize, special, stats

from discreet.course.lessons.differencing.numbers import law as counting
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import registry
from discreet.mechanisms.base.sparse_vector import Crossings
from discreet.mechanisms.base.tuning import half_width
from discreet.mechanisms.gaussian import gaussian_sigma
from discreet.mechanisms.laplace import whole_width
from discreet.mechanisms.laws.law import Law
from discreet.mechanisms.sparse import AboveThreshold
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import Scores

# Places: a mean of n values from 0 to 1, with noise in four different places at equal cost. n is public: one person
# changes a value. Input: everyone adds noise. Objective: the mean minimises the sum of squared distances, and noise
# tilts that sum. Optimiser: each step towards it is noisy. Output: the mean gets noise.

PLACES = ("input", "objective", "optimiser", "output")
PACE = 0.5
START = 0.5
MEAN = 0.3


@lru_cache(maxsize=256)
def error(place: str, people: int, epsilon: float, steps: int = 10) -> float:
    """Return the exact 95% margin of error."""
    if place == "input":
        return _margin(lambda x: _summed(people, x)) / (people * epsilon)
    if place == "optimiser":
        unit = steps / (people * epsilon)
        bias = (START - MEAN) * (1 - PACE) ** steps
        return _margin(lambda x: _stepped(steps, x + bias / unit) + _stepped(steps, x - bias / unit)) * unit
    # the minimum of the tilted sum of squares is the mean plus noise / n: both have one distribution
    return math.log(1 / (1 - SURE)) / (people * epsilon)


def _margin(beyond: Callable[[float], float]) -> float:
    """Return where two tails together fall to 5%; `beyond` is their probability, and falls."""
    high = 1.0
    while beyond(high) > 1 - SURE:
        high *= 2
    return float(optimize.brentq(lambda x: beyond(x) - (1 - SURE), 0.0, high, xtol=1e-12))


def _summed(people: int, x: float) -> float:
    """Return the probability that the sum of this number of Laplace draws of scale 1 is beyond ±x.

    Such a sum is the difference of two Gamma times, waiting for the n-th event of two streams: it exceeds x if the
    first stream has fewer than n events up to x and while the second one has n.
    """
    events = np.arange(people)
    tails = stats.nbinom.pmf(events, people, 0.5) * stats.poisson.cdf(people - 1 - events, x)
    return 2 * float(tails.sum())


def _stepped(steps: int, x: float) -> float:
    """Return the probability that the noise of all steps together is above x; every step is halved by later ones.

    A sum of Laplace draws of different scales b is a mixture of their laws, with weights Π b²/(b² − c²) over the other
    scales c (partial fractions of the characteristic function).
    """
    scales = PACE * (1 - PACE) ** np.arange(steps)
    ratios = (scales[None, :] / scales[:, None]) ** 2
    np.fill_diagonal(ratios, 0.0)
    weights = np.prod(1 / (1 - ratios), axis=1)
    tail = np.exp(-abs(x) / scales) / 2
    return float(weights @ (tail if x > 0 else 1 - tail))


# Streams: where a monitored stream stops and what that costs; the local model.

STREAM_SEED = 808
USUAL = 40  # people with a fever on a usual day
MORE = 160  # how many more at the peak of the wave
NEAR = 3  # days from the first day above the threshold, within which a stop is in time
RISE = 12  # the wave reaches half its height this number of days before the last day
SURE = 0.95
DELTA = 1e-6
SPREAD = 16  # results of one step are spread over this number of cells
CELL = 0.025
SHARES: FloatArray = np.asarray(np.arange(-20, 61) * CELL, dtype=np.float64)  # estimates may be outside 0 to 1
LENGTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
YES = 0.3  # the share of true answers yes in the curves of errors
PEOPLE = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000)


@lru_cache(maxsize=8)
def fever(days: int) -> IntArray:
    """Return how many people have a fever on each day: usual days, then a wave at the end."""
    (uniforms,) = SimulationNoise(STREAM_SEED).uniforms(1, days)
    day = np.arange(days) - (days - RISE)
    usual = USUAL + 4 * np.sin(2 * np.pi * day / 7) + 12 * (uniforms - 0.5)
    return np.asarray(np.round(usual + MORE * special.expit(day / 2.5)), dtype=np.int64)


def watch(epsilon: float, threshold: float) -> AboveThreshold:
    """Return the mechanism that monitors the stream and names the first day above the threshold.

    A person may have a fever on many days, but moves each count by at most 1, and without that person all counts fall
    or stay: the monotone case with 1 for the largest move.
    """
    return AboveThreshold(epsilon=epsilon, threshold=threshold)


@dataclass(frozen=True)
class Watched:
    """A stream, and the exact probability to stop on each day (the last: never)."""

    counts: IntArray
    chances: FloatArray
    threshold: float

    @property
    def due(self) -> int:
        """The first day that is truly above the threshold, from 0; the length if there is none."""
        above = np.flatnonzero(self.counts >= self.threshold)
        return int(above[0]) if above.size else self.counts.size

    def near(self, days: int) -> float:
        """Return the probability to stop on the due day, or at most a number of days before or after."""
        if self.due == self.counts.size:
            return float(self.chances[-1])
        stops = self.chances[: self.counts.size]
        return float(stops[max(0, self.due - days) : self.due + days + 1].sum())

    def early(self, days: int) -> float:
        """Return the probability of a false alarm: a stop more than a number of days before it is due."""
        return float(self.chances[: max(0, self.due - days)].sum())


@lru_cache(maxsize=128)
def watched(days: int, epsilon: float, threshold: float) -> Watched:
    """Return the probabilities of where monitoring the stream stops."""
    counts = fever(days)
    law = watch(epsilon, threshold).law(Scores(tuple(map(str, range(days))), counts))
    assert isinstance(law, Crossings)
    return Watched(counts, law.probabilities, threshold)


@dataclass(frozen=True)
class Slack:
    """The margins of error of counts, with 95% confidence for all counts together."""

    watched: FloatArray
    counted: FloatArray
    gaussian: FloatArray


@lru_cache(maxsize=64)
def slack(epsilon: float) -> Slack:
    """Return the errors of three ways to follow a stream, for every length, at equal cost.

    Monitoring costs epsilon whatever the length. Every released count costs: one person moves all of them, so each of n
    gets Laplace noise of epsilon / n, or Gaussian noise for a shift of sqrt(n). The probability of 5% is shared evenly
    among the counts.
    """
    return Slack(*np.array([_slack(epsilon, n) for n in LENGTHS]).T)


def _slack(epsilon: float, n: int) -> tuple[float, float, float]:
    return (
        watch(epsilon, USUAL).scales.slack(n, 1 - SURE),
        whole_width(n / epsilon, 1 - (1 - SURE) / n),
        gaussian_sigma(epsilon, DELTA) * math.sqrt(n) * -float(special.ndtri((1 - SURE) / (2 * n))),
    )


def released_up_to(epsilon: float) -> int:
    """Return the largest number of counts of which all can be released with smaller errors than by watching."""
    n = 1
    while min(_slack(epsilon, n)[1:]) < _slack(epsilon, n)[0]:
        n += 1
    return n - 1


@lru_cache(maxsize=8)
def local(people: int, yes: int, epsilon: float) -> Law:
    """Return the distribution of the share estimated by randomized response, the local model."""
    mechanism = registry["randomized-response"](epsilon=epsilon, people=people)  # type: ignore[call-arg]
    return mechanism.law(Scores(("yes", "no"), np.array([yes, people - yes], dtype=np.int64)))


def central(yes: int, epsilon: float) -> Law:
    """Return the distribution of the noisy count of a trusted curator."""
    return counting(yes, epsilon)


def truthful(epsilon: float) -> float:
    """Return the probability that one report is true."""
    return 1.0 - float(registry["randomized-response"](epsilon=epsilon).flip)  # type: ignore


@dataclass(frozen=True)
class Surveyed:
    """The 95% margins of error of the estimated share, in the local and in the central model."""

    local: float
    central: float

    @property
    def ratio(self) -> float:
        """The error of the local model as a multiple of that of the central model."""
        return self.local / self.central


@lru_cache(maxsize=512)
def surveyed(people: int, yes: int, epsilon: float) -> Surveyed:
    """Return both errors, from the exact distributions."""
    return Surveyed(half_width(local(people, yes, epsilon)), half_width(central(yes, epsilon)) / people)


def spread(law: Law, edges: FloatArray, step: float) -> FloatArray:
    """Return the probability of every cell, with each value spread evenly over its step.

    Both distributions have steps (of one report, of one person) that no cell width fits exactly; without the spreading,
    cells that contain one step more would be visible.
    """
    parts = (np.arange(SPREAD) + 0.5) / SPREAD - 0.5
    below = law.cdf(edges + step * parts[:, None])
    return np.asarray(np.diff(below.mean(axis=0)))


@lru_cache(maxsize=64)
def estimates(people: int, yes: int, epsilon: float) -> tuple[FloatArray, FloatArray]:
    """Return the probability of each cell of the estimated share, in the local and in the central model."""
    edges = np.append(SHARES - CELL / 2, SHARES[-1] + CELL / 2)
    slope = 2 * truthful(epsilon) - 1
    return (
        spread(local(people, yes, epsilon), edges, 1 / people / slope),
        spread(central(yes, epsilon), edges * people, 1.0),
    )


def worth(people: int, yes: float, epsilon: float) -> float:
    """Return how many people in the local model match the error of some people in the central model."""
    sizes = np.log(PEOPLE)
    untrusted = np.log([surveyed(n, round(yes * n), epsilon).local for n in PEOPLE])
    wanted = math.log(surveyed(people, round(yes * people), epsilon).central)
    return float(np.exp(np.interp(wanted, untrusted[::-1], sizes[::-1])))
