"""Private bounds: public grids, exact laws, and every neighbour pair."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from discreet.budget.errors import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.base.sparse_vector import Crossings, Scales
from discreet.mechanisms.histogram_bounds import HistogramBounds, Span
from discreet.mechanisms.laws.law import Picked
from discreet.mechanisms.private_bounds import PrivateUpperBound
from discreet.queries import Bounds, Column, Relation

BOUNDS = Bounds(0, 16, integer=True)
VALUES = (0, 1, 3, 9, 16)
FIXED = Relation(size=4)
ROUNDING = 1 + 1e-9
DRAWS = 20_000
FALSE_ALARM = 1e-9  # chance that right frequencies fail one chi-square test


def column(x: Any, bounds: Bounds = BOUNDS) -> Column:
    """Return a column of plain numbers."""
    return Column.from_values(bounds, np.array(x, dtype=np.float64))


@cache
def neighbours(x: tuple[int, ...], relation: Relation) -> set[tuple[int, ...]]:
    """Return all datasets with a person more, or a person changed."""
    samples = {x}
    for _ in range(relation.rows):
        if relation.change_one:
            samples |= {tuple(sorted((*o[:i], v, *o[i + 1 :]))) for o in samples for i in range(len(x)) for v in VALUES}
        else:
            samples |= {tuple(sorted((*o, v))) for o in samples for v in VALUES}
    return samples - {x}


def chances(mechanism: Mechanism, x: Any) -> Any:
    """Return the exact chance of every answer."""
    law = mechanism.law(column(x))
    if isinstance(law, Span):
        return law.table[np.triu_indices(law.counts.size)]
    assert isinstance(law, Picked)
    return law.probabilities


def worst_loss(mechanism: Mechanism, relation: Relation) -> float:
    """Return the largest log-ratio of any answer over all small datasets and neighbours."""
    sizes = [4] if relation.change_one else range(4)
    small = [x for n in sizes for x in combinations_with_replacement(VALUES, n)]
    logs: dict[Any, Any] = {}
    for x in small:
        for y in {x} | neighbours(x, relation):
            if y not in logs:
                logs[y] = np.log(chances(mechanism, y))
    return max(float(np.abs(logs[x] - logs[y]).max()) for x in small for y in neighbours(x, relation))


@pytest.mark.parametrize("relation", [Relation(), Relation(rows=2), FIXED], ids=str)
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_no_pair_of_neighbours_loses_more_than_epsilon(epsilon: float, relation: Relation) -> None:
    """Every answer of both mechanisms, for all datasets of up to four rows, both ways."""
    for left_out in (0.0, 1.0, None):
        upper = PrivateUpperBound(epsilon=epsilon, left_out=left_out, relation=relation)
        assert worst_loss(upper, relation) <= epsilon * ROUNDING
    both = HistogramBounds(epsilon=epsilon, relation=relation)
    assert worst_loss(both, relation) <= epsilon * ROUNDING


def test_counting_rows_of_one_for_persons_of_two_is_caught() -> None:
    """Noise for one row a person is not enough for two, and not enough for a changed row."""
    pair = Relation(rows=2)
    assert worst_loss(HistogramBounds(epsilon=2.0), pair) > 2.4
    assert worst_loss(HistogramBounds(epsilon=2.0), FIXED) > 2.4
    fine, wide = PrivateUpperBound(epsilon=1.0, left_out=0.0, ratio=1.1), Bounds(0, 10**6)
    none, two = (fine.law(column(x, wide)) for x in ([], [1e5, 1e5]))
    assert isinstance(none, Picked) and isinstance(two, Picked)
    assert np.abs(np.log(none.probabilities / two.probabilities)).max() > 1.8


def test_the_counts_above_the_grid_move_the_same_way() -> None:
    """One row more lowers each value -#{x > g} by at most one and raises none."""
    mechanism = PrivateUpperBound()
    grid = mechanism.grid(BOUNDS)
    for x in combinations_with_replacement(VALUES, 3):
        above = np.array([sum(v > g for v in x) for g in grid])
        for y in neighbours(x, Relation()):
            change = np.array([sum(v > g for v in y) for g in grid]) - above
            assert change.min() >= 0 and change.max() <= 1


