"""The numbers of lesson 4: against hand counts, the mechanisms' own laws and drawn looks."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest

from discreet.course.lessons.differencing import numbers
from discreet.course.lessons.sensitivity import numbers as sensitivity
from discreet.course.lessons.sensitivity.numbers import ADDED, FIRST
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.histogram_bounds import HistogramBounds
from discreet.mechanisms.private_bounds import PrivateUpperBound
from discreet.queries import Bounds, Column
from discreet.queries import registry as statistics

DRAWS = 20_000
FIVE_SIGMA = 5.0  # a false alarm about once in two million comparisons


def test_distance_counts_the_rows_that_are_in_one_dataset_only() -> None:
    """Every setting of the controls, against multisets of plain Python."""
    for removed in range(4):
        for added in range(3):
            for age in sensitivity.ages():
                second = Counter([*FIRST[removed:3], age, *FIRST[4:], *ADDED[:added]])
                first = Counter(FIRST)
                apart = (sum((first - second).values()), sum((second - first).values()))
                pair = sensitivity.pair(removed, added, age)
                assert pair.only == apart and pair.distance == sum(apart)


def test_a_change_is_two_apart_and_a_removal_one() -> None:
    """However far the age changes; two removals are neighbours under neither relation."""
    for age in sensitivity.ages():
        pair = sensitivity.pair(0, 0, age)
        assert (pair.distance, pair.neighbours) == ((0, "same") if age == 45 else (2, "change"))
    assert sensitivity.pair(1, 0, 45).neighbours == "add"
    assert sensitivity.pair(2, 0, 45).neighbours == "none"


@pytest.mark.parametrize(
    ("name", "added", "changed", "unlimited"), [("count", 1, 0, False), ("sum", 120, 150, True), ("mean", 75, 15, True)]
)
def test_sensitivities_are_those_of_the_textbook(name: str, added: float, changed: float, unlimited: bool) -> None:
    """Bounds from -30 to 120, ten people: max(|l|, |u|) and u - l, half of R and R / n."""
    bounds = Bounds(-30, 120, integer=True)
    assert sensitivity.moved(name, bounds) == added
    assert sensitivity.moved(name, bounds, 10) == changed
    assert sensitivity.unlimited(name, -30) is unlimited


@pytest.mark.parametrize("name", ["sum", "mean"])
def test_one_person_moves_a_statistic_as_far_as_said_and_no_further(name: str) -> None:
    """Brute force over all datasets of up to three values from 20 to 22, under both relations."""
    bounds, query = Bounds(20, 22, integer=True), statistics[name]()

    def value(*rows: int) -> float:
        return query.value(Column.from_values(bounds, np.array(rows, dtype=np.int64)))

    values = (20, 21, 22)
    added = max(
        abs(value(*rows, datum) - value(*rows))
        for size in range(4)
        for rows in combinations_with_replacement(values, size)
        for datum in values
    )
    changed = max(
        abs(value(*rows, datum) - value(*rows, other))
        for rows in combinations_with_replacement(values, 2)
        for datum in values
        for other in values
    )
    assert added == pytest.approx(sensitivity.moved(name, bounds))
    assert changed == pytest.approx(sensitivity.moved(name, bounds, 3))


@pytest.mark.parametrize(("column", "upper"), [("age", 40), ("capital_gain", 10_000)])
def test_clipping_takes_what_lies_above_and_noise_grows_with_the_bound(column: str, upper: int) -> None:
    """The mechanism's own errors at one bound, against a plain sum and ln 20 u / epsilon."""
    rows = sensitivity.people(column, 3000)
    errors, values = sensitivity.clipped(rows, 0.2, upper), rows.values()
    total = values.sum()
    assert errors.bias == pytest.approx(np.maximum(values - upper, 0).sum() / total)
    assert errors.noise == pytest.approx(upper / 0.2 * math.log(20) / total, rel=1e-6)


def test_the_curve_of_clipping_passes_through_the_mechanism_at_its_whole_bounds() -> None:
    """At the declared bound the curve and the mechanism agree, and nothing is clipped."""
    rows = sensitivity.people("age", 3000)
    curve, here = sensitivity.clipping(rows, 0.2), sensitivity.clipped(rows, 0.2, 100)
    assert curve.bounds[-1] == pytest.approx(100) and curve.bias[-1] == here.bias == 0
    assert curve.noise[-1] == pytest.approx(here.noise, rel=1e-6)
    assert (np.diff(curve.bias) <= 0).all() and (np.diff(curve.noise) > 0).all()


