"""Ladders under change-one against brute force over every dataset of a public size."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import pytest
from brute.cases import BOUNDED, GRIDS, every_case, trimmed_of
from brute.worlds import SizedWorld

from discreet.queries import Column, Query, Relation
from discreet.queries.trimmed import TrimmedMean

SIZES = (1, 2, 3, 4, 5)


@cache
def small(grid: str, size: int) -> tuple[SizedWorld, list[Column]]:
    """Return every dataset of a size, and its column, the same ones to all."""
    world = SizedWorld(GRIDS[grid].ticks, size)
    return world, [GRIDS[grid].column(x) for x in world.datasets]


def rungs(query: Query, columns: list[Column], most: int) -> np.ndarray:
    """A(0..most-1) of every dataset."""
    k = np.arange(most)
    return np.array([query.ladder(column, k) for column in columns])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("grid", GRIDS)
def test_ladder_is_exact(grid: str, size: int) -> None:
    """A(k), the value and the sensitivity are what brute force finds, for every statistic."""
    world, columns = small(grid, size)
    for name, (query, slow) in every_case(GRIDS[grid], Relation(size=size)).items():
        plain = lru_cache(maxsize=None)(slow)
        truth = world.ladder(plain, size + 2)
        np.testing.assert_allclose(rungs(query, columns, size + 2), truth, atol=1e-9, err_msg=name)
        assert query.global_sensitivity(GRIDS[grid].bounds) == pytest.approx(truth[:, 0].max())
        for x, column in zip(world.datasets, columns, strict=True):
            assert query.value(column) == pytest.approx(plain(x), abs=1e-12)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", BOUNDED)
def test_bound_is_never_below_and_smooth(name: str, size: int) -> None:
    """Where A(k) is a bound it is above the truth and climbs at least as fast as neighbours do."""
    for grid, setting in GRIDS.items():
        world, columns = small(grid, size)
        query = BOUNDED[name].make(Relation(size=size))
        truth = world.ladder(BOUNDED[name].function(setting), size + 2)
        ladders = rungs(query, columns, size + 2)
        assert np.all(ladders >= truth - 1e-9), grid
        assert np.all(np.diff(ladders, axis=1) >= -1e-12), grid
        first, other = world.pairs.T
        assert np.all(ladders[first, :-1] <= ladders[other, 1:] + 1e-12), grid
        most = query.global_sensitivity(setting.bounds)
        assert ladders.max() <= most + 1e-9, grid
        if size > 1:
            assert most == pytest.approx(truth[:, 0].max()), grid


@pytest.mark.parametrize("cut", ["0", "0.2", "0.25", "0.4"])
def test_resized_trimmed_mean_is_the_change_one_form(cut: str) -> None:
    """A trimmed mean that is resized under add/remove has the ladder of its declared size."""
    grid = GRIDS["offset"]
    world, columns = small("offset", 5)
    truth = world.ladder(trimmed_of(cut, grid), 6)
    ladders = rungs(TrimmedMean(cut=cut, resize=5), columns, 6)
    np.testing.assert_allclose(ladders, truth, atol=1e-9)
