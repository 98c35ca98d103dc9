"""Numbers of lesson 6: local sensitivity, how noise scaled to it leaks, and the three safe mechanisms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from discreet.budget import Cost
from discreet.course.lessons.laplace.numbers import density
from discreet.lab import contest, explain
from discreet.lab.contest import Contender, Ground
from discreet.lab.experiment import simulate
from discreet.lab.explain import Ladder, Proposed, Smoothed, census_ground
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism
from discreet.mechanisms.base.distance_test import PureTest
from discreet.mechanisms.exhibits.exhibit import largest
from discreet.mechanisms.exhibits.global_mean import TextbookLocalMean
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.law import Gated, Laplace, Noisy
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Bounds, Column, Query
from discreet.queries import registry as statistics
from discreet.queries.bounds import FloatArray
from discreet.queries.mean import Mean
from discreet.queries.median import Median

AGES = Bounds(0, 100, step=0.5)
WAYS: tuple[type[Mechanism], ...] = (GlobalLaplace, ProposeTestRelease, SmoothCoreTail, BlocksMedian)
MEAN_WAYS: tuple[type[Mechanism], ...] = (TwoCounts, ProposeTestRelease, SmoothCoreTail, BlocksMean)
DRAWS = 2000
DELTA = "1e-6"
AWAY = np.arange(1)


def spread_out(people: int, width: float) -> Column:
    """Return ages evenly spread over a width around 50."""
    values = 50 + width * (np.arange(people) / max(people - 1, 1) - 0.5)
    return Column.from_values(AGES, values)


def local(query: Query, column: Column) -> float:
    """Return A(0): how far one person more or less can move the statistic of this dataset."""
    return float(query.ladder(column, AWAY)[0])


def recovered(people: int, epsilon: float, answers: int, seed: int) -> FloatArray:
    """Return guesses of n after growing numbers of results whose noise is scaled to u/(n+1).

    The mean distance of the results from their middle estimates the scale, which reveals n.
    """
    law = TextbookLocalMean(epsilon).law(spread_out(people, 60))
    drawn = simulate(law, answers, SimulationNoise(seed))
    scales = [float(np.mean(np.abs(drawn[:m] - np.median(drawn[:m])))) for m in places(answers)]
    upper = float(AGES.value(AGES.top))
    return upper / (np.array(scales) * epsilon) - 1


def places(answers: int) -> list[int]:
    """Return the numbers of results after which `recovered` guesses."""
    return sorted({int(m) for m in np.geomspace(3, answers, 60)})


@dataclass(frozen=True)
class Jump:
    """Two neighbours near a jump of the median, with noise scaled to the local sensitivity."""

    sensitivities: tuple[float, float]
    delta: float
    x: FloatArray
    densities: tuple[FloatArray, FloatArray]


def two_groups(young: int, old: int) -> Column:
    """Return people close to 40 and people close to 80."""
    values = np.concatenate((40 + 0.5 * np.arange(young), 80 + 0.5 * np.arange(old)))
    return Column.from_values(AGES, values)


YOUNG = 9  # of the people who are pushed about
OLD = 4


def pushed() -> Column:
    """Return the people who are pushed about, as they stand at first."""
    return two_groups(YOUNG, OLD)


def jump(young: int, old: int, epsilon: float) -> Jump:
    """Compare the two groups with and without one more young person, exactly."""
    query = statistics["median"]()
    pair = [two_groups(young, old), two_groups(young + 1, old)]
    scales = [local(query, column) for column in pair]
    this, other = (
        Noisy(query.value(column), max(scale, AGES.resolution / 2) / epsilon, Laplace())
        for column, scale in zip(pair, scales, strict=True)
    )
    x = np.linspace(0, 120, 241)
    return Jump((scales[0], scales[1]), largest([(this, other)], epsilon), x, (density(this, x), density(other, x)))


@dataclass(frozen=True)
class Way:
    """A safe mechanism, and its 95% margin of error; NaN if it mostly refuses."""

    kind: type[Mechanism]
    error: float
    refusals: float


@lru_cache(maxsize=64)
def ways(name: str, people: int, epsilon: float) -> tuple[Way, ...]:
    """Return the errors of global sensitivity and of the three safe mechanisms at equal cost, by experiment."""
    stand = census_ground("age").resized(people)
    query = statistics[name]()
    cost = Cost.of(epsilon, DELTA)
    answers = []
    for kind in MEAN_WAYS if name == Mean.name else WAYS:
        mechanism = contest.entrant(kind, query, cost, stand)
        assert mechanism is not None
        contender = Contender(kind.slug, stand.tuned(mechanism))
        (result,) = contest.run([contender], query, stand, DRAWS, seed=1)
        summary = result.summary()
        answers.append(Way(kind, summary["q95"], summary["refusals"]))
    return tuple(answers)


# Smooth tent: A(k) of two groups of people, under decreasing weights.

BEYOND = 4  # distances drawn after the last person


def mechanism(m: int) -> SmoothCoreTail:
    """Return the library's mechanism whose beta is 1/m."""
    return SmoothCoreTail(query=Median(), epsilon=1.0, m=m)


@lru_cache(maxsize=64)
def tent(young: int, old: int, m: int) -> Smoothed:
    """Return the weighted A(k) of the median; beyond the last person it does not grow."""
    return explain.smoothed(Median(), two_groups(young, old), mechanism(m).beta, young + old + BEYOND)


# Proposal walk: propose-test-release on the ages of the census, step by step.

WALK_DELTA = 1e-6
NEAREST = 80  # the smallest number of persons away that is drawn
SEEN = 1.1  # of the furthest point
SHOWN = 0.99  # of all results


@dataclass(frozen=True)
class ProposalWalk:
    """A proposal, its noisy test, and what was released; no result means a refusal."""

    law: Gated
    noise: float
    proposed: Proposed
    ladder: Ladder
    noisy: int
    answer: float | None
    truth: float

    @property
    def threshold(self) -> int:
        """The threshold for the noisy distance."""
        return int(self.proposed.threshold)


def crowd(people: int) -> Ground:
    """Return public ages of a number of people."""
    return census_ground("age").resized(people)


def proposal(b: float, epsilon: float) -> ProposeTestRelease:
    """Return the library's mechanism: half of epsilon is for the test."""
    return ProposeTestRelease(query=Median(), epsilon=epsilon, delta=WALK_DELTA, b=b)


@lru_cache(maxsize=64)
def walk(people: int, b: float, epsilon: float, seed: int) -> ProposalWalk:
    """Run a proposal to its release: the distribution draws the noise of the test first, then that of the result."""
    mechanism = proposal(b, epsilon)
    column = crowd(people).column
    law = mechanism.law(column)
    test = mechanism.tested(column)
    assert isinstance(law, Gated) and isinstance(test, PureTest)
    noisy = SimulationNoise(seed).geometric(test.distance, test.threshold.scale)
    answer: Any = law.draw(SimulationNoise(seed))
    return ProposalWalk(
        law,
        mechanism.scale(column.bounds),
        explain.proposed(mechanism, column),
        explain.ladder(mechanism.query, column, max(NEAREST, int(SEEN * max(noisy, test.distance)))),
        noisy,
        answer,
        mechanism.query.value(column),
    )


def bell(law: Gated) -> tuple[FloatArray, FloatArray]:
    """Return the density of the released results."""
    low, high = (float(law.quantile(p)) for p in (1 - SHOWN, SHOWN))
    x = np.linspace(low, high, 121)
    inner = law.inner
    assert isinstance(inner, Noisy)
    return x, density(inner, x)
