"""Clipped means and sums in plans and comparisons: chosen where bounds are or may be far too wide, and nowhere else."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import special
from support.soak import some

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.lab.contest import SHAPES, Ground, Scenario, advice, contenders, run
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.clipped_mean import ClippedMean
from discreet.plans import Plan, Planned, Wanted, planned
from discreet.plans.planning import guesses
from discreet.queries import Bounds
from discreet.queries.mean import Mean
from discreet.report.publication import chapter
from discreet.rows import Category, LocalSource, Number, Schema
from discreet.rows.dataset import OpenData

FAR = "far below the bound"
PEOPLE, RUNS = 5000, 200
TIGHT = [shape for shape in SHAPES if shape not in (FAR, "heavy tail", "skewed")]
INCOMES = np.exp(10.5 + 0.8 * special.ndtri((np.arange(PEOPLE) + 0.5) / PEOPLE)).round()


def planned_mean(top: float, shape: str, **more: Any) -> Planned:
    """Return a plan of one mean of incomes from 0 to some top."""
    schema = Schema({"pay": Number(0, top, step=1), "town": Category(("a", "b"))})
    settings = {"people": PEOPLE, "epsilon": 1.0} | {
        name: more.pop(name) for name in ("people", "epsilon") if name in more
    }
    total = Cost.of(settings["epsilon"], "1e-6")
    return planned(
        Plan((Wanted(more.pop("statistic", "mean"), "pay", **more),), total, settings["people"], shape), schema
    )


def opened(top: float) -> OpenData:
    """Return the incomes under some top."""
    text = "pay,town\n" + "".join(f"{x:.0f},{'ab'[at % 2]}\n" for at, x in enumerate(INCOMES))
    schema = Schema({"pay": Number(0, top, step=1), "town": Category(("a", "b"))})
    return OpenData(LocalSource(text.encode()), schema)


def errors(way: Planned, top: float, statistic: str = "mean") -> np.ndarray[Any, Any]:
    """Return how far results are off that were asked on the road, from rows."""
    data, noise = opened(top), SimulationNoise(3)
    true = getattr(np.minimum(INCOMES, top), statistic)()
    asked = [Curator(data, SessionLedger(Cost.of(2)), noise, tick=0).run(way.fixed) for _ in range(RUNS)]
    answers = [answered.releases[0].answer for answered in asked]
    return np.array([abs(float(np.ravel(each)[0]) - true) for each in answers])  # type: ignore[arg-type]


def test_a_plan_takes_it_under_bounds_that_are_far_too_wide() -> None:
    """On guessed people alone; what comes out of the road is as near as was forecast, and ten times nearer."""
    way = planned_mean(10**8, FAR)
    assert way.rows[0].mechanism.slug == "clipped-mean" and "far below" in way.rows[0].reason
    plain = planned_mean(10**8, FAR, method="two-counts")
    assert way.rows[0].error < plain.rows[0].error / 10
    off = errors(way, 10**8)
    assert np.mean(off <= 1.5 * way.rows[0].error) >= 0.9
    assert np.median(off) < np.median(errors(plain, 10**8)) / 10


@pytest.mark.soak
@pytest.mark.parametrize(("shape", "people", "epsilon"), some(product(TIGHT, (50, 20_000), (0.01, 1.0)), 3))
def test_no_plan_takes_it_under_tight_bounds(shape: str, people: int, epsilon: float) -> None:
    """Nor where few people choose the lowest bound, which only looks near: a mean of next to nothing."""
    for top in (200, 400_000):
        way = planned_mean(top, shape, people=people, epsilon=epsilon)
        assert way.rows[0].mechanism.slug != "clipped-mean"


@pytest.mark.parametrize(("statistic", "plain"), [("mean", "two-counts"), ("sum", "laplace")])
def test_values_guessed_skewed_may_lie_far_below_their_bound(statistic: str, plain: str) -> None:
    """Where bounds are tight it costs half as much again at most; where they are loose it gains a hundred times."""
    for top, least, most in ((120_000, 0.0, 1.7), (10**8, 0.0, 0.1)):
        way, fixed = (planned_mean(top, "skewed", statistic=statistic, **more) for more in ({}, {"method": plain}))
        assert way.rows[0].mechanism.slug == f"clipped-{statistic}"
        ratio = np.median(errors(way, top, statistic)) / np.median(errors(fixed, top, statistic))
        assert least <= ratio <= most, (top, ratio)


def test_a_plan_says_that_skewed_values_may_have_loose_bounds() -> None:
    """Where the noise follows the bounds, and for no other guess; a method that finds its bound needs no such note."""
    wide = planned_mean(10**8, "skewed", interval=True)
    assert "No. 3: the noise follows the declared bounds." in str(guesses(wide, [3])[-1])
    assert guesses(planned_mean(10**8, "skewed"), [3]) == guesses(planned_mean(10**8, "bell"), [3]) == []


@pytest.mark.parametrize(("top", "said"), [(10**8, True), (400_000, False)])
@pytest.mark.parametrize("by", [(), "town"])
def test_a_result_says_that_its_bounds_were_loose(top: int, said: bool, by: Any) -> None:
    """From the bound that was chosen, which is released: the widest of all groups."""
    data, noise = opened(top), SimulationNoise(3)
    asked = Curator(data, SessionLedger(Cost.of(2)), noise, tick=0)
    release = asked.ask(Request(ClippedMean(epsilon=1.0), ("pay",), by=by))
    notes = " ".join(map(str, chapter(release, data.schema).notes))
    assert ("The bounds are loose" in notes) == said


def test_what_it_leaves_out_counts_as_error() -> None:
    """Few people choose a bound that is too low: hardly any noise, and an answer that is far off."""
    row = planned_mean(10**8, FAR, people=100, epsilon=0.1, method="clipped-mean").rows[0]
    assert row.error > 0.5 * np.mean(row.subject.ground.column.values())
    assert ClippedMean(epsilon=0.1).lead(Public(Bounds(0, 10**8), 100)) == float("inf")


def test_where_an_interval_is_wanted_it_is_not_taken() -> None:
    """It tells none."""
    assert planned_mean(10**8, FAR, interval=True).rows[0].mechanism.slug != "clipped-mean"


def test_by_group_each_group_has_a_bound_of_its_own() -> None:
    """Chosen for the size of a group."""
    assert planned_mean(10**8, FAR, by="town").rows[0].mechanism.slug == "clipped-mean"


@pytest.mark.parametrize(("shape", "people"), [(FAR, PEOPLE), ("skewed", PEOPLE), ("skewed", 50), ("bell", 50)])
def test_a_comparison_recommends_it_there_alone(shape: str, people: int) -> None:
    """And nothing that needs a lead has less of one."""
    ground, query = Ground.of(Scenario(Bounds(0, 10**8, step=1), people, shape)), Mean()
    asked = contenders(query, Cost.of("0.1"), ground)
    results = run(asked, query, ground, draws=300, seed=2)
    best = advice(asked, results, ground)
    assert best is not None and "clipped-mean" in [each.slug for each in asked]
    assert (best.best.slug == "clipped-mean") == (shape == FAR)
    assert best.times >= 1
