"""Small worlds: every dataset of a few rows over a few ticks, and every pair of neighbours among them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from discreet.queries import Bounds, Column, Relation

Rows = tuple[int, ...]


def multisets(ticks: int, sizes: Iterable[int]) -> list[Rows]:
    """Return every dataset of the given sizes over ticks 0 to ticks - 1."""
    return [rows for n in sizes for rows in combinations_with_replacement(range(ticks), n)]


def added(rows: Rows, ticks: int, person: int) -> set[Rows]:
    """Return the dataset with one person of 1 to `person` rows more, in every way."""
    every, new = {rows}, {rows}
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
