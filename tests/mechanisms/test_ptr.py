"""Propose-test-release: thresholds, chances, refusals, and what they cost."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.budget import Cost
from discreet.budget.errors import ParameterError
from discreet.evidence.certificate import certificate
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.base.distance_test import PureTest, Threshold, best_chances, distance, pair_divergence
from discreet.mechanisms.laws.law import Gated, Noisy
from discreet.mechanisms.ptr import ProposeTestRelease, propose_mean
from discreet.mechanisms.ptr_grid import ProposeGrid, Staircase, grid_threshold, tail
from discreet.queries import Bounds, Column, Query
from discreet.queries.mean import Mean
from discreet.queries.median import Median

NINE = Bounds(0, 9, integer=True)
AGES = Bounds(0, 100, integer=True)
DRAWS = 20_000
MARGIN = 6 / math.sqrt(DRAWS)  # six standard errors of a share: false alarm below 1e-8


@pytest.mark.parametrize(
    ("first", "rest", "delta", "least", "chances", "certain", "likely"),
    [
        (0.5, 0.5, 1e-6, 27, [1e-6, 3.35023472e-6, 7.38825326e-6, 1.41103001e-5, 2.52243076e-5], 38, 28),
        (0.1, 0.9, 1e-6, 132, [1e-6, 2.74023929e-6, 4.82100723e-6, 7.18893473e-6, 9.84341080e-6], 120, 110),
        (0.03, 0.97, 1e-9, 669, [1e-9, 2.6536e-9, 4.5128e-9, 6.4963e-9, 8.5776e-9], 569, 552),
    ],
)
def test_thresholds_and_best_chances_are_the_derived_ones(
    first: float, rest: float, delta: float, least: int, chances: list[float], certain: int, likely: int
) -> None:
    """T of the discrete test and the optimal table agree with independent computations."""
    table = np.array(best_chances(first + rest, rest, delta))
    assert Threshold(first, delta).least == least
    assert np.allclose(table[:5], chances, rtol=2e-5)
    assert int(np.argmax(table == 1)) == certain and int(np.argmax(table >= 0.99)) == likely


def test_the_best_table_is_exactly_private_and_cannot_pass_more_often() -> None:
    """Neighbouring distances stay within delta both ways; a percent more would not."""
    epsilon, rest, delta = 1.0, 0.5, 1e-6
    table = best_chances(epsilon, rest, delta)
    for p, q in zip(table, table[1:], strict=False):
        both = pair_divergence(p, q, epsilon, rest), pair_divergence(q, p, epsilon, rest)
        assert max(both) <= delta
        more = min(1.0, q * 1.01)
        if q < 0.9:
            both = pair_divergence(p, more, epsilon, rest), pair_divergence(more, p, epsilon, rest)
            assert max(both) > delta


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 0.5, 5.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.1, 0.4])
def test_distance_zero_passes_with_at_most_delta(epsilon: float, delta: float) -> None:
    """The threshold is a whole number that keeps to delta, and one less would not."""
    threshold = Threshold(epsilon, delta)
    assert PureTest(0, threshold).chance <= delta
    if threshold.least > 1:
        assert PureTest(1, threshold).chance > delta


def test_the_pure_test_loses_epsilon_per_step_and_no_more() -> None:
    """Passing and refusing change by at most exp(epsilon) from one distance to the next."""
    threshold = Threshold(0.5, 1e-6)
    chances = [PureTest(d, threshold).chance for d in range(80)]
    for p, q in zip(chances, chances[1:], strict=False):
        assert q <= p * math.exp(0.5) * (1 + 1e-12)
        assert 1 - p <= (1 - q) * math.exp(0.5) * (1 + 1e-9) + 1e-15


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([1, 2, 2, 5], [0, 0, 1, 2, 3]),
        ([0, 0, 0, 9], [0, 0, 0, 0, 2]),
        ([5], [0, 0, 0, 0, 1]),
        ([], [0, 0, 0, 0, 0]),
        ([2] * 5, [0, 0, 2, 3, 4]),
        ([0, 1, 2, 5, 9], [0, 0, 1, 2, 3]),
    ],
)
def test_distances_are_exact(rows: list[int], expected: list[int]) -> None:
    """The bisection finds the known distances of the mean for five bounds."""
    column = Column.from_values(NINE, np.array(rows, dtype=int))
    bounds = (0.5, 1.0, 1.5, 2.0, 3.0)  # several rungs are equal to one: they are not above it
    assert [distance(Mean(), column, b, 40) for b in bounds] == expected
    assert [distance(Mean(), column, b, 1) for b in bounds] == [min(1, d) for d in expected]


@pytest.mark.parametrize("step", [0.1, 0.5, 1.0, 1 / 3])
def test_a_rung_that_is_the_bound_is_not_above_it(step: float) -> None:
    """Plain counting of ticks gives the same distance for every bound, whatever its decimals are."""
    bounds = Bounds(0, 100 * step, step=step)
    rows = Column.from_ticks(bounds, np.array([3, 10, 11, 14, 20, 29, 31, 50, 77]))
    twice = np.round(2 * Median().ladder(rows, np.arange(12)) / step).astype(int)  # in halves of a tick
    for halves in set(twice.tolist()):
        assert distance(Median(), rows, halves * step / 2, 12) == np.count_nonzero(twice <= halves)
        assert distance(Median(), rows, halves * step / 2 * (1 - 1e-6), 12) == np.count_nonzero(twice < halves)


@pytest.mark.parametrize("test", ["pure", "best"])
@pytest.mark.parametrize("query", [Median(), Mean()], ids=lambda query: query.name)
def test_a_bound_that_is_a_rung_keeps_the_guarantee(query: Query, test: str) -> None:
    """Every pair of neighbours in a small world, exactly: results that are b apart are covered by noise for b."""
    for b in (0.5, 0.75, 1.0):
        mechanism = ProposeTestRelease(query, epsilon=2.0, delta=0.05, b=b, test=test)
        assert certificate(mechanism).worst.holds


def test_the_time_of_a_test_does_not_depend_on_the_distance() -> None:
    """The number of rungs that are looked at is public (L7)."""

    class Counted(Median):
        looked: list[int] = []

        def row_ladder(self, column: Column, k: np.ndarray) -> np.ndarray:
            self.looked.append(k.size)
            return super().row_ladder(column, k)

    Counted.name = "counted"
    counts = set()
    for rows in (np.full(10, 50), np.arange(100), np.repeat(np.arange(100), 50)):
        Counted.looked.clear()
        distance(Counted(), Column.from_values(AGES, rows), 0.5, 5000)
        counts.add((len(Counted.looked), sum(Counted.looked)))
    assert len(counts) == 1


def column(n: int = 3000) -> Column:
    """Return generated ages."""
    return Column.from_values(AGES, 20 + 40 * SimulationNoise(1).uniforms(1, n)[0])


@pytest.mark.parametrize("test", ["pure", "best"])
def test_answers_and_refusals_come_as_often_as_the_law_says(test: str) -> None:
    """A bound near the edge passes sometimes; the noise never follows the data."""
    b = 1.0001 * float(Mean().ladder(column(), np.array([24]))[0])
    mechanism = ProposeTestRelease(Mean(), 1.0, 1e-6, b=b, share=0.5, test=test)
    law = mechanism.law(column())
    assert isinstance(law, Gated) and 0.01 < law.refusal < 0.9999
    assert isinstance(law.inner, Noisy) and law.inner.scale == pytest.approx(b / 0.5)
    answers = simulate(law, DRAWS, SimulationNoise(3))
    assert np.mean(np.isnan(answers)) == pytest.approx(law.refusal, abs=MARGIN)
    width = mechanism.forecast(Public(AGES)).half_width
    given = answers[~np.isnan(answers)]
    assert width is not None
    outside = np.mean(np.abs(given - law.inner.centre) > width)
    assert outside < 0.05 + 6 * math.sqrt(0.05 / max(1, given.size))


def test_a_refusal_costs_the_test_alone_only_where_that_is_proven() -> None:
    """The pure test gives the rest back; the best test charges everything (B9)."""
    pure, best = (ProposeTestRelease(share=0.25, test=test) for test in ("pure", "best"))
    assert pure.cost() == best.cost() == Cost.of(1, "1e-6")
    assert pure.refusal_cost() == Cost.of("0.25", "1e-6") and best.refusal_cost() == best.cost()


def test_a_bound_that_always_holds_needs_no_test() -> None:
    """At the global sensitivity all of epsilon goes into the noise, which is public."""
    law = ProposeTestRelease(Mean(), b=50.0).law(column())
    assert isinstance(law, Noisy) and law.scale == pytest.approx(50.0)


@pytest.mark.parametrize("rows", [[], [7], [7] * 9, [0, 100]])
def test_tiny_and_tied_data_are_tested_like_any_other(rows: list[int]) -> None:
    """Distance 0 is never refused for sure: that would tell it from distance 1."""
    small = Column.from_values(AGES, np.array(rows, dtype=int))
    for mechanism in (ProposeTestRelease(b=0.5), ProposeTestRelease(b=0.5, test="best")):
        assert 0 < 1 - mechanism.law(small).refusal < 1e-3


def test_public_inputs_propose_a_bound_that_passes() -> None:
    """For data of the guessed size the proposal passes 19 times in 20 and is near the best."""
    bounds, n = AGES, 30_000
    given = propose_mean(bounds, 1.0, 1e-6, n)
    law = ProposeTestRelease(Mean(), 1.0, 1e-6, **given).law(column(n))
    assert law.refusal < 0.06
    assert given["b"] < 1.2 * bounds.width / n


def test_the_grid_finds_a_bound_nobody_guessed() -> None:
    """Its law agrees with simulation; its chances and refusal sum to one."""
    law = ProposeGrid(Mean(), epsilon=2.0, factor=3.0).law(column())
    assert isinstance(law, Staircase)
    assert law.chances.sum() + law.refusal == pytest.approx(1.0)
    answers = simulate(law, DRAWS, SimulationNoise(4))
    assert np.mean(np.isnan(answers)) == pytest.approx(law.refusal, abs=MARGIN)
    given = answers[~np.isnan(answers)]
    p = np.linspace(0.05, 0.95, 19)
    shares = [np.mean(given <= y) for y in law.quantile(p)]
    assert np.abs(shares - p).max() < 6 / math.sqrt(max(1, given.size))
    used = int(np.argmax(law.chances))
    assert law.laws[used].scale < 0.1 * 50.0


def test_the_threshold_of_the_grid_keeps_to_delta_by_the_union_bound() -> None:
    """The known value for 20 bounds, and the tail that it rests on by simulation."""
    assert grid_threshold(1.0, 1e-6, 20) == pytest.approx(65.6, abs=0.05)
    noise = SimulationNoise(9)
    above = [noise.laplace(0, 4.0) - noise.laplace(0, 2.0) >= 6.0 for _ in range(DRAWS)]
    assert np.mean(above) == pytest.approx(tail(6.0, 1.0), abs=MARGIN)
    for rows in ([], [7], [0, 100]):
        small = Column.from_values(AGES, np.array(rows, dtype=int))
        assert 1 - ProposeGrid(Mean(), delta=1e-6).law(small).refusal <= 1e-6 * (1 + 1e-6) + 1e-12


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"b": 0}, "Bound b must be between"),
        ({"b": float("nan")}, "Bound b must be between"),
        ({"delta": 0}, "δ must be between"),
        ({"delta": 0.5}, "δ must be between"),
        ({"share": 1.0}, "Test share must be between"),
        ({"epsilon": 1e-5}, "at least 0.001"),
        ({"test": "quick"}, "must be one of pure, best"),
    ],
)
def test_parameters_out_of_range_name_the_range(given: dict[str, float], says: str) -> None:
    """No threshold of infinity, no scale of zero."""
    with pytest.raises(ParameterError, match=says):
        ProposeTestRelease(**given)
