"""Numbers of lesson 6: local sensitivity, how noise scaled to it leaks, and the three safe mechanisms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

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
from discreet.mechanisms.laws.anatomy import anatomy
from discreet.mechanisms.laws.divergence import divergences
from discreet.mechanisms.laws.law import Gated, Laplace, Law, Noisy, around
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian, SampleAggregate
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Bounds, Column, Query
from discreet.queries import registry as statistics
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import Blocks
from discreet.queries.mean import Mean
from discreet.queries.median import Median

AGES = Bounds(0, 100, step=0.5)
WAYS: tuple[type[Mechanism], ...] = (GlobalLaplace, ProposeTestRelease, SmoothCoreTail, BlocksMedian)
MEAN_WAYS: tuple[type[Mechanism], ...] = (TwoCounts, ProposeTestRelease, SmoothCoreTail, BlocksMean)
DRAWS = 2000
DELTA = "1e-6"
MOSTLY_REFUSED = 0.5
AWAY = np.arange(1)
MOST = 17  # people who can be pushed about
TAIL = 3


def spread_out(people: int, width: float) -> Column:
    """Return ages evenly spread over a width around 50."""
    values = 50 + width * (np.arange(people) / max(people - 1, 1) - 0.5)
    return Column.from_values(AGES, values)


def local(query: Query, column: Column) -> float:
    """Return A(0): how far one person more or less can move the statistic of this dataset."""
    return float(query.ladder(column, AWAY)[0])


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


WITHIN = 0.1  # of n
MOSTLY = 0.95  # of all attacks


@lru_cache(maxsize=64)
def known_after(people: int) -> int:
    """Return after how many results an attack guesses n within a tenth in 95% of cases, whatever ε is.

    The distances of m results from their middle are m waiting times: their mean has a gamma distribution, and the
    guess is within a tenth where this mean is within two bounds.
    """
    low, high = ((people + 1) / ((1 + side * WITHIN) * people + 1) for side in (1, -1))
    m = 1
    while special.gammainc(m, m * high) - special.gammainc(m, m * low) < MOSTLY:
        m += 1
    return m


def places(answers: int) -> list[int]:
    """Return the numbers of results after which `recovered` guesses."""
    return sorted({int(m) for m in np.geomspace(3, answers, 60)})


@dataclass(frozen=True)
class Jump:
    """Two neighbours near a jump of the median, with noise scaled to the local sensitivity."""

    sensitivities: tuple[float, float]
    delta: float
    right: float  # how often the best guess between the two is right
    x: FloatArray
    densities: tuple[FloatArray, FloatArray]


def two_groups(young: int, old: int) -> Column:
    """Return people close to 40 and people close to 80."""
    values = np.concatenate((40 + 0.5 * np.arange(young), 80 + 0.5 * np.arange(old)))
    return Column.from_values(AGES, values)


PUSHED = tuple(two_groups(9, 4).values().tolist())  # ages of those who are pushed about, as they stand at first
BLOCKS = 5
LOT = 38  # the seed of the deal: everyone keeps the block
TESTED = Cost.of(2, "0.01")  # thirteen people pass no test that costs less
RUNS = 30  # of a test, after which they come again
FOCUS = np.linspace(-3, 3, 9)  # in scales of the noise: narrow laws are seen there


def pushed(ages: Sequence[float] = PUSHED) -> Column:
    """Return people of these ages."""
    return Column.from_values(AGES, np.array(ages, dtype=np.float64))


def push_test(ages: Sequence[float], b: float) -> PureTest:
    """Return the test of a proposal at the distance of these people."""
    test = ProposeTestRelease(query=Median(), epsilon=TESTED.epsilon, delta=TESTED.delta, b=b).tested(pushed(ages))
    assert isinstance(test, PureTest)
    return test


def push_draws(test: PureTest) -> list[int]:
    """Return noisy distances, one for each run of the test."""
    return [SimulationNoise(run).geometric(test.distance, test.threshold.scale) for run in range(1, RUNS + 1)]


def push_smooth(ages: Sequence[float], m: int) -> Smoothed:
    """Return the weighted A(k) of these people, up to the last of them."""
    return explain.smoothed(Median(), pushed(ages), mechanism(m).beta, len(ages))


def block_of_each(count: int) -> IntArray:
    """Return the block of each person, in their order."""
    return in_blocks(count, 1.0).view.dealt(MOST, SimulationNoise(LOT))


def push_blocks(ages: Sequence[float], count: int, without: int | None = None) -> Blocks:
    """Return the medians of the blocks to which people are dealt, everyone or without one of them."""
    view = in_blocks(count, 1.0).view
    stay = [at for at in range(len(ages)) if at != without]
    dealt = block_of_each(count)
    groups = [np.array([ages[at] for at in stay if dealt[at] == block]) for block in range(count)]
    estimates = [float(np.median(group)) if group.size else view.default for group in groups]
    return Blocks(view.lower, view.upper, np.array(estimates))


def in_blocks(count: int, epsilon: float) -> BlocksMean:
    """Return the library's mechanism: a noisy mean of medians."""
    return BlocksMean(estimator="median", k=count, lower=0.0, upper=100.0, epsilon=epsilon)


