"""Worlds: all small datasets with all pairs of neighbours, and the conditions on a ladder there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from discreet.mechanisms.smooth import smooth_bound
from discreet.queries import Bounds, Column, Query, Relation
from discreet.queries.bounds import FloatArray

# --- Small worlds: every dataset of a few rows over a few ticks, and every pair of neighbours among them ---

Rows = tuple[int, ...]


def multisets(ticks: int, sizes: Iterable[int]) -> list[Rows]:
    """Return every dataset of the given sizes over ticks 0 to ticks - 1."""
    return [rows for n in sizes for rows in combinations_with_replacement(range(ticks), n)]


def added(rows: Rows, ticks: int, person: int) -> set[Rows]:
    """Return the datasets with one more person of 1 to `person` rows, in every way."""
    every = {rows}
    new = {rows}
    for _ in range(person):
        new = {tuple(sorted((*old, tick))) for old in new for tick in range(ticks)}
        every |= new
    return every - {rows}


def changed(rows: Rows, ticks: int, person: int) -> set[Rows]:
    """Return the datasets in which up to `person` rows have other values."""
    every = {rows}
    for _ in range(person):
        every |= {
            tuple(sorted((*old[:i], tick, *old[i + 1 :])))
            for old in every
            for i in range(len(old))
            for tick in range(ticks)
        }
    return every - {rows}


@dataclass(frozen=True)
class SmallWorld:
    """Datasets over a few ticks and the index pairs that are neighbours, each pair once."""

    datasets: tuple[Rows, ...]
    first: tuple[int, ...]
    second: tuple[int, ...]

    def columns(self, bounds: Bounds) -> list[Column]:
        """Return every dataset as a column."""
        return [Column.from_ticks(bounds, np.array(rows, np.int64)) for rows in self.datasets]


@cache
def world(ticks: int, low: int, high: int, relation: Relation) -> SmallWorld:
    """Return all datasets of low to high rows and all their neighbour pairs under a relation."""
    datasets = multisets(ticks, range(low, high + 1))
    place = {rows: i for i, rows in enumerate(datasets)}
    pairs = set()
    for rows in datasets:
        step = changed if relation.change_one else added
        for other in step(rows, ticks, relation.rows):
            if other in place:
                pairs.add(tuple(sorted((place[rows], place[other]))))
    first, second = zip(*sorted(pairs), strict=True)
    return SmallWorld(tuple(datasets), first, second)


# --- Certificates: conditions on a ladder for every neighbour pair, checked without randomness ---

SLACK = 1e-9  # relative: the floating-point error of a formula
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
        """The allowed rounding error."""
        return SLACK * max(1.0, float(np.abs(self.values).max()))


def book(query: Query, bounds: Bounds, small: SmallWorld) -> tuple[Book, list[Column]]:
    """Compute everything once, on the first ticks of a grid."""
    columns = small.columns(bounds)
    return book_of(query, columns, bounds, small), columns


def book_of(query: Query, columns: list[Column], bounds: Bounds, small: SmallWorld) -> Book:
    """Compute everything once, for the datasets of a world as columns."""
    values = np.array([query.value(column) for column in columns])
    ladders = np.stack([query.ladder(column, np.arange(RUNGS)) for column in columns])
    first = np.array(small.first)
    second = np.array(small.second)
    return Book(values, ladders, first, second, query.global_sensitivity(bounds))


def ladder_faults(b: Book) -> dict[str, int]:
    """Count the pairs that violate the recursion on which both D and S rely."""
    first = b.ladders[b.first]
    second = b.ladders[b.second]
    return {
        "A(0) covers the move": int(np.sum(b.moves > np.minimum(first, second)[:, 0] + b.slack)),
        "A(x, k) <= A(x', k+1)": int(
            np.sum(first[:, :-1] > second[:, 1:] + b.slack) + np.sum(second[:, :-1] > first[:, 1:] + b.slack)
        ),
        "A rises": int(np.sum(np.diff(b.ladders, axis=1) < -b.slack)),
        "A stays below the global sensitivity": int(np.sum(b.ladders > b.most + b.slack)),
    }


def distance_faults(b: Book, distances: FloatArray, proposed: float) -> dict[str, int]:
    """Count the pairs that violate propose-test-release for one proposed bound."""
    first = distances[b.first]
    second = distances[b.second]
    both = np.isinf(first) & np.isinf(second)
    gap = np.abs(np.where(both, 0, first) - np.where(both, 0, second))
    safe = np.maximum(first, second) >= 1
    return {
        "|D - D'| <= 1": int(np.sum(gap > 1)),
        "D >= 1 covers the move": int(np.sum(safe & (b.moves > proposed + b.slack))),
    }


def distances_of(b: Book, proposed: float) -> FloatArray:
    """Return the first rung above b for every dataset, infinite if there is none."""
    above = b.ladders > proposed * (1 + SLACK)
    return np.where(above.any(axis=1), above.argmax(axis=1), np.inf)


def smooth_faults(b: Book, bounds: FloatArray, beta: float) -> dict[str, int]:
    """Count the pairs that violate smoothness, or move further than the smaller bound."""
    first = bounds[b.first]
    second = bounds[b.second]
    grown = np.exp(beta) * (1 + SLACK)
    return {
        "S <= exp(beta) S'": int(np.sum((first > grown * second) | (second > grown * first))),
        "|f - f'| <= min(S, S')": int(np.sum(b.moves > np.minimum(first, second) + b.slack)),
    }


def bounds_of(query: Query, columns: list[Column], beta: float, smooth: Smooth = smooth_bound) -> FloatArray:
    """Return the smooth bound of every dataset."""
    return np.array([smooth(query, column, beta) for column in columns])
