"""Sharper mechanisms compared with the previous ones: 95% errors at the same charge, as a ratio in one run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
from scipy.special import ndtri

from benchmarks.report import table
from discreet.curator import Request
from discreet.lab.contest import Scenario, dealt, error
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, Public, registry
from discreet.mechanisms.base.sparse_vector import Scales
from discreet.mechanisms.block_count import propose_k
from discreet.mechanisms.clipped_mean import ClippedMean
from discreet.mechanisms.counts_above import CountsAbove
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import Geometric, GlobalLaplace, whole_width
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.queries import Bounds, Column, Relation
from discreet.queries.count import Count
from discreet.queries.estimators import registry as estimators
from discreet.queries.mean import Mean

AGES = Bounds(0, 100, integer=True)
PEOPLE, CATEGORIES, DRAWS = 10_000, 200, 4000

Line = tuple[str, str, float, float]  # what, the previous way, its error, the error now


def width(mechanism: Mechanism) -> float:
    """Return the public half width of an answer about ages."""
    half_width = mechanism.forecast(Public(AGES, PEOPLE)).half_width
    assert half_width is not None
    return half_width


def groups() -> Iterator[Line]:
    """One charge for all groups of persons with m rows, compared with one charge for each of m groups."""
    for m in (2, 5, 10):
        relation = Relation(rows=m)
        for now in (Geometric(Count(relation), 1.0), TwoCounts(epsilon=1.0, relation=relation)):
            before = replace(now, epsilon=1.0 / m)
            assert Request(now, ("age",), by="town").cost().epsilon == 1.0
            yield f"{now.title} by group, {m} rows a person", "charged for each row", width(before), width(now)


def means() -> Iterator[Line]:
    """The exact global sensitivity of a mean of persons, compared with the smaller of m moves and the range."""
    for m in (2, 3, 5):
        now = width(GlobalLaplace(Mean(Relation(rows=m)), 1.0))
        before = now * min(m / 2, 1) / (m / (m + 1))
        yield f"mean, {m} rows a person, Laplace noise", "m times one row, or the range", before, now


def blocks() -> Iterator[Line]:
    """Blocks chosen by their error on skewed people, compared with a rule of thumb; both applied to other incomes."""
    bounds = Bounds(0, 1_000_000)
    for people, epsilon, name in product((2_000, 32_561), (0.1, 1.0), ("standard-deviation", "median")):
        normal = SimulationNoise(7).uniforms(1, people)[0]
        real = Column.from_values(bounds, np.exp(10.5 + 0.8 * ndtri(normal)))
        public = Scenario(bounds, people, "skewed").column
        lower, upper = estimators[name].usual(0, 1_000_000)
        rule = propose_k(epsilon, people)
        before = aggregator(rule.slug)(estimator=name, k=rule.k, lower=lower, upper=upper, epsilon=epsilon)
        kinds = [aggregator(kind.slug) for kind in registry.values() if issubclass(kind, SampleAggregate)]
        each = [dealt(kind(estimator=name, lower=lower, upper=upper, epsilon=epsilon), public) for kind in kinds]
        now = min(each, key=lambda mechanism: error(mechanism, public))
        what = f"{name} of {people} by {now.slug}, k {now.k}, epsilon {epsilon}"
        yield what, f"{before.slug}, k {before.k}", error(before, real), error(now, real)


def thresholds() -> Iterator[Line]:
    """One noisy count of each, compared with a sparse vector of several answers: rows from which none is misjudged."""
    for answers in (1, 10, 100):
        stream = Scales.best(1.0, "automatic", Relation(), answers)
        once = whole_width(CountsAbove(epsilon=1.0).scale, 1 - 0.05 / CATEGORIES)
        what = f"which of {CATEGORIES} categories are above, {answers} of them"
        yield what, "sparse vector", stream.slack(CATEGORIES, 0.05), once


def clips() -> Iterator[Line]:
    """A bound found and used in one release, compared with two soft counts at the declared bounds: mean errors."""
    for top, people, epsilon in product((10**8, 10**6), (2_000, 32_561), (0.1, 1.0)):
        incomes = np.exp(10.5 + 0.8 * ndtri(SimulationNoise(7).uniforms(1, people)[0]))
        data, noise = Column.from_values(Bounds(0, top), incomes), SimulationNoise(8)
        mechanisms = (TwoCounts(epsilon=epsilon), ClippedMean(epsilon=epsilon))
        errors = [
            np.abs(simulate(each.law(data), DRAWS, noise) - np.minimum(incomes, top).mean()) for each in mechanisms
        ]
        what = f"mean of {people} incomes up to {top:,}, epsilon {epsilon}"
        yield f"{what}: mean error", "two soft counts", *(float(np.mean(error)) for error in errors)
        yield f"{what}: median error", "two soft counts", *(float(np.median(error)) for error in errors)


def aggregator(slug: str) -> type[SampleAggregate]:
    """Return an aggregator by its slug."""
    kind = registry[slug]
    assert issubclass(kind, SampleAggregate)
    return kind


PARTS = (groups, means, blocks, thresholds, clips)


def run() -> None:
    """Print every line with its ratio."""
    lines = [
        (what, way, f"{before:.4g}", f"{now:.4g}", f"{before / now:.2f}x")
        for part in PARTS
        for what, way, before, now in part()
    ]
    table(
        "Sharper, at epsilon 1 in all unless another is named",
        ("what", "before", "its error", "error now", "smaller"),
        lines,
    )


if __name__ == "__main__":
    run()
