"""Several quantiles in a plan: one row with a list of levels, by the way that is sharper."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from discreet.budget import Cost, SessionLedger
from discreet.budget.errors import ParameterError
from discreet.curator import Curator
from discreet.lab.experiment import ranks_off, simulate
from discreet.lab.simulation import SimulationNoise
from discreet.plans import Plan, Wanted, plan_from, plan_text, planned, planning
from discreet.plans.methods import Subject
from discreet.plans.planning import methods, offer
from discreet.queries import Bounds, Column
from discreet.rows import Category, Dataset, LocalSource, Number, Person, Schema

TOWN = Category(("a", "b"))
DECLARED = Schema({"pay": Number(0, 9000, step=1), "town": TOWN})
DECILES = tuple(at / 10 for at in range(1, 10))


def wanted(*levels: float, **more: Any) -> Plan:
    """Return a plan of one row."""
    return Plan((Wanted("quantile", "pay", level=levels, **more),), Cost.of(1), people=5000)


@pytest.mark.parametrize(
    ("levels", "method"),
    [(DECILES, "quantile-tree"), ((0.25, 0.5, 0.75), "quantile-tree"), ((0.2, 0.8), "quantiles-apart")],
)
def test_the_way_with_the_smaller_error_is_chosen(levels: tuple[float, ...], method: str) -> None:
    """Many levels share their draws; two cost as many as they are, and no division."""
    way = planned(wanted(*levels), DECLARED)
    assert way.rows[0].mechanism.slug == method
    other = {"quantile-tree": "quantiles-apart", "quantiles-apart": "quantile-tree"}[method]
    assert planned(wanted(*levels, method=other), DECLARED).rows[0].error > way.rows[0].error


@pytest.mark.parametrize(
    ("grid", "levels", "method"),
    [
        (Number(0, 125, integer=True), DECILES, "quantiles-counted"),
        (Number(0, 125, integer=True), tuple(at / 100 for at in range(1, 100)), "quantiles-counted"),
        (Number(0, 1e6, step=500), tuple(at / 100 for at in range(1, 100)), "quantiles-counted"),
        (Number(0, 1e6, step=500), (0.25, 0.5, 0.75), "quantile-tree"),
        (Number(0, 1e6), DECILES, "quantile-tree"),
    ],
)
def test_many_levels_of_few_values_are_read_from_one_count(grid: Number, levels: Any, method: str) -> None:
    """Fine grids and few levels keep the tree; what is chosen is sharper on the public stand-in."""
    plan = Plan((Wanted("quantile", "x", level=levels),), Cost.of(0.1), people=30_000, shape="skewed")
    assert planned(plan, Schema({"x": grid})).rows[0].mechanism.slug == method


def test_of_equal_errors_the_one_with_intervals_is_chosen() -> None:
    """Quartiles of ages: every way is exact to a tick, and the counts have an interval for each."""
    ages = Schema({"x": Number(0, 125, integer=True)})
    plan = Plan((Wanted("quantile", "x", level=(0.25, 0.5, 0.75)),), Cost.of(0.1), people=32_561)
    row = planned(plan, ages).rows[0]
    tree = planned(replace(plan, items=(replace(plan.items[0], method="quantile-tree"),)), ages).rows[0]
    assert row.mechanism.slug == "quantiles-counted" and row.error == pytest.approx(tree.error)


HALVES = Schema({"x": Number(0, 1e6, step=500)})
INCOMES = Plan((Wanted("quantile", "x", level=DECILES),), Cost.of(0.1), people=100_000, shape="skewed")


def ranks(mechanism: Any, subject: Subject) -> float:
    """Return by how many ranks its levels are off on the public stand-in, counted row by row."""
    column = subject.ground.column
    rows = column.values()
    answers = simulate(mechanism.law(column), 400, SimulationNoise(5))
    far = [
        max(0.0, (rows < at).sum() - level * rows.size, level * rows.size - (rows <= at).sum())
        for level, own in zip(mechanism.levels, answers, strict=True)
        for at in own
    ]
    return sum(far) / len(far)


def whole_ticks(self: Subject, mechanism: Any, error: float) -> float:
    """Compare the widest level in whole steps of the grid, as it was."""
    return error


def chosen(plan: Plan, schema: Schema) -> tuple[str, float]:
    """Return the way that is taken, and by what factor it is off more ranks than the best one."""
    row = planned(plan, schema).rows[0]
    off = {slug: ranks(offer(row.subject, slug, row.share, 0.0)[0], row.subject) for slug in methods(row.subject, 0.0)}  # type: ignore[index]
    return row.mechanism.slug, off[row.mechanism.slug] / min(off.values())


def test_ways_to_many_levels_are_compared_by_ranks() -> None:
    """At deciles of incomes the one with intervals is off by at most 1.3 times as many; at quartiles by more."""
    slug, factor = chosen(INCOMES, HALVES)
    assert slug == "quantiles-counted" and factor <= 1.3 * 1.05
    quartiles = Plan((Wanted("quantile", "x", level=(0.25, 0.5, 0.75)),), Cost.of(0.2), people=2000)
    slug, factor = chosen(quartiles, Schema({"x": Number(0, 125, integer=True)}))
    assert slug == "quantile-tree" and factor == 1.0


def test_comparing_whole_steps_of_the_widest_level_takes_the_worse_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted bug: there the widest decile of both ways comes out alike, and the one without intervals wins."""
    monkeypatch.setattr(Subject, "judged", whole_ticks)
    planning._error_curve.cache_clear()
    try:
        assert chosen(INCOMES, HALVES)[0] == "quantile-tree"
    finally:
        planning._error_curve.cache_clear()


