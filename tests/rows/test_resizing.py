"""Resizing: a column brought to a public number of rows has those rows, each as likely, and the middle for the rest."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from discreet.lab.simulation import SimulationNoise
from discreet.queries import Bounds, Column
from discreet.rows.dataset import resized
from discreet.rows.persons import DrawnLots

GRIDS = (Bounds(0, 9, integer=True), Bounds(-3, 4), Bounds(0, 2**31 - 1, integer=True))
FALSE_ALARM = 1e-9


def rows_of(column: Column) -> Counter[int]:
    """Return how many rows stand on each tick."""
    assert (np.diff(column.levels) > 0).all() and (column.counts > 0).all()
    return Counter(dict(zip(column.levels.tolist(), column.counts.tolist(), strict=True)))


@given(st.sampled_from(GRIDS), st.lists(st.integers(0, 8), max_size=30), st.integers(1, 60), st.integers(0, 99))
def test_a_column_is_filled_up_with_the_middle_or_loses_rows(
    bounds: Bounds, places: list[int], size: int, seed: int
) -> None:
    """By adding up rows one by one; the middle has the rows that it had, too, and so has every other tick."""
    rows = Counter(place * bounds.top // 8 for place in places)
    column = Column.from_ticks(bounds, np.array(list(rows.elements()), dtype=np.int64))
    after = rows_of(resized(column, size, DrawnLots(SimulationNoise(seed))))
    assert after.total() == size
    missing = Counter({bounds.top // 2: max(0, size - len(places))})
    assert after == rows + missing if len(places) <= size else after <= rows


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), max_size=20))
def test_pairs_of_ticks_and_rows_add_up_in_any_order(pairs: list[tuple[int, int]]) -> None:
    """A tick may come again, and may have no rows."""
    levels, counts = (np.array([pair[at] for pair in pairs], dtype=np.int64) for at in (0, 1))
    made = Column.from_pairs(GRIDS[0], levels, counts)
    assert rows_of(made) == rows_of(Column.from_ticks(GRIDS[0], np.repeat(levels, counts)))


@pytest.mark.parametrize(("many", "size"), [(7, 2), (9, 5), (40, 3)])
def test_every_choice_of_rows_is_as_likely(many: int, size: int) -> None:
    """Each row and each two of them: of all that can be kept, where few are kept and where few are left out."""
    lots, draws = DrawnLots(SimulationNoise(3)), 3000
    drawn = [lots.chosen(many, size).tolist() for _ in range(draws)]
    assert all(chosen == sorted(set(chosen)) and len(chosen) == size for chosen in drawn)
    for together, chance in ((1, size / many), (2, size * (size - 1) / (many * (many - 1)))):
        seen = Counter(some for chosen in drawn for some in combinations(chosen, together))
        for some in combinations(range(many), together):
            number = seen[some]
            tails = stats.binom.cdf(number, draws, chance), stats.binom.sf(number - 1, draws, chance)
            assert min(tails) > FALSE_ALARM, (some, number, chance * draws)
