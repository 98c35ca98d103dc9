"""Ladders under add/remove against brute force over every dataset of small worlds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np
import pytest
from brute.cases import GRIDS, every_case
from brute.worlds import World
from support.soak import some

from discreet.queries import ADD_REMOVE, Column, Query

MOST = 10
WORLDS = {name: World(grid.ticks, MOST) for name, grid in GRIDS.items()}
NAMES = tuple(every_case(GRIDS["whole"], ADD_REMOVE))


@cache
def pick(grid: str, name: str) -> tuple[Query, Callable[..., float]]:
    """One query with its plain function on a grid, which computes the statistic of a dataset once."""
    query, plain = every_case(GRIDS[grid], ADD_REMOVE)[name]
    return query, lru_cache(maxsize=None)(plain)


@cache
def columns(grid: str) -> dict[tuple[int, ...], Column]:
    """Return the columns of the small datasets, the same ones to all."""
    return {x: GRIDS[grid].column(x) for x in WORLDS[grid].up_to(5)}


@cache
def truths(grid: str, name: str) -> np.ndarray:
    """Return the ladders of a statistic by brute force; a lower rung does not depend on the higher ones."""
    return WORLDS[grid].ladder(pick(grid, name)[1], MOST)


@pytest.mark.soak
@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("name", NAMES)
def test_ladder_is_exact(name: str, grid: str) -> None:
    """A(k) is what brute force finds, for every dataset and every k the world can see; in `make test` every third."""
    query, _ = pick(grid, name)
    world, truth = WORLDS[grid], truths(grid, name)
    for x, column in some(columns(grid).items(), 3):
        k = np.arange(MOST - len(x))
        rungs = query.ladder(column, k)
        np.testing.assert_allclose(rungs, truth[world.index[x], : k.size], atol=1e-9, err_msg=str(x))
        assert rungs.dtype == np.float64
        one_by_one = [query.ladder(column, k[[i]])[0] for i in (0, k.size // 2)]
        assert one_by_one == [rungs[0], rungs[k.size // 2]]


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("name", NAMES)
def test_value_and_sensitivity(name: str, grid: str) -> None:
    """The value is the plain statistic, on no rows too, and no pair of the world moves it more."""
    query, plain = pick(grid, name)
    bounds = GRIDS[grid].bounds
    for x, column in columns(grid).items():
        assert query.value(column) == pytest.approx(plain(x), abs=1e-12)
        assert query.low(bounds) - 1e-12 <= plain(x) <= query.high(bounds) + 1e-12
    assert query.empty(bounds) == pytest.approx(plain(()))
    most = truths(grid, name)[:, 0].max()
    assert query.global_sensitivity(bounds) == pytest.approx(most)


@pytest.mark.parametrize("name", NAMES)
def test_order_of_rows_does_not_matter(name: str) -> None:
    """Shuffled rows give the same bits."""
    query, _ = pick("whole", name)
    rows = [5, 0, 9, 2, 2, 1]
    column, other = (GRIDS["whole"].column(tuple(x)) for x in (rows, sorted(rows)))
    k = np.arange(8)
    assert query.value(column) == query.value(other)
    assert query.ladder(column, k).tobytes() == query.ladder(other, k).tobytes()


def test_brute_force_refutes_textbook_mean() -> None:
    """u / (n+1) is not the local sensitivity of the mean: brute force finds more."""
    grid, world = GRIDS["whole"], WORLDS["whole"]
    truth = truths("whole", "mean")[:, 0]
    wrong = [x for x in world.up_to(5) if truth[world.index[x]] > grid.ends[1] / (len(x) + 1) + 1e-9]
    assert (0, 0, 0, 9) in wrong


def test_maximum_is_worth_little() -> None:
    """The ladder of the maximum starts at the empty space between the data and the bound."""
    query, _ = pick("whole", "largest 1")
    assert query.ladder(GRIDS["whole"].column((2,) * 5), np.array([0]))[0] == 7