@dataclass(frozen=True)
class Watched:
    """The results with and without a person, and how often the best guess between the two is right.

    Densities are drawn by their square roots: a narrow law and a wide one are both seen, and still cross where they do.
    The spy of the blocks knows who is in which.
    """

    cost: Cost
    odds: float
    delta: float
    refusals: tuple[float, float]
    x: FloatArray
    densities: tuple[FloatArray, FloatArray]


def watched(way: str, ages: Sequence[float], who: int, epsilon: float) -> Watched:
    """Return what a spy sees of a person under a kind of noise, from the laws that release."""
    cost, law = WATCHED[way](epsilon)
    pair = law(ages, None), law(ages, who)
    x = np.linspace(0, 100, 151)
    near = [float(one.centre) + one.scale * FOCUS for one in map(_inner, pair)]
    x = np.sort(np.clip(np.concatenate((x, *near)), 0, 100))
    parts = [anatomy(one) for one in pair]
    first, second = (np.sqrt(np.exp(part.log_density(x))) for part in parts)
    apart = max(divergences(*pair, 0.0))
    refusals = parts[0].refusal, parts[1].refusal
    return Watched(cost, (1 + apart) / 2, largest([pair], epsilon), refusals, x, (first, second))


def _inner(law: Law) -> Noisy:
    inner = law.inner if isinstance(law, Gated) else law
    assert isinstance(inner, Noisy)
    return inner


Lawful = Callable[[Sequence[float], int | None], Law]


def _others(ages: Sequence[float], without: int | None) -> Column:
    return pushed([age for at, age in enumerate(ages) if at != without])


def _released(mechanism: Mechanism) -> tuple[Cost, Lawful]:
    return mechanism.cost(), lambda ages, without: mechanism.law(_others(ages, without))


def _by_local(epsilon: float) -> tuple[Cost, Lawful]:
    """Return noise scaled to local sensitivity: it claims a guarantee that it does not have."""

    def law(ages: Sequence[float], without: int | None) -> Law:
        column = _others(ages, without)
        scale = max(local(Median(), column), AGES.resolution / 2) / epsilon
        return around(Median(), column, scale, Laplace())

    return Cost.of(epsilon), law


def _by_blocks(epsilon: float) -> tuple[Cost, Lawful]:
    blocks = in_blocks(BLOCKS, epsilon)
    return blocks.cost(), lambda ages, without: blocks.law(push_blocks(ages, BLOCKS, without))


WATCHED: dict[str, Callable[[float], tuple[Cost, Lawful]]] = {
    "global": lambda epsilon: _released(GlobalLaplace(Median(), epsilon)),
    "local": _by_local,
    "test": lambda epsilon: _released(ProposeTestRelease(query=Median(), epsilon=epsilon, delta=TESTED.delta, b=5.0)),
    "smooth": lambda epsilon: _released(SmoothCoreTail(Median(), epsilon, TAIL)),
    "blocks": _by_blocks,
}


def jump(young: int, old: int, epsilon: float) -> Jump:
    """Compare the two groups with and without one more young person, exactly."""
    query = statistics["median"]()
    pair = [two_groups(young, old), two_groups(young + 1, old)]
    scales = [local(query, column) for column in pair]
    this, other = (
        Noisy(query.value(column), max(scale, AGES.resolution / 2) / epsilon, Laplace())
        for column, scale in zip(pair, scales, strict=True)
    )
    x = np.unique([*np.linspace(0, 120, 241), float(this.centre), float(other.centre)])
    right = (1 + largest([(this, other)], 0.0)) / 2
    densities = density(this, x), density(other, x)
    return Jump((scales[0], scales[1]), largest([(this, other)], epsilon), right, x, densities)


