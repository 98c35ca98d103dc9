"""Lessons: k of a table by one sort, against a comparison of all pairs of rows."""

from __future__ import annotations

import numpy as np

from benchmarks.report import median_seconds, table
from discreet.course.lessons.deidentification.numbers import CENSUS, census_columns, census_sizes, group_sizes
from discreet.queries.bounds import IntArray

ROWS = 2000


def all_pairs(columns: list[IntArray]) -> IntArray:
    """Return the size of every row's group by comparing it with every other row."""
    same = np.ones((columns[0].size, columns[0].size), dtype=bool)
    for column in columns:
        same &= column[:, None] == column[None, :]
    return np.asarray(same.sum(axis=1))


def run() -> None:
    """Print both times on the same rows, and the time of the whole census."""
    columns = [census_columns()[name][:ROWS] for name in CENSUS]
    assert (group_sizes(columns, ROWS) == all_pairs(columns)).all()
    ours = median_seconds(lambda: group_sizes(columns, ROWS))
    pairs = median_seconds(lambda: all_pairs(columns))
    whole = median_seconds(lambda: census_sizes(CENSUS))
    table(
        "k-anonymity: one group-by, six columns",
        ("rows", "ours, ms", "all pairs, ms", "pairs / ours"),
        [
            (f"{ROWS:,}", f"{ours * 1000:.2f}", f"{pairs * 1000:.1f}", f"{pairs / ours:.0f}"),
            ("32,561", f"{whole * 1000:.1f}", "", ""),
        ],
    )
