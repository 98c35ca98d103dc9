"""Contests: every mechanism that can answer a statistic, at equal cost, on public data only."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from scipy import special

from discreet.budget import Cost, plugins
from discreet.budget.errors import ParameterError, Phrase
from discreet.lab.experiment import Experiment, simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, Public, registry
from discreet.mechanisms.base.tuning import tuned
from discreet.mechanisms.base.view import InBlocks
from discreet.mechanisms.laws.law import Law
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.queries import ADD_REMOVE, Bounds, Column, Relation
from discreet.queries.bounds import FloatArray
from discreet.queries.column import Blocks, Pairs, Scores
from discreet.queries.estimators import USUAL_WEIGHT
from discreet.queries.estimators import registry as estimators

# --- Scenarios: public stand-in data from declared bounds, a guess of n and an assumed shape ---

MOST_PEOPLE = 1_000_000
M = TypeVar("M", bound=Mechanism)
Shape = Callable[[FloatArray], FloatArray]

# each maps a rank between 0 and 1 to a position between the bounds, 0 to 1
SHAPES: dict[str, Shape] = {
    "bell": lambda p: 0.4 + 0.14 * special.ndtri(p),
    "even": lambda p: p,
    "skewed": lambda p: -0.12 * np.log1p(-p),
    "heavy tail": lambda p: 0.01 * ((1 - p) ** -0.7 - 1),
    "far below the bound": lambda p: np.exp(0.8 * special.ndtri(p)) / 3000,
    "two groups": lambda p: np.where(
        p < 0.7, 0.25 + 0.06 * special.ndtri(p / 0.7), 0.75 + 0.06 * special.ndtri(np.maximum(p - 0.7, 1e-9) / 0.3)
    ),
}


@dataclass(frozen=True)
class Scenario:
    """Simulated people: how many, between which bounds, in which shape. All of it is public."""

    bounds: Bounds
    size: int = 1000
    shape: str = "bell"

    def __post_init__(self) -> None:
        """Raise ParameterError for an invalid size or shape."""
        if self.shape not in SHAPES:
            raise ParameterError(
                "The distribution must be one of {choices}. Got {shape!r}.", choices=", ".join(SHAPES), shape=self.shape
            )
        if not isinstance(self.size, int) or not 1 <= self.size <= MOST_PEOPLE:
            raise ParameterError(
                "The approximate number of people must be between 1 and {most_people:,}. Got {size}.",
                most_people=MOST_PEOPLE,
                size=self.size,
            )

    @property
    def column(self) -> Column:
        """The stand-in rows, deterministic."""
        return _column(self)


@lru_cache(maxsize=64)
def _column(scenario: Scenario) -> Column:
    ranks = (np.arange(scenario.size) + 0.5) / scenario.size
    places = np.clip(SHAPES[scenario.shape](ranks), 0.0, 1.0)
    bounds = scenario.bounds
    ticks = np.minimum((places * (bounds.top + 1)).astype(np.int64), bounds.top)
    return Column.from_ticks(bounds, ticks)


def imagined_counts(labels: tuple[str, ...], people: int) -> Scores:
    """Return public stand-in counts of declared labels: each label is rarer than the one before, as names are."""
    weights = 1 / (1 + np.arange(len(labels)))
    counts = np.round(people * weights / weights.sum()).astype(np.int64)
    return Scores(labels, counts)


@lru_cache(maxsize=64)
def beside(scenario: Scenario, second: Bounds, weighs: bool = False) -> Pairs:
    """Return stand-in rows of two columns of the same shape, the second of which follows the first by half.

    One that `weighs` the first has the weight that forecasts assume in every row.
    """
    ranks = (np.arange(scenario.size) + 0.5) / scenario.size
    shape = SHAPES[scenario.shape]
    left, other = (np.clip(shape(each), 0.0, 1.0) for each in (ranks, (ranks + np.arange(scenario.size) * GOLDEN) % 1))
    right = np.full(left.size, _usual_weight(second)) if weighs else (left + other) / 2
    pair = zip((scenario.bounds, second), (left, right), strict=True)
    ticks = [np.minimum((places * (bounds.top + 1)).astype(np.int64), bounds.top) for bounds, places in pair]
    return Pairs.from_ticks(scenario.bounds, second, *ticks)


def _usual_weight(second: Bounds) -> float:
    """Return the place between its bounds of the weight that forecasts assume."""
    low, high = float(second.value(0)), float(second.value(second.top))
    return min(1.0, max(0.0, (USUAL_WEIGHT * high - low) / (high - low)))


@lru_cache(maxsize=512)
def tuned_on(mechanism: M, scenario: Scenario) -> M:
    """Return the settings that are best on a scenario, computed once."""
    return tuned(mechanism, scenario.column)


# --- Number of blocks: chosen by the error that each number has on public data ---

FEWEST_ROWS = 4  # of a block: fewer carry no information for most estimators
MOST_ROWS, MOST_TRIED = 50_000, 2048  # rows and blocks that are tried; more of them hardly change the best number
MOST_PAIRS, ANSWERS = 20_000, 1000  # rows of two columns, and simulated answers on them
SPLITS = 2
PLACES = 64
GOLDEN = (math.sqrt(5) - 1) / 2


def numbers_of_blocks(rows: int) -> list[int]:
    """Return the numbers of blocks to try: each twice the one before."""
    most = min(max(1, rows // FEWEST_ROWS), MOST_TRIED)
    return [2**step for step in range(most.bit_length()) if 2**step < most] + [most]


def dealt(mechanism: SampleAggregate, column: Column) -> SampleAggregate:
    """Return an aggregator with the number of blocks of the smallest 95% error on public rows.

    It spends nothing: only public rows are used. Data unlike them cost accuracy, never privacy.
    """
    if mechanism.view.columns != 1 or not column.n:
        return mechanism
    return _dealt(replace(mechanism, k=1), _thinned(column, min(column.n, MOST_ROWS)))


@lru_cache(maxsize=64)
def _dealt(mechanism: SampleAggregate, column: Column) -> SampleAggregate:
    tried = [replace(mechanism, k=k) for k in numbers_of_blocks(column.n)]
    return min(tried, key=lambda each: error(each, column))


def error(mechanism: SampleAggregate, column: Column) -> float:
    """Return the 95% error on public rows, from noise and small blocks together."""
    some = _thinned(column, min(column.n, MOST_ROWS))
    truth = estimators[mechanism.estimator](some.values())
    places = (np.arange(PLACES) + 0.5) / PLACES
    errors = [np.abs(mechanism.law(blocks).quantile(places) - truth) for blocks in _splits(mechanism.view, some)]
    return float(np.quantile(np.concatenate(errors), 0.95))


def all_beside(scenario: Scenario, second: Bounds, weighs: bool = False) -> Pairs:
    """Return as many stand-in rows of two columns as a scenario has: some, repeated where they are very many."""
    few = _few(scenario)
    return beside(few, second, weighs).times(max(1, round(scenario.size / few.size)))


def _few(scenario: Scenario) -> Scenario:
    return replace(scenario, size=min(scenario.size, MOST_PAIRS))


def dealt_pairs(mechanism: SampleAggregate, scenario: Scenario, second: Bounds) -> SampleAggregate:
    """Return an aggregator of two columns with the number of blocks of the smallest 95% error on public rows."""
    tried = [replace(mechanism, k=k) for k in numbers_of_blocks(min(scenario.size, MOST_PAIRS))]
    return min(tried, key=lambda each: pair_error(each, scenario, second))


def pair_error(mechanism: Mechanism, scenario: Scenario, second: Bounds, weighs: bool = False) -> float:
    """Return the 95% error of a mechanism of two columns on public rows, simulated."""
    few = _few(scenario)
    noise = SimulationNoise(0)
    view: Any = mechanism.view
    every = all_beside(scenario, second, weighs)
    truth = view.truth(every) if weighs else estimators[view.estimator](*beside(few, second).values())
    if isinstance(view, InBlocks):
        laws = [mechanism.law(blocks) for blocks in _pair_splits(view, few, second)]
    else:
        laws = [mechanism.law(every)]
    errors = [np.abs(simulate(law, ANSWERS, noise) - truth) for law in laws]
    return float(np.quantile(np.concatenate(errors), 0.95))


@lru_cache(maxsize=64)
def _pair_splits(view: InBlocks, scenario: Scenario, second: Bounds) -> tuple[Blocks, ...]:
    noise = SimulationNoise(view.k)
    return tuple(view.split(beside(scenario, second).values(), noise) for _ in range(SPLITS))


@lru_cache(maxsize=8)
def _thinned(column: Column, rows: int) -> Column:
    if rows == column.n:
        return column
    return Column.from_ticks(column.bounds, column.order(np.linspace(1, column.n, rows).astype(np.int64)))


@lru_cache(maxsize=64)
def _splits(view: InBlocks, column: Column) -> tuple[Blocks, ...]:
    """Return the estimates of several random splits, the same ones for every aggregator."""
    noise = SimulationNoise(view.k)
    values = column.values()[None, :]
    return tuple(view.split(values, noise) for _ in range(SPLITS))


Q = TypeVar("Q", bound="Statistic")
MOST_REFUSED = 0.05
TIE = 1.05
BELOW_STEP = 0.01


class Statistic(Protocol):
    """What a contest is about: a registered statistic, or an estimator of rows."""

    @property
    def name(self) -> str:
        """The name in a registry."""

    @property
    def relation(self) -> Relation:
        """The neighbour relation."""

    @property
    def level(self) -> float | tuple[float, ...] | None:
        """The level, if there is one; the levels, if there are several."""

    def fitted(self, size: int) -> Self:
        """Return the statistic for a public number of rows."""

    def value(self, column: Column) -> float:
        """Return the true value."""


@dataclass(frozen=True)
class Estimated:
    """An estimator as a statistic: it has no ladder and no sensitivity, so only blocks can answer it."""

    name: str
    relation: Relation = ADD_REMOVE
    level: float | tuple[float, ...] | None = None

    def fitted(self, size: int) -> Self:
        """Return the estimator itself: it takes any number of rows."""
        return self

    def value(self, column: Column) -> float:
        """Return the estimate from all rows."""
        return estimators[self.name](column.values())


def fitted(query: Q, ground: Ground) -> Q:
    """Return the statistic for a ground: one that resizes uses its number of people."""
    return query.fitted(max(ground.column.n, 1))


@dataclass(frozen=True)
class Ground:
    """Public data that a contest runs on: a scenario, or one number column of an open dataset."""

    name: str
    column: Column
    scenario: Scenario | None = None

    @classmethod
    def of(cls, scenario: Scenario) -> Ground:
        """Return the ground of a scenario."""
        title = Phrase("simulated data: {size:,} people, {shape}", size=scenario.size, shape=Phrase(scenario.shape))
        return cls(title, scenario.column, scenario)

    @property
    def bounds(self) -> Bounds:
        """The declared bounds."""
        return self.column.bounds

    def tuned(self, mechanism: Mechanism) -> Mechanism:
        """Return the best settings for this ground."""
        if self.scenario is not None:
            best: Mechanism = tuned_on(mechanism, self.scenario)
            return best
        return tuned(mechanism, self.column)

    def law(self, mechanism: Mechanism, noise: SimulationNoise) -> Law:
        """Return the law of a mechanism's answer here: of the column, or of blocks of its rows."""
        return mechanism.law(mechanism.view.stand_in(self.column, noise))

    def resized(self, size: int) -> Ground:
        """Return the ground with the same shape and another number of people."""
        if self.scenario is not None:
            return Ground.of(replace(self.scenario, size=size))
        ranks = 1 + (np.arange(size) * max(self.column.n, 1)) // size
        ticks = self.column.order(ranks)
        return Ground(self.name, Column.from_ticks(self.bounds, ticks))