@dataclass(frozen=True)
class Way:
    """A safe mechanism, and its 95% margin of error; NaN if it mostly refuses.

    It is cut if it is the distance to a bound, to which results beyond are moved: the noise is wider.
    """

    kind: type[Mechanism]
    error: float
    refusals: float
    cut: bool = False


def ways(name: str, people: int, epsilon: float, times: float = 1.0) -> tuple[Way, ...]:
    """Return the errors of global sensitivity and of the three safe mechanisms at equal cost, by experiment.

    A proposed bound b is so many times the tuned one; mechanisms that need no proposal stay as they are.
    """
    kinds = MEAN_WAYS if name == Mean.name else WAYS
    return tuple(_way(kind, name, people, epsilon, times if "b" in kind.parameters() else 1.0) for kind in kinds)


@lru_cache(maxsize=256)
def _way(kind: type[Mechanism], name: str, people: int, epsilon: float, times: float) -> Way:
    stand = census_ground("age").resized(people)
    query = statistics[name]()
    mechanism: Any = contest.entrant(kind, query, Cost.of(epsilon, DELTA), stand)
    assert mechanism is not None
    tuned: Any = stand.tuned(mechanism)
    proposed = tuned if times == 1.0 else replace(tuned, b=times * tuned.b)
    (result,) = contest.run([Contender(kind.slug, proposed)], query, stand, DRAWS, seed=1)
    summary = result.summary()
    refusals = summary["refusals"]
    error = summary["q95"]
    cut = at_bound(error, result.truth, (AGES.lower, AGES.upper))
    return Way(kind, math.nan if refusals > MOSTLY_REFUSED else error, refusals, cut)


def at_bound(error: float, truth: float, bounds: tuple[float, float]) -> bool:
    """Whether an error is the distance of the truth to a bound, where clipping ends it."""
    return any(math.isclose(error, abs(truth - bound)) for bound in bounds)


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
PROPOSALS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)  # bounds b that can be chosen
NEAREST = 80  # the smallest number of persons away that is drawn
SEEN = 1.1  # of the furthest point
SHOWN = 0.99  # of all results


@dataclass(frozen=True)
class ProposalWalk:
    """A proposal, its noisy test, and what was released; no result means a refusal."""

    law: Gated
    cost: Cost
    by_chance: float  # how often a dataset at distance 0 passes, which is delta at most
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


def proposal(b: float, epsilon: float, delta: float) -> ProposeTestRelease:
    """Return the library's mechanism: half of epsilon is for the test."""
    return ProposeTestRelease(query=Median(), epsilon=epsilon, delta=delta, b=b)


@lru_cache(maxsize=64)
def walk(people: int, b: float, epsilon: float, seed: int, delta: float = WALK_DELTA) -> ProposalWalk:
    """Run a proposal to its release: the distribution draws the noise of the test first, then that of the result."""
    mechanism = proposal(b, epsilon, delta)
    column = crowd(people).column
    law = mechanism.law(column)
    test = mechanism.tested(column)
    assert isinstance(law, Gated) and isinstance(test, PureTest)
    noisy = SimulationNoise(seed).geometric(test.distance, test.threshold.scale)
    answer: Any = law.draw(SimulationNoise(seed))
    return ProposalWalk(
        law,
        mechanism.refusal_cost() if answer is None else mechanism.cost(),
        replace(test, distance=0).chance,
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
NUMBERS = (1, 2, 5, 10, 20, 30, 50, 70, 100, 150, 200, 300)
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
    return tuple(_dealt_error(aggregate(name, k, low, high)) for k in NUMBERS)


def _dealt_error(mechanism: SampleAggregate) -> float:
    ages = crowd(DEALT).column.values()
    noise = SimulationNoise(mechanism.k)
    laws = [mechanism.law(mechanism.view.split(ages[None, :], noise)) for _ in range(DEALS)]
    errors = [np.abs(law.quantile(PLACES) - np.median(ages)) for law in laws]
    return float(np.quantile(np.concatenate(errors), 0.95))


def best_blocks(name: str, low: float, high: float) -> int:
    """Return the number of blocks with the smallest error."""
    errors = errors_by_blocks(name, low, high)
    return NUMBERS[errors.index(min(errors))]
