"""Resizing: a column is brought to a public number of rows by secret chance."""

from __future__ import annotations

import numpy as np

from discreet.queries import Column
from discreet.rows.lots import Lots


def resized(column: Column, size: int, lots: Lots) -> Column:
    """Keep a secret choice of the rows, or pad with the middle of the bounds.

    One row more or less changes at most one row of the result. Counts stay counts: a public number
    of rows costs nothing by its size.
    """
    levels, counts, missing = column.levels, column.counts, max(0, size - column.n)
    if column.n > size:
        places = np.searchsorted(column.ends, lots.chosen(column.n, size), side="right")
        counts = np.bincount(places, minlength=levels.size)
    padded = np.append(levels, column.bounds.top // 2), np.append(counts, missing)
    return Column.from_pairs(column.bounds, *padded)