@dataclass(frozen=True)
class Contender:
    """A mechanism in a contest, with the slug that determines its colour and its line in the table."""

    slug: str
    mechanism: Mechanism

    @property
    def title(self) -> str:
        """The name to show."""
        return type(self.mechanism).title


def enters(kind: type[Mechanism], intervals: bool) -> bool:
    """Return whether a mechanism takes part; one that draws intervals does if intervals are compared.

    A third-party mechanism without the evidence for protected data takes no part.
    """
    wanted = not kind.open_only and not kind.joint and (kind.compared or (intervals and kind.spanned))
    return wanted and plugins.lacking(kind) is None


def contenders(
    query: Statistic, cost: Cost, ground: Ground, intervals: bool = False, only: Collection[str] | None = None
) -> list[Contender]:
    """Return every mechanism (or only those with these slugs) that can answer the statistic, tuned for the ground."""
    entrants = []
    for slug, kind in registry.items():
        if not enters(kind, intervals) or (only is not None and slug not in only):
            continue
        try:
            mechanism = entrant(kind, query, cost, ground)
            if mechanism is not None:
                mechanism.check(Public(ground.bounds, ground.column.n))
                entrants.append(Contender(slug, ground.tuned(mechanism)))
        except ParameterError:
            continue  # it cannot answer this one, at this cost or within these bounds
    return entrants