@pytest.mark.parametrize(("answers", "off"), [([[2.0], [7.0]], 0.0), ([[0.0], [9.0]], 1.5), ([[5.0], [5.0]], 1.0)])
def test_ranks_are_counted_from_the_rows_on_and_below_an_answer(answers: Any, off: float) -> None:
    """Rows 2 2 2 7 7 at levels 0.4 and 0.8: a quantile on a tick of many rows is right for all their ranks."""
    column = Column.from_values(Bounds(0, 9, integer=True), np.array([2, 2, 2, 7, 7]))
    assert ranks_off(column, (0.4, 0.8), np.array(answers)) == pytest.approx(off)


@pytest.mark.parametrize(
    ("grid", "interval", "delta", "method"),
    [
        (Number(0, 125, integer=True), False, 0, "quantile-permute-and-flip"),
        (Number(0, 125, integer=True), True, 0, "quantile-counted"),
        (Number(0, 25, integer=True), True, 0, "quantile-counted"),
        (Number(0, 1e6), False, 0, "quantile-exponential"),
        (Number(0, 1e6), True, 0, "quantile-interval"),
    ],
)
def test_one_quantile_of_few_values_has_a_way_of_its_own(grid: Number, interval: bool, delta: Any, method: str) -> None:
    """Few values are visited in random order or counted; fine grids keep the exponential mechanism."""
    plan = Plan((Wanted("quantile", "x", level=0.9, interval=interval),), Cost.of(1, delta), people=2000)
    assert planned(plan, Schema({"x": grid})).rows[0].mechanism.slug == method


def test_many_rows_under_a_delta_take_what_composes_better() -> None:
    """Fifty medians: bounded range counts a quarter under zCDP, so all are drawn by the exponential mechanism."""
    ages = Schema({f"x{at}": Number(0, 125, integer=True) for at in range(50)})
    plan = Plan(tuple(Wanted("median", name) for name in ages.columns), Cost.of(1, "1e-6"), people=2000)
    assert {row.mechanism.slug for row in planned(plan, ages).rows} == {"quantile-exponential"}


@pytest.mark.parametrize(
    ("grid", "people", "shape", "epsilon", "method"),
    [
        (Number(0, 125, integer=True), 2000, "bell", 1.0, "smooth-core-tail"),
        (Number(0, 125, integer=True), 2000, "skewed", 1.0, "quartile-range"),
        (Number(0, 125, integer=True), 500, "bell", 1.0, "quartile-range"),
        (Number(0, 125, integer=True), 32_561, "bell", 0.1, "quartile-range"),
        (Number(0, 1e8), 32_561, "far below the bound", 1.0, "smooth-core-tail"),
        (Number(0, 1e6), 2000, "far below the bound", 1.0, "quartile-range"),
    ],
)
def test_an_interquartile_range_takes_the_better_of_two(
    grid: Number, people: int, shape: str, epsilon: float, method: str
) -> None:
    """Smooth sensitivity where it is three times better on guessed rows, which are too even for it."""
    plan = Plan((Wanted("interquartile-range", "x"),), Cost.of(epsilon), people=people, shape=shape)
    assert planned(plan, Schema({"x": grid})).rows[0].mechanism.slug == method


