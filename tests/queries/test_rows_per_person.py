"""Ladders in persons, each with several rows, against brute force over worlds of persons."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
from brute.cases import BOUNDED, EXACT, GRIDS, SUM, Case, Grid
from brute.worlds import PersonWorld, World, climb

from discreet.queries import Bounds, Relation
from discreet.queries.mean import Mean
from discreet.queries.median import Median

GRID = Grid(Bounds(0, 6, integer=True), (0, 2, 6))
WORLDS = {2: PersonWorld(GRID.ticks, 2, 4), 3: PersonWorld(GRID.ticks, 3, 3)}
CASES: dict[str, Case] = {**EXACT, **BOUNDED, "sum": SUM}


@pytest.mark.parametrize("rows", WORLDS)
@pytest.mark.parametrize("name", CASES)
def test_bound_is_never_below_and_smooth(name: str, rows: int) -> None:
    """A(k) in persons is above brute force and climbs at least as fast as neighbours do."""
    world, case = WORLDS[rows], CASES[name]
    query, rungs = case.make(Relation(rows=rows)), world.most
    truth = world.ladder(case.function(GRID), rungs)
    cache: dict[tuple[int, ...], np.ndarray] = {}
    for x in set(world.datasets):
        cache[x] = query.ladder(GRID.column(x), np.arange(rungs))
    ladders = np.array([cache[x] for x in world.datasets])
    for k in range(rungs):
        seen = world.sizes + k < world.most
        assert np.all(ladders[seen, k] >= truth[seen, k] - 1e-9), k
    first, other = world.pairs.T
    assert np.all(ladders[first, :-1] <= ladders[other, 1:] + 1e-12)
    assert np.all(ladders[other, :-1] <= ladders[first, 1:] + 1e-12)
    assert ladders.max() <= query.global_sensitivity(GRID.bounds) + 1e-9


@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_the_global_sensitivity_of_a_mean_is_exact(rows: int) -> None:
    """No more than m rows beside one can do, and no less: every dataset of two ends and a middle."""
    ticks = (0, 3, 6)
    means = {x: sum(x) / len(x) if x else 3.0 for n in range(8) for x in combinations_with_replacement(ticks, n)}
    people = [p for n in range(1, rows + 1) for p in combinations_with_replacement(ticks, n)]
    joined = ((mean, means.get(tuple(sorted(x + p)))) for x, mean in means.items() for p in people)
    most = max(abs(mean - more) for mean, more in joined if more is not None)
    assert Mean(Relation(rows=rows)).global_sensitivity(GRID.bounds) == pytest.approx(most, rel=1e-12)


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_mean_is_exact_where_many_rows_are_left(rows: int) -> None:
    """The form for the mean is the maximum over all row sets within k m rows that it speaks of."""
    world = World((0, 2, 6), 17)
    values = np.array([np.mean(x) if x else 3.0 for x in world.datasets])
    adding = climb(np.zeros(values.size), world.pairs, 1)[:, 0]
    for i, x in enumerate(world.datasets):
        if len(x) + rows <= world.most:
            more = [world.index[tuple(sorted(x + (t,) * rows))] for t in (0, 6)]
            adding[i] = np.abs(values[more] - values[i]).max()
    sizes, counts = np.array([len(x) for x in world.datasets]), np.array([counted(x) for x in world.datasets])
    for x in [x for x in world.datasets if len(x) == 11]:
        steps = np.abs(counts - counted(x)).sum(axis=1)  # rows to be added or removed
        for k in (0, 1, 2):
            if 11 - k * rows < max(rows + 1, 3 * rows - 4):
                continue
            ball = steps <= k * rows
            best = adding[ball & (sizes + rows <= world.most)].max()
            best = max([best, *(leaving(x, world.datasets[at], rows) for at in np.flatnonzero(ball))])
            rung = Mean(Relation(rows=rows)).ladder(GRID.column(x), np.array([k]))[0]
            assert rung == pytest.approx(best), (x, k)


def counted(x: tuple[int, ...]) -> tuple[int, ...]:
    """How many rows stand on each tick."""
    return tuple(x.count(t) for t in (0, 2, 6))


@cache
def leaving(x: tuple[int, ...], y: tuple[int, ...], rows: int) -> float:
    """The largest move of the mean of y when rows that are in x as well leave, some row staying."""
    most = 0.0
    for away in range(1, min(rows, len(y) - 1) + 1):
        for v in combinations_with_replacement((0, 2, 6), away):
            if all(v.count(t) <= x.count(t) and v.count(t) <= y.count(t) for t in v):
                rest = (sum(y) - sum(v)) / (len(y) - away)
                most = max(most, abs(rest - sum(y) / len(y)))
    return most


def test_mean_beats_the_sum_of_rungs() -> None:
    """The form for m rows is never above the sum of m rungs, and strictly below it somewhere."""
    column = GRIDS["whole"].column((0, 1, 2, 5, 9) * 20)
    k, m = np.arange(3), 20
    rungs = Mean(Relation(rows=m)).ladder(column, k)
    summed = Mean().ladder(column, np.arange(3 * m)).reshape(3, m).sum(axis=1)
    assert np.all(rungs <= summed + 1e-12)
    assert np.any(rungs < 0.97 * summed)


def test_median_uses_two_high_rungs() -> None:
    """Where one gap dominates, the median's bound for m rows is 2 A(km+m-1) and not m times it."""
    column = GRID.column((0,) * 20 + (6,) * 21)
    rungs = Median(Relation(rows=4)).ladder(column, np.arange(3))
    assert np.all(rungs <= 2 * Median().ladder(column, np.arange(3) * 4 + 3) + 1e-12)


def test_many_rows_per_person_stay_cheap_and_above() -> None:
    """Beyond 64 rows a person the bound is m times one rung, never below the sum of rungs."""
    case = EXACT["quantile 0.9"]
    column = GRIDS["whole"].column((0, 1, 2, 5, 9) * 200)
    coarse = case.make(Relation(rows=65)).ladder(column, np.arange(4))
    fine = case.make(Relation(rows=64)).ladder(column, np.arange(4))
    assert np.all(coarse >= fine)