def entrant(kind: type[Any], query: Statistic, cost: Cost, ground: Ground) -> Mechanism | None:
    """Return a mechanism for the statistic at this cost; None if it cannot answer it."""
    names = {f.name for f in fields(kind) if f.init}
    settings: dict[str, Any] = {"epsilon": cost.epsilon}
    if "delta" in names:
        if not cost.delta_units:
            return None
        settings["delta"] = cost.delta
    if issubclass(kind, SampleAggregate):
        return _blocks(kind, query, settings, ground)
    if not kind.can_answer(query.name):
        return None
    if "q" in names:
        settings["q"] = 0.5 if query.level is None else query.level
    if not names & {"query", "relation"}:
        return None  # its parts declare their neighbours, and there are none yet
    if "levels" in names:
        settings["levels"] = query.level
    if "estimator" in names:
        settings["estimator"] = query.name if query.level is None else f"{query.name}:{query.level}"
    extra = {"query": query} if "query" in names else {"relation": query.relation}
    mechanism: Mechanism = kind(**settings, **extra)
    return mechanism


def _blocks(kind: type[Any], query: Statistic, settings: dict[str, Any], ground: Ground) -> Mechanism | None:
    if query.name not in estimators:
        return None
    name = query.name if query.level is None else f"{query.name}:{query.level}"
    bounds = ground.bounds
    lowest = float(bounds.value(0))
    highest = float(bounds.value(bounds.top))
    lower, upper = estimators[name].usual(lowest, highest)
    mechanism = kind(**settings, estimator=name, k=1, lower=lower, upper=upper, relation=query.relation)
    return dealt(mechanism, ground.column)


