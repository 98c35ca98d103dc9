"""A column against a sorted list: order statistics, windows, prefix sums and sums of squares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.soak import times

from discreet.queries import Bounds, Column
from discreet.queries.column import DENSE, exact_squares

SMALL = Bounds(0, 9, integer=True)
WIDE = Bounds(0, 2**31 - 1, integer=True)
LISTS = st.lists(st.integers(0, 9), max_size=30)
QUIET = settings(max_examples=times(80, 800))


def padded(rows: list[int], position: int, top: int) -> int:
    """The order statistic by its definition: a bound on either side of the rows."""
    if position < 1:
        return 0
    return sorted(rows)[position - 1] if position <= len(rows) else top


@QUIET
@given(LISTS, st.integers(-40, 40), st.integers(-5, 40))
def test_window_is_the_padded_list(rows: list[int], first: int, length: int) -> None:
    """A window holds the order statistics from first to last, padded by the bounds."""
    column = Column.from_ticks(SMALL, np.array(rows, dtype=np.int64))
    expected = [padded(rows, j, 9) for j in range(first, first + length)]
    assert column.window(first, first + length - 1).tolist() == expected
    assert column.order(np.arange(first, first + length)).tolist() == expected


@QUIET
@given(LISTS, st.integers(-40, 40))
def test_prefix_and_sums_are_those_of_the_list(rows: list[int], j: int) -> None:
    """Prefix sums, the total, the squares and the size are those of the sorted list."""
    column = Column.from_ticks(SMALL, np.array(rows, dtype=np.int64))
    assert int(column.prefix(j)) == sum(sorted(rows)[: max(j, 0)])
    assert column.total == sum(rows)
    assert column.squares == sum(t * t for t in rows)
    assert column.n == len(rows)
    assert column.values().tolist() == sorted(rows)


@QUIET
@given(st.lists(st.integers(0, 2**31 - 1), max_size=12))
def test_wide_columns_are_sorted_instead_of_counted(ticks: list[int]) -> None:
    """Where a histogram would be too large the column is the same, and its sums are exact."""
    assert WIDE.top >= DENSE
    column = Column.from_ticks(WIDE, np.array(ticks, dtype=np.int64))
    assert column.window(1, len(ticks)).tolist() == sorted(ticks)
    assert column.squares == sum(t * t for t in ticks)


@QUIET
@given(st.lists(st.tuples(st.integers(-(2**31), 2**31), st.integers(1, 2**27)), max_size=20))
def test_sums_of_squares_are_exact_at_any_size(cells: list[tuple[int, int]]) -> None:
    """Squares of large integers with large counts are summed without overflow or rounding."""
    ticks = np.array([t for t, _ in cells], dtype=np.int64)
    counts = np.array([c for _, c in cells], dtype=np.int64)
    assert exact_squares(ticks, counts) == sum(c * t * t for t, c in cells)


def test_histogram_and_rows_make_the_same_column() -> None:
    """Counts per tick and rows in any order give equal columns."""
    rows = np.array([3, 1, 3, 9, 0, 3])
    first = Column.from_ticks(SMALL, rows)
    other = Column.from_counts(SMALL, np.bincount(rows, minlength=10))
    third = Column.from_values(SMALL, rows[::-1].astype(float))
    for column in (other, third):
        assert column.levels.tolist() == first.levels.tolist() == [0, 1, 3, 9]
        assert column.counts.tolist() == first.counts.tolist() == [1, 1, 3, 1]


def test_representation_hides_rows() -> None:
    """A column printed by accident shows its bounds only."""
    assert "levels" not in repr(Column.from_values(SMALL, [7]))


@pytest.mark.parametrize("empty", [[], np.array([])])
def test_no_rows(empty: object) -> None:
    """A column of no rows is an ordinary column."""
    column = Column.from_values(SMALL, empty)
    assert (column.n, column.total, column.squares) == (0, 0, 0)
    assert column.window(-1, 2).tolist() == [0, 0, 9, 9]
