"""Contests and scenarios: equal cost, public ground, a winner that wins for a reason."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from discreet.budget import Cost
from discreet.budget.errors import ParameterError
from discreet.lab import contest, sweeps
from discreet.lab.contest import SHAPES, Ground, Scenario, imagined_counts, tuned_on
from discreet.lab.explain import ground
from discreet.lab.samples import census
from discreet.lab.simulation import SimulationNoise
from discreet.lab.sweeps import choosing
from discreet.mechanisms.base.vocabulary import BLOCKS
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Bounds, Relation
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.query import Query
from discreet.queries.trimmed import TrimmedMean

BOUNDS = Bounds(0, 100, integer=True)
COST = Cost.of("0.5", "1e-6")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [1, 2, 997])
def test_a_scenario_has_its_size_and_stays_within_its_bounds(shape: str, size: int) -> None:
    """Every shape fills its bounds with exactly the guessed number of people."""
    column = Scenario(BOUNDS, size, shape).column
    assert column.n == size
    assert column.levels.min() >= 0 and column.levels.max() <= BOUNDS.top


def test_impossible_scenarios_are_refused_in_a_sentence() -> None:
    """Unknown shapes and sizes say what is possible."""
    with pytest.raises(ParameterError, match="one of bell"):
        Scenario(BOUNDS, 10, "triangle")
    with pytest.raises(ParameterError, match="between 1 and"):
        Scenario(BOUNDS, 0)


@pytest.mark.parametrize("query", [Mean(), Median(), Count()], ids=["mean", "median", "count"])
def test_contenders_cost_the_same_and_answer_the_statistic(query: Query) -> None:
    """Nobody spends more than the price; nobody is an exhibit; somebody is tuned."""
    stand = Ground.of(Scenario(BOUNDS, 500))
    asked = contest.contenders(query, COST, stand)
    assert len(asked) >= 4
    for contender in asked:
        cost = contender.mechanism.cost()
        assert cost.fits_in(COST) and cost.nano_epsilon == COST.nano_epsilon
        assert not contender.mechanism.open_only
    trials = contest.run(asked, query, stand, 400, seed=3)
    assert all(result.truth == query.value(stand.column) for result in trials)
    best = contest.advice(asked, trials, stand)
    assert best is not None and best.times >= 1


def test_without_a_delta_nobody_with_a_delta_takes_part() -> None:
    """A price of pure epsilon is kept to."""
    asked = contest.contenders(Mean(), Cost.of("0.5"), Ground.of(Scenario(BOUNDS, 500)))
    assert asked and all(not contender.mechanism.cost().delta_units for contender in asked)


def test_the_advice_is_the_smallest_error_and_prefers_no_delta_among_equals() -> None:
    """For the mean of many ages it is smooth sensitivity without delta, and the error is right."""
    stand = ground(census(), "age")
    asked = contest.contenders(Mean(), COST, stand)
    trials = contest.run(asked, Mean(), stand, 2000, seed=1)
    best = contest.advice(asked, trials, stand)
    assert best is not None
    least = min(result.summary()["q95"] for result in trials if result.refusal_rate < 0.05)
    assert best.error <= max(least, contest.BELOW_STEP) * contest.TIE
    assert not best.best.mechanism.cost().delta_units


def test_an_error_from_the_law_is_the_error_of_many_answers() -> None:
    """Sweeps read errors off the law; simulation agrees."""
    stand = Ground.of(Scenario(BOUNDS, 2000))
    mechanism = SmoothCoreTail(Mean(), 0.5, 24)
    (trial,) = contest.run([contest.Contender(mechanism.slug, mechanism)], Mean(), stand, 40_000, seed=5)
    assert contest.width95(mechanism, Mean(), stand) == pytest.approx(trial.summary()["q95"], rel=0.05)


def test_errors_fall_with_epsilon_and_with_people() -> None:
    """Sweeps have a line for everybody, and more budget or people never hurts a global mean."""
    stand = Ground.of(Scenario(BOUNDS, 1000))
    for sweep in (
        sweeps.against_epsilon(Mean(), COST, stand, ["two-counts"]),
        sweeps.against_size(Mean(), COST, stand, ["two-counts"]),
    ):
        errors = sweep.errors["two-counts"]
        assert len(sweep.points) == errors.size and (np.diff(errors) < 0).all()


def test_a_sweep_reports_how_far_it_is() -> None:
    """The progress bar of the page moves from the start towards the end."""
    seen: list[float] = []
    stand = Ground.of(Scenario(BOUNDS, 300))
    sweeps.against_epsilon(Mean(), COST, stand, ["two-counts"], seen.append)
    assert seen == sorted(seen) and seen[0] == 0 and 0.5 < seen[-1] < 1


def test_a_sweep_in_another_process_is_the_same_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that a sweep needs can be sent away, and comes back as computed here."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # a page that was tested here may stand there
    stand = Ground.of(Scenario(BOUNDS, 300))
    with ProcessPoolExecutor(1, get_context("spawn")) as workers:

        def away(function: Any, *args: Any) -> Any:
            return workers.submit(function, *args).result()

        for query, slugs in ((Mean(), ["two-counts"]), (contest.Estimated("gini"), ["blocks-mean"])):
            curves = [sweeps.against_epsilon(query, COST, stand, slugs, compute=c) for c in (sweeps.at_once, away)]
            assert (curves[0].errors[slugs[0]] == curves[1].errors[slugs[0]]).all()


def test_a_smaller_ground_has_the_same_shape() -> None:
    """Fewer people of the same data: the median stays where it was."""
    stand = ground(census(), "age")
    small = stand.resized(501)
    assert small.column.n == 501
    assert abs(Median().value(small.column) - Median().value(stand.column)) <= 1


def test_blocks_of_public_rows_hold_every_row_once() -> None:
    """The weighted mean of block means is the mean; empty blocks take the default."""
    mechanism = BlocksMean(estimator="mean", k=7, lower=0.0, upper=100.0, epsilon=1.0)
    rows = np.arange(50, dtype=float)[None, :]
    blocks = mechanism.view.split(rows, SimulationNoise(1))
    assert blocks.estimates.size == 7 and abs(blocks.estimates.mean() - 24.5) < 8
    empty = mechanism.view.split(np.empty((1, 0)), SimulationNoise(1))
    assert (empty.estimates == 50).all()


@pytest.mark.parametrize("name", ["gini", "skewness"])
def test_estimators_without_sensitivity_are_answered_by_blocks_alone(name: str) -> None:
    """Three aggregators at equal cost; the truth is the estimate of all rows."""
    stand = ground(census(), "hours")
    asked = contest.contenders(contest.Estimated(name), COST, stand)
    assert {contender.mechanism.family for contender in asked} == {BLOCKS} and len(asked) == 3
    trials = contest.run(asked, contest.Estimated(name), stand, 200, seed=1)
    assert contest.advice(asked, trials, stand) is not None


def test_a_statistic_that_resizes_takes_the_people_of_its_ground() -> None:
    """A trimmed mean is swept over sizes with its own size each time."""
    stand = Ground.of(Scenario(BOUNDS, 500))
    asked = ["smooth-core-tail", "laplace"]
    sweep = sweeps.against_size(TrimmedMean(resize=500), COST, stand, asked)
    assert np.isfinite(sweep.errors["laplace"]).all()
    assert contest.fitted(TrimmedMean(resize=9), stand).resize == 500
    assert contest.fitted(Mean(), stand) == Mean()


def test_choices_are_exact_and_the_best_comes_first() -> None:
    """Permute-and-flip never trails the exponential mechanism; shares of ties count together."""
    scores = imagined_counts(("a", "b", "c", "d"), 400)
    assert scores.n == 400 and (np.diff(scores.counts) < 0).all()
    choices = {choice.slug: choice for choice in choosing(scores, 0.05)}
    assert choices["permute-and-flip"].shortfall <= choices["exponential-mechanism"].shortfall
    assert next(iter(choices.values())).shortfall == min(c.shortfall for c in choices.values())
    even = choosing(imagined_counts(("only",), 10), 1.0)
    assert all(choice.right == pytest.approx(1) and choice.shortfall == 0 for choice in even)


def test_tuning_on_a_scenario_is_remembered() -> None:
    """The same question on the same scenario is tuned once."""
    mechanism, stand = SmoothCoreTail(Mean(Relation(rows=2)), 0.5), Scenario(BOUNDS, 700)
    assert tuned_on(mechanism, stand) is tuned_on(mechanism, stand)
