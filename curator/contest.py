"""Contests: every mechanism that can answer a statistic, at equal cost, on public data only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from budget import Cost
from budget.errors import ParameterError
from curator.experiment import Experiment, simulate
from curator.noise import SimulationNoise
from curator.scenario import Scenario, blocks_of, tuned_on
from mechanisms import Mechanism, Public, registry
from mechanisms.block_count import propose_k
from mechanisms.sample_aggregate import SampleAggregate
from mechanisms.tuning import tuned
from queries import Bounds, Column, Query
from queries.bounds import FloatArray

ESTIMATORS = {
    "mean": "mean",
    "median": "median",
    "quantile": "quantile",
    "standard-deviation": "standard-deviation",
}
LEFT_OUT = {"textbook-mean"}  # sum-over-count is the same thing, better centred
MOST_REFUSED = 0.05
TIE = 1.05
BELOW_STEP = 0.01


@dataclass(frozen=True)
class Ground:
    """Public data that a contest runs on: a scenario, or one number column of an open dataset."""

    name: str
    column: Column
    scenario: Scenario | None = None

    @classmethod
    def of(cls, scenario: Scenario) -> Ground:
        """Stand on a scenario."""
        told = f"scenario: {scenario.size:,} people, {scenario.shape}"
        return cls(told, scenario.column, scenario)

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

    def resized(self, size: int) -> Ground:
        """Return the same shape with another number of people."""
        if self.scenario is not None:
            return Ground.of(replace(self.scenario, size=size))
        ranks = 1 + (np.arange(size) * max(self.column.n, 1)) // size
        ticks = self.column.order(ranks)
        return Ground(self.name, Column.from_ticks(self.bounds, ticks))


@dataclass(frozen=True)
class Contender:
    """A mechanism in a contest, by the name that its colour and its line in the table have."""

    slug: str
    mechanism: Mechanism

    @property
    def title(self) -> str:
        """The name to show."""
        return type(self.mechanism).title


def contenders(query: Query, cost: Cost, ground: Ground) -> list[Contender]:
    """Return every mechanism that can answer the statistic, each tuned for the ground."""
    found = []
    for slug, kind in registry.items():
        if kind.open_only or slug in LEFT_OUT:
            continue
        try:
            made = _made(kind, query, cost, ground)
            if made is not None:
                made.check(Public(ground.bounds, ground.column.n))
                found.append(Contender(slug, ground.tuned(made)))
        except ParameterError:
            continue  # it cannot answer this one, at this cost or within these bounds
    return found


def _made(kind: type[Any], query: Query, cost: Cost, ground: Ground) -> Mechanism | None:
    names = {f.name for f in fields(kind)}
    told: dict[str, Any] = {"epsilon": cost.epsilon}
    if "delta" in names:
        if not cost.delta_units:
            return None
        told["delta"] = cost.delta
    if issubclass(kind, SampleAggregate):
        return _blocks(kind, query, told, ground)
    if query.name not in kind.topics():
        return None
    if "q" in names:
        told["q"] = float(getattr(query, "q", 0.5))
    extra = {"query": query} if "query" in names else {"relation": query.relation}
    made: Mechanism = kind(**told, **extra)
    return made


def _blocks(
    kind: type[Any], query: Query, told: dict[str, Any], ground: Ground
) -> Mechanism | None:
    if query.name not in ESTIMATORS:
        return None
    level = f":{float(query.q)}" if query.name == "quantile" else ""  # type: ignore[attr-defined]
    bounds = ground.bounds
    span = (float(bounds.value(0)), float(bounds.value(bounds.top)))
    if query.name == "standard-deviation":
        span = (0.0, bounds.width / 2)
    proposal = propose_k(told["epsilon"], max(ground.column.n, 1))
    made: Mechanism = kind(
        **told,
        estimator=ESTIMATORS[query.name] + level,
        k=proposal.k,
        lower=span[0],
        upper=span[1],
        relation=query.relation,
    )
    return made


def view_of(mechanism: Mechanism, ground: Ground, noise: SimulationNoise) -> Any:
    """Return what a mechanism's law needs of the ground: its column, or blocks of its rows."""
    if isinstance(mechanism, SampleAggregate):
        return blocks_of(ground.column.values()[None, :], mechanism, noise)
    return ground.column


def run(
    asked: Sequence[Contender], query: Query, ground: Ground, draws: int, seed: int
) -> list[Experiment]:
    """Simulate many answers of every contender, beside the truth. Block answers share one split."""
    truth = query.value(ground.column)
    noise = SimulationNoise(seed)
    return [
        Experiment(
            one.title,
            truth,
            simulate(one.mechanism.law(view_of(one.mechanism, ground, noise)), draws, noise),
        )
        for one in asked
    ]


