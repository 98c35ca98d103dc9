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
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian, SampleAggregate
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Bounds, Column, Query
from discreet.queries import registry as statistics
from discreet.queries.bounds import FloatArray, IntArray
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


def sensitivities(people: int, width: float) -> dict[str, tuple[float, float]]:
    """Return local and global sensitivity of mean and median on these data."""
    column = spread_out(people, width)
    return {
        name: (local(query, column), query.global_sensitivity(AGES))
        for name, query in ((name, statistics[name]()) for name in (Mean.name, Median.name))
    }


def recovered(people: int, epsilon: float, answers: int, seed: int) -> FloatArray:
    """Return guesses of n after growing numbers of results whose noise is scaled to u/(n+1)."""
    drawn = _drawn(people, epsilon, answers, seed)
    return np.array([float(_guessed(drawn[:m], epsilon)) for m in places(answers)])


def _drawn(people: int, epsilon: float, answers: int, seed: int) -> FloatArray:
    law = TextbookLocalMean(epsilon).law(spread_out(people, 60))
    return simulate(law, answers, SimulationNoise(seed))


def _guessed(drawn: FloatArray, epsilon: float) -> FloatArray:
    """Guess n: the mean distance of results from their middle estimates the scale, which reveals n."""
    scale = np.abs(drawn - np.median(drawn, axis=-1, keepdims=True)).mean(axis=-1)
    return np.asarray(float(AGES.value(AGES.top)) / (scale * epsilon) - 1)


ATTACKS = 400
SEEN_AT_MOST = 1000  # results of one attack
EVERY = 10
WITHIN = 0.1  # of n
MOSTLY = 0.95  # of the attacks


@lru_cache(maxsize=64)
def known_after(people: int, epsilon: float) -> int:
    """Return after how many results 95 % of many attacks guess n within a tenth."""
    drawn = _drawn(people, epsilon, ATTACKS * SEEN_AT_MOST, 1).reshape(ATTACKS, SEEN_AT_MOST)
    for m in range(EVERY, SEEN_AT_MOST, EVERY):
        near = np.abs(_guessed(drawn[:, :m], epsilon) - people) <= WITHIN * people
        if near.mean() >= MOSTLY:
            return m
    return SEEN_AT_MOST


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


# Dealing: people in random blocks, the median of each, and the error against the number of blocks.

DEALT = 300
BLOCKS = (1, 2, 5, 10, 20, 30, 50, 70, 100, 150, 200, 300)
DEALS = 8  # random deals of which the errors are taken together
PLACES = (np.arange(64) + 0.5) / 64
AGGREGATES: dict[str, type[SampleAggregate]] = {Mean.name: BlocksMean, Median.name: BlocksMedian}


@dataclass(frozen=True)
class Deal:
    """People dealt into blocks: ages, the block of each, its clipped median, and the released result with its noise."""

    ages: FloatArray
    blocks: IntArray
    estimates: FloatArray
    truth: float
    centre: float
    span: tuple[float, float]
    answer: float


def aggregate(name: str, k: int, low: float, high: float) -> SampleAggregate:
    """Return the library's mechanism: a noisy mean or median of the medians of blocks, at epsilon 1."""
    return AGGREGATES[name](estimator=Median.name, k=k, lower=low, upper=high, epsilon=1.0)


@lru_cache(maxsize=64)
def deal(name: str, k: int, low: float, high: float, seed: int) -> Deal:
    """Deal the ages of the census once, and release once."""
    mechanism = aggregate(name, k, low, high)
    ages = crowd(DEALT).column.values()
    blocks = mechanism.view.split(ages[None, :], SimulationNoise(seed))
    law = mechanism.law(blocks)
    answer: Any = law.draw(SimulationNoise(seed))
    return Deal(
        ages,
        mechanism.view.dealt(ages.size, SimulationNoise(seed)),
        blocks.estimates,
        float(np.median(ages)),
        statistics[name]().value(mechanism.column(blocks)),
        (float(law.quantile(0.025)), float(law.quantile(0.975))),
        float(answer),
    )


@lru_cache(maxsize=32)
def errors_by_blocks(name: str, low: float, high: float) -> tuple[float, ...]:
    """Return the 95% error for each number of blocks, from the deal and the noise together."""
    return tuple(_dealt_error(aggregate(name, k, low, high)) for k in BLOCKS)


def _dealt_error(mechanism: SampleAggregate) -> float:
    ages = crowd(DEALT).column.values()
    noise = SimulationNoise(mechanism.k)
    laws = [mechanism.law(mechanism.view.split(ages[None, :], noise)) for _ in range(DEALS)]
    errors = [np.abs(law.quantile(PLACES) - np.median(ages)) for law in laws]
    return float(np.quantile(np.concatenate(errors), 0.95))


def best_blocks(name: str, low: float, high: float) -> int:
    """Return the number of blocks with the smallest error."""
    errors = errors_by_blocks(name, low, high)
    return BLOCKS[errors.index(min(errors))]