@pytest.mark.parametrize("bounds", [BOUNDS, Bounds(-1e6, 1e6), Bounds(5, 6, integer=True)])
def test_the_grid_is_public_and_ends_at_the_declared_bounds(bounds: Bounds) -> None:
    """It follows from bounds and ratio alone, with no step wider than the ratio."""
    for ratio in (1.1, 2.0, 10.0):
        grid = PrivateUpperBound(ratio=ratio).grid(bounds)
        assert grid[0] == 0 and grid[-1] == bounds.top and (np.diff(grid) > 0).all()
        wide = grid[1:-1] > 0
        assert (grid[2:][wide] <= np.ceil(grid[1:-1][wide] * ratio)).all()


def test_an_upper_bound_finds_the_bulk_and_falls_back_to_the_declared_one() -> None:
    """A skewed column in wide bounds gets a bound near its rows; full columns the declared one."""
    bounds = Bounds(0.0, 1e9)
    rows = np.random.default_rng(1).lognormal(10, 1, 5000)
    mechanism = PrivateUpperBound(epsilon=0.5)
    law = mechanism.law(column(rows, bounds))
    middle = float(law.quantile(0.5))
    assert np.quantile(rows, 0.9) < middle < 8 * rows.max()
    assert np.mean(rows > middle) < 0.02
    top = mechanism.law(column(np.full(5000, 1e9), bounds))
    assert top.draw(SimulationNoise(0)) == bounds.value(bounds.top)
    note = mechanism.forecast(Public(bounds=bounds)).note
    assert "at most" in note


def test_the_upper_bound_is_a_sparse_vector_over_the_rows_above_each_grid_point() -> None:
    """It counts the rows above each point but the last, which takes what is left."""
    mechanism, rows = PrivateUpperBound(epsilon=1.0, left_out=1.5), [0, 1, 1, 2, 9, 16, 16]
    law = mechanism.law(column(rows))
    assert isinstance(law, Picked)
    above = np.array([-sum(row > point for row in rows) for point in law.points[:-1]])
    stream = Crossings((), above, -1.5, Scales.best(1.0, "automatic", Relation(), 1))
    assert law.probabilities == pytest.approx(stream.probabilities, rel=1e-12)
    assert law.cdf(law.points) == pytest.approx(np.cumsum(law.probabilities), rel=1e-12)
    assert law.cdf([-0.5, 16.5]) == pytest.approx([0, 1])


def test_draws_of_the_upper_bound_have_the_exact_chances() -> None:
    """Drawn and simulated answers are grid points with the right frequencies (chi-square)."""
    law, noise = (PrivateUpperBound(epsilon=1.0, left_out=2.0).law(column([1] * 3 + [9] * 4)), SimulationNoise(4))
    assert isinstance(law, Picked)
    drawn = np.array([law.draw(noise) for _ in range(DRAWS)])
    for answers in (drawn, law.simulate(noise.uniforms(law.draws, DRAWS))):
        seen = np.bincount(np.searchsorted(law.points, answers), minlength=law.points.size)
        assert stats.chisquare(seen, law.probabilities * DRAWS).pvalue > FALSE_ALARM


def by_enumeration(law: Span, reach: int) -> Any:
    """Return the chance of each pair of bins by going through all noises up to `reach`."""
    z = np.arange(-reach, reach + 1)
    weight = np.exp(-np.abs(z) / law.scale)
    weight /= (1 + math.exp(-1 / law.scale)) / (1 - math.exp(-1 / law.scale))
    size, table = law.counts.size, np.zeros((law.counts.size,) * 2)
    for cell in product(range(z.size), repeat=size):
        at = list(cell)
        noisy, p = law.counts + z[at], float(np.prod(weight[at]))
        first, last = 0, size - 1
        for threshold in law.thresholds:
            bins = np.flatnonzero(noisy >= threshold)
            if bins.size:
                first, last = bins[0], bins[-1]
                break
        table[first, last] += p
    return table