def width95(mechanism: Mechanism, query: Query, ground: Ground, seed: int = 0) -> float:
    """Return the error that 19 answers in 20 keep to on this ground; NaN if it mostly refuses."""
    noise = SimulationNoise(seed)
    law = mechanism.law(view_of(mechanism, ground, noise))
    if law.refusal > 0.5:
        return float("nan")
    answers = law.quantile((np.arange(200) + 0.5) / 200)
    return float(np.quantile(np.abs(answers - query.value(ground.column)), 0.95))


@dataclass(frozen=True)
class Sweep:
    """Error against one setting, a line for every contender."""

    setting: str
    points: tuple[float, ...]
    errors: Mapping[str, FloatArray] = field(repr=False)


EPSILONS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
SIZES = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)


Report = Callable[[float], object]


def silent(share: float) -> None:
    """Report to nobody how far a computation is."""


def against_epsilon(
    query: Query, cost: Cost, ground: Ground, only: Sequence[str], report: Report = silent
) -> Sweep:
    """Return the 95% error of every contender for a range of epsilon."""
    points = {e: (Cost.of(e, cost.delta), ground) for e in EPSILONS}
    return _sweep("Epsilon", points, query, only, report)


def against_size(
    query: Query, cost: Cost, ground: Ground, only: Sequence[str], report: Report = silent
) -> Sweep:
    """Return the 95% error of every contender for a range of numbers of people."""
    points = {float(n): (cost, ground.resized(n)) for n in SIZES}
    return _sweep("People", points, query, only, report)


def _sweep(
    name: str,
    points: Mapping[float, tuple[Cost, Ground]],
    query: Query,
    only: Sequence[str],
    report: Report,
) -> Sweep:
    errors = {slug: np.full(len(points), np.nan) for slug in only}
    for at, (cost, ground) in enumerate(points.values()):
        report(at / len(points))
        for one in contenders(query, cost, ground):
            if one.slug in errors:
                errors[one.slug][at] = width95(one.mechanism, query, ground)
    return Sweep(name, tuple(points), errors)


def against_blocks(one: Contender, query: Query, ground: Ground, report: Report = silent) -> Sweep:
    """Return the 95% error of an aggregator for a range of k."""
    most = max(ground.column.n, 4)
    ks = sorted({int(k) for k in np.geomspace(4, min(most, 10_000), 12)})
    made = [replace(one.mechanism, k=k) for k in ks]  # type: ignore[call-arg]
    errors = np.full(len(ks), np.nan)
    for at, mechanism in enumerate(made):
        report(at / len(ks))
        errors[at] = width95(mechanism, query, ground)
    return Sweep("Blocks k", tuple(map(float, ks)), {one.slug: errors})


def against_bound(one: Contender, query: Query, ground: Ground) -> Sweep:
    """Return the 95% error and refusals of propose-test-release for a range of b."""
    middle = float(getattr(one.mechanism, "b"))  # noqa: B009
    bs = [float(f"{b:.3g}") for b in middle * np.geomspace(0.2, 20, 13)]
    made = [replace(one.mechanism, b=b) for b in bs]  # type: ignore[call-arg]
    errors = np.array([width95(m, query, ground) for m in made])
    refused = np.array([m.law(ground.column).refusal for m in made])
    return Sweep("Bound b", tuple(bs), {one.slug: errors, "refusals": refused})


@dataclass(frozen=True)
class Advice:
    """Which contender to take, by how much it wins, and who comes close."""

    best: Contender
    error: float
    second: Contender | None
    times: float
    ties: tuple[Contender, ...]


def advice(asked: Sequence[Contender], told: Sequence[Experiment], step: float) -> Advice | None:
    """Recommend the smallest 95% error among those that hardly ever refuse.

    Differences far below a step of the column are ties; of equals, one without delta is better.
    """
    ranked = sorted(
        (result.summary()["q95"], at)
        for at, result in enumerate(told)
        if result.refusal_rate <= MOST_REFUSED and result.errors.size
    )
    if not ranked:
        return None
    most = max(ranked[0][0], step * BELOW_STEP) * TIE
    near = [at for error, at in ranked if error <= most]
    pure = [at for at in near if not asked[at].mechanism.cost().delta_units]
    best = (pure or near)[0]
    rest = [(error, at) for error, at in ranked if at not in near]
    error = max(dict((at, error) for error, at in ranked)[best], step * BELOW_STEP)
    return Advice(
        asked[best],
        float(told[best].summary()["q95"]),
        asked[rest[0][1]] if rest else None,
        rest[0][0] / error if rest else 1.0,
        tuple(asked[at] for at in near if at != best),
    )