def test_looking_publishes_the_highest_income_exactly() -> None:
    """With the person it is that income, without it is the next one: a guess is always right."""
    with_, without = (sensitivity.chosen("look", 500, top, 0.5) for top in (600_000, None))
    assert with_.likeliest == 600_000 and without.likeliest < 300_000
    assert with_.guess == 1 and with_.most == math.inf


def test_widening_stops_where_drawn_looks_stop_and_costs_what_they_cost() -> None:
    """20,000 drawn runs of counts that double the bound until no more than ten are above it."""
    widening = sensitivity.chosen("widen", 500, 600_000, 0.5)
    rows, noise = sensitivity.firm(500, 600_000).values(), SimulationNoise(11)
    points, left = [15_625, 31_250, 62_500, 125_000, 250_000, 500_000, 1_000_000], 10
    assert widening.points.tolist() == points and PrivateUpperBound(epsilon=0.5).left_out == left
    looks = np.array([simulate(numbers.law(int((rows > point).sum()), 0.5), DRAWS, noise) for point in points[:-1]])
    stop = np.vstack((looks <= left, np.ones(DRAWS, dtype=bool))).argmax(axis=0)
    shares = np.bincount(stop, minlength=len(points)) / DRAWS
    spread = np.sqrt(widening.chances * (1 - widening.chances) / DRAWS)
    assert (np.abs(shares - widening.chances) <= FIVE_SIGMA * spread + 1e-9).all()
    cost = 0.5 * np.minimum(stop + 1, 6)
    assert widening.average == pytest.approx(cost.mean(), abs=FIVE_SIGMA * cost.std() / DRAWS**0.5)
    assert widening.most == 3.0


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("way", ["widen", "private-upper-bound", "histogram-bounds"])
def test_private_ways_change_their_chances_by_at_most_e_to_the_cost(way: str, epsilon: float) -> None:
    """Chances sum to one, and the highest income multiplies none by more than e^cost."""
    with_, without = (sensitivity.chosen(way, 500, top, epsilon) for top in (600_000, None))
    assert with_.chances.sum() == pytest.approx(1) == without.chances.sum()
    limit, seen = math.exp(with_.most), (with_.chances > 1e-12) & (without.chances > 1e-12)
    ratio = with_.chances[seen] / without.chances[seen]
    assert ratio.max() <= limit * (1 + 1e-6) and ratio.min() >= 1 / limit * (1 - 1e-6)
    guess = 0.5 + 0.25 * np.abs(with_.chances - without.chances).sum()
    assert 0.5 < guess <= with_.guess == pytest.approx(1 / (1 + math.exp(-with_.most)))


def test_the_private_chances_are_those_of_the_mechanisms() -> None:
    """Quantiles of the chosen bound agree with the laws of the mechanisms on the same incomes."""
    rows = sensitivity.firm(500, 600_000)
    for way, law in (
        ("private-upper-bound", PrivateUpperBound(epsilon=0.5).law(rows)),
        ("histogram-bounds", HistogramBounds(epsilon=0.5).law(rows)),
    ):
        choice = sensitivity.chosen(way, 500, 600_000, 0.5)
        for p in (0.05, 0.5, 0.95):
            mine = choice.points[np.searchsorted(np.cumsum(choice.chances), p)]
            assert mine == np.atleast_1d(law.quantile(p))[-1]
        assert choice.average == choice.most == 0.5


def test_the_sensitivity_of_three_functions() -> None:
    """1, n, and 2u − 1, which grows with the bound: without one there is no sensitivity."""
    assert [sensitivity.most(name, 3) for name in ("x", "nx", "square")] == [1, 3, 199]
    assert [sensitivity.unbounded(name, 3) for name in ("x", "nx", "square")] == [False, False, True]


@pytest.mark.parametrize(("share", "epsilon"), [(0.5, 1.0), (0.9, 1.0), (0.3, 5.0)])
def test_the_error_of_a_mean_is_that_of_many_simulated_means(share: float, epsilon: float) -> None:
    """400,000 noisy sums over noisy counts agree within 1.5%; bounds limit what nothing else does."""
    draw = np.random.default_rng(3)
    a = 1 - math.exp(-epsilon * (1 - share))
    counts = 300 + draw.geometric(a, 400_000) - draw.geometric(a, 400_000)
    sums = 300 * sensitivity.AVERAGE + draw.laplace(0, sensitivity.OLDEST / epsilon / share, 400_000)
    simulated = np.quantile(np.where(counts > 0, abs(sums / np.maximum(counts, 1) - sensitivity.AVERAGE), np.inf), 0.95)
    assert sensitivity.mean_error(share, epsilon, 300) == pytest.approx(simulated, rel=0.015)
    assert sensitivity.mean_error(0.5, 0.01, 30) == sensitivity.OLDEST
