"""Ladders that are proven bounds: never below the truth, smooth, and exact where they say so."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np
import pytest
from brute.cases import BOUNDED, GRIDS, Grid
from brute.worlds import World
from support.soak import some, times

from discreet.queries import ADD_REMOVE, Bounds

FULL = {
    "whole": Grid(Bounds(0, 4, integer=True), tuple(range(5))),
    "negative": Grid(Bounds(-8, -2, step=2, integer=True), tuple(range(4))),
    "offset": Grid(Bounds(-1.5, 0.5, step=0.5), tuple(range(5))),
}
SPARSE = ("whole", "negative", "offset", "uneven")
MOST = times(7, 8)  # rows


@cache
def small(grid: Grid) -> World:
    """Return every dataset of a grid, the same ones to all."""
    return World(grid.ticks, MOST)


@cache
def plain(grid: Grid, name: str) -> Callable[[tuple[int, ...]], float]:
    """Return a statistic in plain Python, which computes that of a dataset once."""
    return lru_cache(maxsize=None)(BOUNDED[name].function(grid))


@cache
def truths(grid: Grid, name: str) -> np.ndarray:
    """Return the ladders of a statistic by brute force; a lower rung does not depend on the higher ones."""
    return small(grid).ladder(plain(grid, name), MOST)


@cache
def rungs(grid: Grid, name: str) -> np.ndarray:
    """A(0..MOST-1) of every dataset."""
    query, k = BOUNDED[name].make(ADD_REMOVE), np.arange(MOST)
    return np.array([query.ladder(grid.column(x), k) for x in small(grid).datasets])


def climbs_with_neighbours(ladders: np.ndarray, world: World) -> bool:
    """Whether A(x, k) <= A(x', k+1) for every pair of neighbours and every k."""
    first, other = world.pairs.T
    up, down = ladders[first, :-1] - ladders[other, 1:], ladders[other, :-1] - ladders[first, 1:]
    return bool(max(up.max(), down.max()) <= 1e-12)


@pytest.mark.soak
@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("grid", some([*FULL.values(), *(GRIDS[g] for g in SPARSE)], 2))
def test_bound_is_never_below_and_smooth(grid: Grid, name: str) -> None:
    """A(k) is above brute force, and A(x, k) <= A(x', k+1) for all neighbours: S is smooth.

    In `make test` of a row less, on every second grid: two that are full, and two that are not.
    """
    world, case = small(grid), BOUNDED[name]
    query = case.make(ADD_REMOVE)
    truth, ladders, exactly = truths(grid, name), rungs(grid, name), plain(grid, name)
    for x in world.up_to(MOST - 1):
        at, seen = world.index[x], MOST - len(x)
        assert np.all(ladders[at, :seen] >= truth[at, :seen] - 1e-9), x
        assert query.value(grid.column(x)) == pytest.approx(exactly(x), abs=1e-9)
    assert np.all(np.diff(ladders, axis=1) >= -1e-12)
    assert climbs_with_neighbours(ladders, world)
    most = query.global_sensitivity(grid.bounds)
    assert ladders.max() <= most + 1e-9
    assert most == pytest.approx(truth[:, 0].max())


@pytest.mark.soak
@pytest.mark.parametrize("name", ["variance", "standard deviation"])
@pytest.mark.parametrize("grid", FULL.values())
def test_first_rung_of_the_spread_is_exact(grid: Grid, name: str) -> None:
    """A(0) is the exact local sensitivity over all ticks."""
    world, case = small(grid), BOUNDED[name]
    truth = truths(grid, name)[:, 0]
    for x in world.up_to(MOST - 1):
        rung = case.make(ADD_REMOVE).ladder(grid.column(x), np.array([0]))[0]
        assert rung == pytest.approx(truth[world.index[x]], abs=1e-9), x


def test_local_sensitivity_as_ladder_is_caught() -> None:
    """The check is not blind: A(0) repeated on every rung does not climb with neighbours."""
    grid = FULL["whole"]
    world = small(grid)
    ladders = rungs(grid, "variance")
    assert not climbs_with_neighbours(np.repeat(ladders[:, :1], MOST, axis=1), world)


def test_truncated_ladder_is_caught() -> None:
    """The check is not blind: rungs cut to whole numbers, as integer arrays would, fall below."""
    grid = FULL["whole"]
    truth, cut = truths(grid, "variance"), np.floor(rungs(grid, "variance"))
    assert np.any(cut[:, 0] < truth[:, 0] - 1e-9)


def test_bounds_given_as_integers_change_nothing() -> None:
    """Integer and float bounds of the same grid give the same ladders of every statistic."""
    whole, real = Bounds(0, 9, step=1), Bounds(0.0, 9.0, step=1.0)
    for case in BOUNDED.values():
        column, other = (Grid(b, tuple(range(9))).column((1, 2, 2, 5)) for b in (whole, real))
        query, k = case.make(ADD_REMOVE), np.arange(6)
        assert np.array_equal(query.ladder(column, k), query.ladder(other, k))


@pytest.mark.parametrize("name", ["variance", "standard deviation"])
def test_bound_is_tight_on_many_rows(name: str) -> None:
    """On a thousand rows the second rung is within 10 % of the exact first one."""
    bounds = Bounds(0, 100, integer=True)
    rows = np.random.default_rng(5).binomial(100, 0.4, 1000)
    grid = Grid(bounds, tuple(range(101)))
    first, second = BOUNDED[name].make(ADD_REMOVE).ladder(grid.column(tuple(rows)), np.arange(2))
    assert first <= second <= 1.1 * first
