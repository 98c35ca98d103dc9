"""Gaps between order statistics, from which the ladders of ranks are computed."""

from __future__ import annotations

import numpy as np

from discreet.queries.bounds import IntArray
from discreet.queries.column import Column

MOST_RUNGS = 2**14  # beyond it a ladder may return its maximum: still an upper bound, and O(1)


def widest(high: IntArray, low: IntArray, k: IntArray) -> IntArray:
    """Return the maximum of high[i] - low[j] over i + j = k + 1, for each k >= 0."""
    back = np.ascontiguousarray(low[::-1])
    last = low.size - 1
    gaps = [np.max(high[: s + 1] - back[last - s :][: s + 1]) for s in (k + 1).tolist()]
    return np.array(gaps, dtype=np.int64)


def block_gaps(column: Column, first: int, last: int, k: IntArray, size: int) -> IntArray:
    """Return last - first + 1 times A(k) of the mean of rows first..last of a public size.

    Change-one: A(k) = max over i + j = k + 1 of (x_{last+i} - x_{first-j}) / (last - first + 1).
    Proof: changing one row moves the block's sum most when a row at or below the block goes to the
    top (the block loses y_first and gains y_{last+1}) or the mirror image of that. Moving the i
    rows above the block to the top and the j rows below it to the bottom makes y_{last+1} equal
    x_{last+1+i} and y_first equal x_{first-j}, and no k = i + j changes reach further (Nissim,
    Raskhodnikova and Smith 2007 for one row; Bun and Steinke 2019 for a trimmed mean).
    """
    whole = np.full(k.shape, column.bounds.top, dtype=np.int64)
    inner = k < min(size - last + first, MOST_RUNGS)
    if np.any(inner):
        reach = int(k[inner].max()) + 1
        high = column.window(last, last + reach)
        low = column.window(first - reach, first)[::-1]
        whole[inner] = widest(high, low, k[inner])
    return whole
