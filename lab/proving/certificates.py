"""Certificates: what a ladder must satisfy on every neighbour pair, checked without randomness."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discreet.lab.proving.small_worlds import SmallWorld
from discreet.mechanisms.smooth import smooth_bound
from discreet.queries import Bounds, Column, Query
from discreet.queries.bounds import FloatArray

SLACK = 1e-9  # relative: what floating point may do to a formula
RUNGS = 12
Smooth = Callable[[Query, Column, float], float]


@dataclass(frozen=True, eq=False)
class Book:
    """All values and ladders of a statistic in one world, and the neighbour pairs."""

    values: FloatArray
    ladders: FloatArray
    first: FloatArray
    second: FloatArray
    most: float

    @property
    def moves(self) -> FloatArray:
        """|f - f'| of every pair."""
        return np.asarray(np.abs(self.values[self.first] - self.values[self.second]))

    @property
    def slack(self) -> float:
        """What rounding may do."""
        return SLACK * max(1.0, float(np.abs(self.values).max()))


def book(query: Query, bounds: Bounds, small: SmallWorld) -> tuple[Book, list[Column]]:
    """Compute everything once, on the first ticks of a grid."""
    columns = small.columns(bounds)
    return book_of(query, columns, bounds, small), columns


def book_of(query: Query, columns: list[Column], bounds: Bounds, small: SmallWorld) -> Book:
    """Compute everything once, of the datasets of a world as columns."""
    values = np.array([query.value(column) for column in columns])
    ladders = np.stack([query.ladder(column, np.arange(RUNGS)) for column in columns])
    first, second = np.array(small.first), np.array(small.second)
    return Book(values, ladders, first, second, query.global_sensitivity(bounds))


def ladder_faults(b: Book) -> dict[str, int]:
    """Count the pairs that break the recursion on which both D and S stand."""
    first, second = b.ladders[b.first], b.ladders[b.second]
    return {
        "A(0) covers the move": int(np.sum(b.moves > np.minimum(first, second)[:, 0] + b.slack)),
        "A(x, k) <= A(x', k+1)": int(
            np.sum(first[:, :-1] > second[:, 1:] + b.slack) + np.sum(second[:, :-1] > first[:, 1:] + b.slack)
        ),
        "A rises": int(np.sum(np.diff(b.ladders, axis=1) < -b.slack)),
        "A stays below the global sensitivity": int(np.sum(b.ladders > b.most + b.slack)),
    }


def distance_faults(b: Book, distances: FloatArray, proposed: float) -> dict[str, int]:
    """Count the pairs that break propose-test-release for one proposed bound."""
    first, second = distances[b.first], distances[b.second]
    both = np.isinf(first) & np.isinf(second)
    gap = np.abs(np.where(both, 0, first) - np.where(both, 0, second))
    safe = np.maximum(first, second) >= 1
    return {
        "|D - D'| <= 1": int(np.sum(gap > 1)),
        "D >= 1 covers the move": int(np.sum(safe & (b.moves > proposed + b.slack))),
    }


def distances_of(b: Book, proposed: float) -> FloatArray:
    """Return the first rung above b for every dataset, infinite where there is none."""
    above = b.ladders > proposed * (1 + SLACK)
    return np.where(above.any(axis=1), above.argmax(axis=1), np.inf)


def smooth_faults(b: Book, bounds: FloatArray, beta: float) -> dict[str, int]:
    """Count the pairs that break smoothness, or move further than the smaller bound."""
    first, second = bounds[b.first], bounds[b.second]
    grown = np.exp(beta) * (1 + SLACK)
    return {
        "S <= exp(beta) S'": int(np.sum((first > grown * second) | (second > grown * first))),
        "|f - f'| <= min(S, S')": int(np.sum(b.moves > np.minimum(first, second) + b.slack)),
    }


def bounds_of(query: Query, columns: list[Column], beta: float, smooth: Smooth = smooth_bound) -> FloatArray:
    """Return the smooth bound of every dataset."""
    return np.array([smooth(query, column, beta) for column in columns])