def test_the_law_of_the_histogram_is_what_enumeration_gives() -> None:
    """All noisy counts of three bins, one by one, to 1e-12."""
    law = Span(np.arange(4.0), np.array([0, 3, 1]), 0.5, (4, 3, 1))
    assert law.table == pytest.approx(by_enumeration(law, 17), abs=1e-12)
    assert law.table.sum() == pytest.approx(1, abs=1e-14)


def test_draws_of_the_histogram_have_the_exact_chances() -> None:
    """Drawn pairs, simulated pairs and both cdfs agree with the table (chi-square)."""
    law, noise = Span(np.arange(5.0), np.array([0, 6, 2, 1]), 2.0, (9, 4, 2)), SimulationNoise(6)
    drawn = np.array([law.draw(noise) for _ in range(DRAWS)]).T
    cells = np.triu_indices(4)
    for low, high in (drawn, law.simulate(noise.uniforms(law.draws, DRAWS))):
        seen = np.zeros((4, 4))
        np.add.at(seen, (low.astype(int), high.astype(int) - 1), 1)
        assert seen.sum() == seen[cells].sum()
        assert stats.chisquare(seen[cells], law.table[cells] * DRAWS).pvalue > FALSE_ALARM
    lower, upper = law.cdf([np.array([0.5, 9]), np.array([0.5, 9])])
    assert lower == pytest.approx([law.table[0].sum(), 1]) and upper == pytest.approx([0, 1])
    low, high = law.quantile(np.array([0.5]))
    assert law.table[: int(low[0]) + 1].sum() >= 0.5 and law.table[:, : int(high[0])].sum() >= 0.5


def test_empty_bins_rarely_stand_out() -> None:
    """The first threshold is missed by all empty bins but for a chance of about 1e-9."""
    thresholds = HistogramBounds(epsilon=1.0).thresholds(64)
    assert thresholds[0] == 25  # 24.17 in the literature, in whole rows
    law = Span(np.arange(65.0), np.zeros(64, int), 1.0, thresholds[:1])
    chance = 1 - law.table[0, -1]
    assert 0 < chance < 2e-9


def test_both_bounds_are_found_and_hold_the_rows() -> None:
    """Rows far inside wide bounds, on both sides of zero, none at all, and all equal."""
    bounds, noise = Bounds(-1e6, 1e6), SimulationNoise(3)
    rows = np.random.default_rng(2).normal(0, 100, 5000)
    low, high = HistogramBounds(epsilon=1.0).law(column(rows, bounds)).draw(noise)  # type: ignore[misc]
    assert -1000 < low < -200 and 200 < high < 1000  # type: ignore[operator]
    low, high = HistogramBounds(epsilon=1.0).law(column([40.0] * 500, bounds)).draw(noise)  # type: ignore[misc]
    assert low <= 40 <= high and high - low < 50  # type: ignore[operator]
    empty = HistogramBounds(epsilon=1.0).law(column([], bounds))
    assert all(isinstance(end, float) for end in empty.draw(noise))  # type: ignore[union-attr]


@pytest.mark.parametrize("bounds", [Bounds(5, 6, integer=True), Bounds(-3, 1e249), Bounds(0, 1e-249)])
def test_extreme_bounds_still_have_bins(bounds: Bounds) -> None:
    """Edges increase from the smallest to the largest value of the declared grid."""
    edges = np.array(HistogramBounds().edges(bounds))
    assert edges[0] == bounds.value(0) and edges[-1] == bounds.value(bounds.top)
    assert (np.diff(edges) > 0).all() and np.isfinite(edges).all()
    law = HistogramBounds().law(column([bounds.upper], bounds))
    assert isinstance(law, Span) and law.table.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"epsilon": 0}, "ε must be between 1e-06 and 50"),
        ({"epsilon": "1"}, "ε must be a number"),
        ({"left_out": -1.0}, "Rows left out must be between 0"),
        ({"ratio": 1.0}, "Ratio must be between 1.1 and 10"),
    ],
)
def test_wrong_parameters_are_refused_with_their_range(wrong: dict[str, Any], says: str) -> None:
    """The sentence names the range, before anything is charged."""
    with pytest.raises(ParameterError, match=says):
        PrivateUpperBound(**wrong)
