"""Ladders under add/remove against brute force over every dataset of small worlds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from brute.cases import GRIDS, every_case
from brute.worlds import World
from soak import some

from discreet.queries import ADD_REMOVE, Query

MOST = 10
WORLDS = {name: World(grid.ticks, MOST) for name, grid in GRIDS.items()}
NAMES = tuple(every_case(GRIDS["whole"], ADD_REMOVE))


def pick(grid: str, name: str) -> tuple[Query, Callable[..., float]]:
    """One query with its plain function on a grid."""
    return every_case(GRIDS[grid], ADD_REMOVE)[name]


@pytest.mark.soak
@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("name", NAMES)
def test_ladder_is_exact(name: str, grid: str) -> None:
    """A(k) is what brute force finds, for every dataset and every k the world can see; in `make test` every second."""
    query, plain = pick(grid, name)
    world = WORLDS[grid]
    truth = world.ladder(plain, MOST)
    for x in some(world.up_to(5), 2):
        k = np.arange(MOST - len(x))
        rungs = query.ladder(GRIDS[grid].column(x), k)
        np.testing.assert_allclose(rungs, truth[world.index[x], : k.size], atol=1e-9, err_msg=str(x))
        assert rungs.dtype == np.float64
        one_by_one = [query.ladder(GRIDS[grid].column(x), k[[i]])[0] for i in (0, k.size // 2)]
        assert one_by_one == [rungs[0], rungs[k.size // 2]]


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("name", NAMES)
def test_value_and_sensitivity(name: str, grid: str) -> None:
    """The value is the plain statistic, on no rows too, and no pair of the world moves it more."""
    query, plain = pick(grid, name)
    world, bounds = WORLDS[grid], GRIDS[grid].bounds
    for x in world.up_to(5):
        assert query.value(GRIDS[grid].column(x)) == pytest.approx(plain(x), abs=1e-12)
        assert query.low(bounds) - 1e-12 <= plain(x) <= query.high(bounds) + 1e-12
    assert query.empty(bounds) == pytest.approx(plain(()))
    most = world.ladder(plain, 1).max()
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
    _, plain = pick("whole", "mean")
    truth = world.ladder(plain, 1)[:, 0]
    wrong = [x for x in world.up_to(5) if truth[world.index[x]] > grid.ends[1] / (len(x) + 1) + 1e-9]
    assert (0, 0, 0, 9) in wrong


def test_maximum_is_worth_little() -> None:
    """The ladder of the maximum starts at the empty space between the data and the bound."""
    query, _ = pick("whole", "largest 1")
    assert query.ladder(GRIDS["whole"].column((2,) * 5), np.array([0]))[0] == 7