def test_several_levels_are_one_row_of_a_run() -> None:
    """All of them, ascending, for every group; and a person with several rows is counted in them."""
    rows = "pay,town,who\n" + "".join(f"{i * 7 % 9000},{'ab'[i % 2]},{i // 2}\n" for i in range(3000))
    schema = Schema({**DECLARED.columns, "who": Person(rows=2)})
    way = planned(wanted(*DECILES, by="town"), schema)
    asked = Curator(Dataset(LocalSource(rows.encode()), schema), SessionLedger(Cost.of(2)), tick=0)
    (release,) = asked.run(way.fixed).releases
    groups = dict(release.answer)  # type: ignore[call-overload]
    assert list(groups) == ["a", "b"] and all(list(each) == sorted(each) and len(each) == 9 for each in groups.values())
    assert way.rows[0].mechanism.neighbours.rows == 2


def test_a_list_of_levels_is_written_and_read() -> None:
    """As JSON has it."""
    plan = wanted(0.25, 0.75)
    assert plan_from(plan_text(plan)) == plan and json.loads(plan_text(plan))["rows"][0]["level"] == [0.25, 0.75]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"statistic": "mean", "level": [0.1, 0.2]}, "Only quantiles have a level"),
        ({"statistic": "quantiles"}, "A quantile may have a list of levels"),
        ({"statistic": "quantile", "level": [0.5, "a"]}, "of the plan has a value of the wrong type"),
        ({"statistic": "quantile", "level": [[0.5], 0.6]}, "of the plan has a value of the wrong type"),
        ({"statistic": "quantile", "level": [0.6, 0.5]}, "2 to 100 ascending"),
        ({"statistic": "quantile", "level": []}, "2 to 100 ascending"),
    ],
)
def test_lists_that_make_no_sense_are_refused(row: dict[str, Any], sentence: str) -> None:
    """In a sentence, before anything is spent."""
    text = json.dumps({"discreet_plan": 1, "epsilon": 1, "rows": [{"column": "pay", **row}]})
    with pytest.raises(ParameterError, match=sentence):
        planned(plan_from(text), DECLARED)


def hundred(at: int) -> tuple[float, ...]:
    """Return a hundred levels that no other number gives."""
    return tuple(round(level / 101 + at / 10**5, 5) for level in range(1, 101))


def test_a_plan_that_would_take_minutes_is_refused_before_any_work() -> None:
    """A thousand rows of a hundred levels each, all different; as many that are alike are looked at once."""
    many = Plan(tuple(Wanted("quantile", "pay", level=hundred(at % 900)) for at in range(1000)), Cost.of(1), people=500)
    start = time.thread_time()
    with pytest.raises(ParameterError, match="Planning these queries would take longer than 120 seconds"):
        planned(many, DECLARED)
    assert time.thread_time() - start < 10
    alike = Plan(tuple(Wanted("mean", "pay") for _ in range(1000)), Cost.of(1), people=500)
    assert len(planned(alike, DECLARED).rows) == 1000


def test_a_guess_of_the_time_is_no_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rows take longer than was thought, the planning ends with the same sentence."""
    clock = iter(range(0, 10**6, 70))
    monkeypatch.setattr(planning.time, "thread_time", lambda: next(clock))
    assert list(planning.in_time("a")) == ["a"]
    with pytest.raises(ParameterError, match="Planning these queries would take longer"):
        list(planning.in_time("abc"))


@pytest.mark.parametrize("levels", [9, 100])
def test_many_levels_are_planned_in_about_the_time_that_is_counted(levels: int) -> None:
    """At most four times as long, in processor time: it was fifty times."""
    row = Wanted("quantile", "pay", level=hundred(3)[:levels])
    planned(wanted(0.2, 0.4, 0.6), DECLARED)
    start = time.thread_time()
    planned(Plan((row,), Cost.of(1), people=5000), DECLARED)
    counted = planning.seconds(row.subject(DECLARED, 5000, "bell"))
    assert time.thread_time() - start < 4 * counted
