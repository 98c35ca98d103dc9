"""What is left of a column's spread when K rows change: the bricks of the variance's ladders.

Every brick is monotone from x with K to a neighbour x' with K + 1, which is what makes a ladder of
them smooth: the farthest row and the loosest sum never shrink, the tightest sum never grows.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import Column, exact_squares
from discreet.queries.gaps import MOST_RUNGS

BLOCK = 16  # values of K at a time, so that a pass stays inside a core's cache
EXACT = 2**32  # N (top) below it: N^2 times a variance fits 62 bits


def power(column: Column) -> int:
    """Return n^2 times the variance in ticks, an exact integer."""
    return column.n * column.squares - column.total**2


def neighbours(column: Column) -> list[tuple[float, float]]:
    """Return the extreme variances of one row more and one less, and exactly how far each is."""
    n, total, spread = column.n, column.total, power(column)
    if not n:
        return [(0.0, 0.0)]
    nearest = (2 * total + n) // (2 * n)
    at = int(np.searchsorted(column.levels, nearest))
    rows = [*column.levels[max(0, at - 1) : at + 1].tolist(), *column.order([1, n]).tolist()]
    steps = [(1, v) for v in (0, column.bounds.top, nearest)] + [(-1, v) for v in rows if n > 1]
    changes = []
    for sign, v in steps:
        size, far = n + sign, (n * v - total) ** 2
        then = (spread * size + sign * far) / (n * size**2)
        changes.append((then, sign * (n * far - spread * size) / (n * size) ** 2))
    return changes


def farthest(column: Column, left: IntArray, size: int) -> FloatArray:
    """Bound how far a row can lie from the mean when all but `kept` of `size` rows are free.

    R - min(sum of the `kept` smallest x, sum of the `kept` smallest R - x) / size, because the free
    rows stand on one bound and push the mean away from the other.
    """
    top = column.bounds.top
    mirrored = left * top - (column.total - column.prefix(column.n - left))
    return np.asarray(top - np.minimum(column.prefix(left), mirrored) / max(size, 1))


def tightest(column: Column, dropped: IntArray) -> FloatArray:
    """Return the least sum of squared deviations over n - K rows, for each K = `dropped`.

    A subset with the least is n - K consecutive rows, so it is the minimum over K + 1 windows.
    Up to a quarter of the rows dropped it is computed around the median: on both sides of it a
    window keeps a quarter of the rows, so sums lose a factor of 5 to cancellation at most. Beyond
    that integers are exact while they fit; then, and beyond 2^14, it is 0, a bound as well. These
    three ranges follow each other for a neighbour with K + 1, so the brick stays monotone.
    """
    n, top = column.n, column.bounds.top
    least = np.zeros(dropped.shape)
    near = (4 * dropped < n) & (dropped <= MOST_RUNGS)
    whole = (4 * dropped >= n) & (dropped < n) & (3 * dropped * top < EXACT)
    whole &= dropped <= MOST_RUNGS
    if np.any(near):
        least[near] = _around_median(column, dropped[near])
    if np.any(whole):
        least[whole] = _in_integers(column.window(1, n), dropped[whole])
    return least


def _in_integers(rows: IntArray, dropped: IntArray) -> FloatArray:
    sums = np.concatenate(([0], np.cumsum(rows)))
    powers = np.concatenate(([0], np.cumsum(rows * rows)))  # wraps, and unwraps below
    squares = []
    for k in dropped.tolist():
        left = rows.size - k
        part = sums[left:] - sums[: k + 1]
        squares.append(int(np.min(left * (powers[left:] - powers[: k + 1]) - part * part)) / left)
    return np.array(squares)


def _around_median(column: Column, dropped: IntArray) -> FloatArray:
    n, reach = column.n, int(dropped.max())
    centre = int(column.order((n + 1) // 2))
    head = column.window(1, reach) - centre
    tail = column.window(n - reach + 1, n)[::-1] - centre
    every = column.squares - 2 * centre * column.total + n * centre**2
    middle = float(every - exact_squares(head) - exact_squares(tail))
    power = (middle + _remaining(head), np.append(_remaining(tail)[::-1], np.full(reach, np.inf)))
    sums = (
        column.total - n * centre - np.append(0, np.cumsum(head)),
        np.append(np.append(0, np.cumsum(tail))[::-1], np.zeros(reach, np.int64)),
    )
    return _least(power, sums, dropped, n)


def _remaining(rows: IntArray) -> FloatArray:
    outward = np.cumsum(np.square(rows[::-1].astype(np.float64)))
    return np.append(outward[::-1], 0.0)


def _least(
    power: tuple[FloatArray, FloatArray], sums: tuple[IntArray, IntArray], dropped: IntArray, n: int
) -> FloatArray:
    reach, least = int(dropped.max()), np.empty(dropped.shape)
    order = np.argsort(dropped)
    for start in range(0, dropped.size, BLOCK):
        block = order[start : start + BLOCK]
        first = reach - dropped[block]
        width = reach + 1 - int(first.min())
        left = (n - dropped[block])[:, None]
        tail = sliding_window_view(sums[1], width)[first]
        part = np.subtract(sums[0][:width], tail, out=tail).astype(np.float64)
        np.square(part, out=part)
        np.divide(part, left, out=part)
        whole = power[0][:width] + sliding_window_view(power[1], width)[first]
        least[block] = np.min(np.subtract(whole, part, out=whole), axis=1)
    return np.maximum(least, 0.0)
