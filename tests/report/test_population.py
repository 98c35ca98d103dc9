"""Population intervals: of those of whom the rows are a sample; never fewer than 19 in 20, whoever they are."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.soak import some

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Release, Request
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.counts_gaussian import CountsGaussian
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.ratio import SoftCounts, rows_at_least
from discreet.mechanisms.normal_counts import TwoNormalCounts
from discreet.queries import Column, Relation
from discreet.queries.column import Scores
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.report.export import releases_json
from discreet.report.intervals import (
    difference,
    difference_of_shares,
    entropy,
    population,
    sampled,
    share_differences,
    simultaneous,
)
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, Schema

SCHEMA = Schema({"x": Number(0, 1000, integer=True), "g": Category(("a", "b"))})
Draw = Callable[[np.random.Generator, int], Any]
PEOPLE: dict[str, tuple[float, Draw]] = {  # a mean, and how to draw from all that are
    "all at an end": (0.0, lambda rng, n: np.zeros(n)),
    "all inside": (700.0, lambda rng, n: np.full(n, 700)),
    "half and half": (500.0, lambda rng, n: 1000 * (rng.random(n) < 0.5)),
    "one in a thousand": (1.0, lambda rng, n: 1000 * (rng.random(n) < 0.001)),
    "all but one in twenty": (950.0, lambda rng, n: 1000 * (rng.random(n) < 0.95)),
    "heavy tail": (float(np.mean(1000 / (1 + np.arange(1000)))), lambda rng, n: 1000 / (1 + rng.integers(0, 1000, n))),
}
TIMES, FALSE_ALARM = 300, 1e-7


def release(mechanism: Any, answer: Any, interval: Any, size: Any, by: str | None = None) -> Release:
    """Return an answer as it is released."""
    return Release("id", Request(mechanism, ("x",), by=by), answer, Cost.zero(), 0, interval, size)


def line(times: int) -> int:
    """Return how many of these draws a promise of 95 in 100 keeps to, but for a false alarm."""
    return int(stats.binom.ppf(FALSE_ALARM, times, 0.95))


@pytest.mark.soak
@pytest.mark.parametrize(("name", "n", "kind"), some(product(PEOPLE, (2000, 15, 1), (TwoCounts, TwoNormalCounts)), 5))
def test_it_covers_the_mean_of_every_population(name: str, n: int, kind: Any) -> None:
    """Another sample and another noise each time, at a strong and at a weak epsilon."""
    mean, people = PEOPLE[name]
    for epsilon in (0.1, 5.0):
        rng, covered = np.random.default_rng(n), 0
        law = kind(epsilon=epsilon).law(Column.from_ticks(SCHEMA.bounds("x"), np.zeros(1, np.int64)))
        assert isinstance(law, SoftCounts)
        for _ in range(TIMES):
            above = float(people(rng, n).sum()) / 1000
            noise = law.first.shape.quantile(rng.random(2)) * law.first.scale
            drawn = law.measured(above + noise[0], n - above + noise[1])
            span = population(release(kind(epsilon=epsilon), float(drawn), drawn.interval, drawn.size), SCHEMA)
            covered += span[0] <= mean <= span[1]
        assert covered >= line(TIMES)


COUNTS = (CountsGeometric, CountsGaussian)
SHARES = {"rare": (0.001, 0.299, 0.7), "one for all": (1.0, 0.0, 0.0), "three": (0.3, 0.3, 0.4)}


@pytest.mark.soak
@pytest.mark.parametrize(("name", "n", "kind"), some(product(SHARES, (20, 1, 3000), COUNTS), 5))
def test_shares_of_a_list_of_counts_are_covered_each(name: str, n: int, kind: Any) -> None:
    """Of three declared levels, at a strong and at a weak epsilon."""
    true = np.array(SHARES[name])
    schema = Schema({"g": Category(("a", "b", "c"))})
    for epsilon in (0.1, 5.0):
        rng, noise, covered = np.random.default_rng(n), SimulationNoise(n), np.zeros(3)
        mechanism = kind(epsilon=epsilon)
        for _ in range(TIMES):
            counts = mechanism.law(Scores(("a", "b", "c"), rng.multinomial(n, true))).draw(noise)
            spans = population(Release("id", Request(mechanism, ("g",)), counts, Cost.zero(), 0), schema)
            covered += [low <= share <= high for (low, high), share in zip(spans, true, strict=True)]
        assert covered.min() >= line(TIMES)


THREE = Schema({"g": Category(("a", "b", "c")), "town": Category(("x", "y"))})


def counted(mechanism: Any, counts: Any, town: str, *more: Filter) -> Release:
    """Return a list of counts of a town."""
    return Release("id", Request(mechanism, ("g",), (Filter("town", "=", town), *more)), counts, Cost.zero(), 0)


NAMED = (("rare", "three"), ("one for all", "rare"), ("three", "three"))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("names", "sizes", "kind"), some(product(NAMED, ((1, 3000), (20, 20), (3000, 500)), COUNTS), 5)
)
def test_differences_of_shares_are_covered_each(names: tuple[str, str], sizes: tuple[int, int], kind: Any) -> None:
    """Two samples and two noises each time, at a strong and at a weak epsilon; a false alarm once in 10^7 a line."""
    true = [np.array(SHARES[name]) for name in names]
    for epsilon in (0.1, 5.0):
        rng, noise, covered = np.random.default_rng(sizes[0]), SimulationNoise(sizes[1]), np.zeros(3)
        mechanism = kind(epsilon=epsilon)
        for _ in range(TIMES):
            drawn = [
                mechanism.law(Scores(("a", "b", "c"), rng.multinomial(n, p))).draw(noise)
                for n, p in zip(sizes, true, strict=True)
            ]
            first, second = (counted(mechanism, counts, town) for counts, town in zip(drawn, "xy", strict=True))
            spans = difference_of_shares(first, second, THREE)
            assert spans is not None
            covered += [low <= d <= high for (low, high), d in zip(spans, true[0] - true[1], strict=True)]
        assert covered.min() >= line(TIMES)


def test_the_difference_of_what_is_known_of_the_rows_alone_does_not_cover() -> None:
    """The twin that people print: as wide as the noise lets the counted shares be, most pairs of samples of 60 miss."""
    rng, mechanism, covered = np.random.default_rng(1), CountsGeometric(epsilon=20.0), 0
    for _ in range(TIMES):
        ends = []
        for counts in (rng.multinomial(60, SHARES["three"]) for _ in "xy"):
            low, high = mechanism.interval(tuple(map(int, counts)), Public(None, None, 3))[0]
            ends.append((low / 60, high / 60))
        covered += ends[0][0] - ends[1][1] <= 0 <= ends[0][1] - ends[1][0]
    assert covered < TIMES / 2


def test_differences_of_shares_are_told_of_two_groups_alone() -> None:
    """The same levels, rows that differ by the level of one column, and many rows of far apart shares."""
    mechanism = CountsGeometric(epsilon=1.0)
    first, second = counted(mechanism, (3000, 6000, 1000), "x"), counted(mechanism, (1000, 6000, 3000), "y")
    (contrast,) = share_differences([first, second], THREE)
    assert contrast.group == Filter("town", "=", "y") and contrast.other == Filter("town", "=", "x")
    assert contrast.names == ("a", "b", "c") and contrast.spans[0][1] < -0.15 < 0.15 < contrast.spans[2][0]
    assert contrast.spans[1][0] < 0 < contrast.spans[1][1] and "town = y minus town = x" in contrast.line()
    assert (
        contrast.record()["shares"]["a"] == list(contrast.spans[0])
        and "independent sample" in contrast.record()["population_if"]
    )
    further = counted(mechanism, (1, 2, 3), "y", Filter("g", "!=", "a"))
    above = replace(second, request=replace(second.request, where=(Filter("town", "!=", "y"),)))
    gone = replace(second, answer=None)
    for other in (further, above, gone, first, replace(second, request=Request(mechanism, ("town",)))):
        assert not list(share_differences([first, other], THREE))


def test_shares_of_many_rows_are_narrow() -> None:
    """Ten thousand rows at epsilon 1: within two hundredths, and the counts of no rows leave everything."""
    mechanism, schema = CountsGeometric(epsilon=1.0), Schema({"g": Category(("a", "b"))})
    answer = Release("id", Request(mechanism, ("g",)), (3000, 7000), Cost.zero(), 0)
    (low, high), _ = population(answer, schema)
    assert 0.28 < low < 0.3 < high < 0.32
    assert population(replace(answer, answer=(0, 0)), schema) == ((0.0, 1.0), (0.0, 1.0))


def test_the_interval_of_the_rows_alone_does_not_cover_the_population() -> None:
    """The twin that people print: of 300 samples of 50 most miss, where epsilon is large."""
    rng, covered, mechanism = np.random.default_rng(3), 0, TwoCounts(epsilon=20.0)
    law = mechanism.law(Column.from_ticks(SCHEMA.bounds("x"), np.zeros(1, np.int64)))
    assert isinstance(law, SoftCounts)
    for _ in range(TIMES):
        above = float((rng.random(50) < 0.5).sum())
        noise = law.first.shape.quantile(rng.random(2)) * law.first.scale
        low, high = law.measured(above + noise[0], 50 - above + noise[1]).interval
        covered += low <= 500 <= high
    assert covered < TIMES / 2


@pytest.mark.parametrize("n", [1, 10, 400])
@pytest.mark.parametrize("p", [0.001, 0.2, 0.5, 0.99])
def test_the_sample_is_given_its_part_exactly(n: int, p: float) -> None:
    """Against all counts that a share can come to: the chance of those that leave it out is small enough."""
    for miss in (0.05, 0.025, 0.001):
        out = [k for k in range(n + 1) if not _within(p, sampled(k / n, k / n, n, miss))]
        assert float(stats.binom.pmf(out, n, p).sum() if out else 0.0) <= miss


def _within(p: float, ends: tuple[float, float]) -> bool:
    return ends[0] <= p <= ends[1]


def test_no_rows_leave_everything_and_more_rows_leave_less() -> None:
    """And the interval holds that of the rows."""
    assert sampled(0.4, 0.5, 0, 0.05) == sampled(0.4, 0.5, -3.5, 0.05) == (0.0, 1.0)
    few, many = sampled(0.4, 0.5, 20, 0.05), sampled(0.4, 0.5, 2000, 0.05)
    assert 0 < few[0] < many[0] < 0.4 and 0.5 < many[1] < few[1] < 1
    assert sampled(0.0, 0.0, 100, 0.05)[0] == 0.0 and sampled(1.0, 1.0, 100, 0.05)[1] == 1.0
    assert sampled(0.0, 0.0, 100, 0.05)[1] == pytest.approx(1 - (0.05 / 2) ** (1 / 100))
    assert math.isinf(entropy(0.5, 0.0)) and entropy(0.3, 0.3) == 0


@pytest.mark.parametrize("miss", [0.3, 0.005, 1e-6])
def test_the_number_of_rows_is_bounded_with_its_part(miss: float) -> None:
    """The tail of two Laplace noises, by its closed form."""
    t = (100.0 - rows_at_least(100.0, 2.0, miss)) / 2.0
    assert 0.5 * (1 + t / 2) * math.exp(-t) == pytest.approx(miss, rel=1e-6)


def asked(mechanism: Any, by: str | None = None) -> Release:
    """Return an answer of four hundred people, those of one group with larger numbers."""
    rows = "x,g\n" + "".join(f"{300 + 400 * (i % 2) + i % 90},{'ab'[i % 2]}\n" for i in range(4000))
    curator = Curator(Dataset(LocalSource(rows.encode()), SCHEMA), SessionLedger(Cost.of(9, "1e-3")), tick=0)
    return curator.ask(Request(mechanism, ("x",), by=by))


def test_groups_and_their_difference_have_one_each() -> None:
    """Around what was released; the difference is surely not 0 here, and falls with the order."""
    released = asked(TwoCounts(epsilon=4.0), "g")
    spans = dict(population(released, SCHEMA))
    for level, (low, high) in dict(released.interval).items():
        assert spans[level][0] < low < high < spans[level][1]
    low, high = difference(released, SCHEMA, "b", "a") or (0.0, 0.0)
    assert 0 < low < 400 < high
    assert difference(released, SCHEMA, "a", "b") == (-high, -low)


def test_it_is_told_only_where_it_follows_and_with_what_it_assumes() -> None:
    """A public number of rows is enough; a median, or a mean of unknown many rows, has none."""
    public = asked(GlobalLaplace(Mean(Relation(size=4000)), 1.0))
    assert population(public, SCHEMA)[0] < public.interval[0] < public.interval[1] < population(public, SCHEMA)[1]
    for mechanism in (GlobalLaplace(Mean(), 1.0), GlobalLaplace(Median(Relation(size=4000)), 1.0)):
        assert population(asked(mechanism), SCHEMA) is None
    refused = replace(asked(TwoCounts(epsilon=1.0)), answer=None, interval=None)
    assert population(refused, SCHEMA) is None
    released = asked(TwoCounts(epsilon=1.0))
    (record,) = json.loads(releases_json([released], SCHEMA))["releases"]
    assert record["population_interval"] == list(population(released, SCHEMA))
    assert record["population_of"] == "mean"
    assert record["population_if"] == "if the rows that were read are an independent sample of the population"
    assert simultaneous([released], SCHEMA)[0].interval == pytest.approx(released.interval, abs=1e-6)