def run(asked: Sequence[Contender], query: Statistic, ground: Ground, draws: int, seed: int) -> list[Experiment]:
    """Simulate many answers of every contender, with the truth. Answers by blocks share one random split."""
    truth = query.value(ground.column)
    noise = SimulationNoise(seed)
    return [
        Experiment(contender.title, truth, simulate(ground.law(contender.mechanism, noise), draws, noise))
        for contender in asked
    ]


def width95(mechanism: Mechanism, query: Statistic, ground: Ground, seed: int = 0) -> float:
    """Return the 95% error on this ground; NaN if the mechanism mostly refuses."""
    noise = SimulationNoise(seed)
    law = ground.law(mechanism, noise)
    if law.refusal > 0.5:
        return float("nan")
    answers = law.quantile((np.arange(200) + 0.5) / 200)
    return float(np.quantile(np.abs(answers - query.value(ground.column)), 0.95))


@dataclass(frozen=True)
class Advice:
    """The recommended contender, by how much it wins, and which ones are close."""

    best: Contender
    error: float
    second: Contender | None
    times: float
    ties: tuple[Contender, ...]


def _ranked(asked: Sequence[Contender], results: Sequence[Experiment], ground: Ground) -> list[tuple[float, int]]:
    """Return errors and indices of those that may be recommended, the smallest error first."""
    public = Public(ground.bounds, ground.column.n)
    leads = [each.mechanism.lead(public) for each in asked]
    ranked = sorted(
        (result.summary()["q95"], at)
        for at, result in enumerate(results)
        if result.refusal_rate <= MOST_REFUSED and result.errors.size
    )
    least = min((error for error, at in ranked if leads[at] == 1), default=math.inf)
    return [(error, at) for error, at in ranked if leads[at] == 1 or error * leads[at] <= least]


def advice(asked: Sequence[Contender], results: Sequence[Experiment], ground: Ground) -> Advice | None:
    """Recommend the smallest 95% error among those that hardly ever refuse, and have the lead that they need.

    Differences far below a step of the column are ties; among ties, one without delta is preferred.
    """
    step = float(ground.bounds.resolution)
    ranked = _ranked(asked, results, ground)
    if not ranked:
        return None
    most = max(ranked[0][0], step * BELOW_STEP) * TIE
    near = [at for error, at in ranked if error <= most]
    beaten = {asked[at].mechanism.beats for at in near}
    pure = [at for at in near if not asked[at].mechanism.cost().delta_units and asked[at].slug not in beaten]
    best = (pure or near)[0]
    rest = [(error, at) for error, at in ranked if at not in near]
    error = max(dict((at, error) for error, at in ranked)[best], step * BELOW_STEP)
    return Advice(
        asked[best],
        float(results[best].summary()["q95"]),
        asked[rest[0][1]] if rest else None,
        rest[0][0] / error if rest else 1.0,
        tuple(asked[at] for at in near if at != best),
    )
