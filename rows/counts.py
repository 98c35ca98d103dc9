"""Counts: how many rows stand on each tick of each cell, as exact whole numbers.

What is read of rows is this, wherever they lie: whoever holds a part of them counts it, and counts
of parts are added. They take no more room than there are different places, and never more than
there are rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from discreet.queries import Column
from discreet.queries.bounds import Bounds, IntArray

DENSE = 2**24  # up to so many places each is counted in an array of all
FEW = 4  # places a row, from which on it is cheaper to add rows one by one than arrays of all places
PENDING = 2**22  # places that wait to be sorted


@dataclass(frozen=True, eq=False)
class Counts:
    """The occupied places in ascending order, and the rows on each; place = cell * ticks + tick. Private."""

    cells: int
    ticks: int
    places: IntArray = field(repr=False)
    rows: IntArray = field(repr=False)

    @classmethod
    def of_places(cls, cells: int, ticks: int, places: NDArray[np.integer]) -> Counts:
        """Count places in any order."""
        ascending = np.sort(places)
        first = _firsts(ascending)
        rows = np.diff(np.append(np.flatnonzero(first), ascending.size))
        return cls(cells, ticks, ascending[first].astype(np.int64), rows)

    @classmethod
    def of_pairs(cls, cells: int, ticks: int, places: NDArray[np.integer], rows: IntArray) -> Counts:
        """Count places in any order, each with how many rows stand on it; one may come again."""
        return cls.none(cells, ticks) + cls(cells, ticks, places.astype(np.int64), rows)

    @classmethod
    def none(cls, cells: int, ticks: int) -> Counts:
        """Count nothing, to start adding from."""
        return cls(cells, ticks, np.zeros(0, np.int64), np.zeros(0, np.int64))

    def __add__(self, other: Counts) -> Counts:
        """Put the counts of two parts of the rows together."""
        places = np.concatenate((self.places, other.places))
        order = np.argsort(places, kind="stable")  # two ascending runs are merged
        places = places[order]
        first = _firsts(places)
        if not places.size:
            return self
        rows = np.add.reduceat(np.concatenate((self.rows, other.rows))[order], np.flatnonzero(first))
        return Counts(self.cells, self.ticks, places[first], rows)

    def columns(self, bounds: Bounds) -> list[Column]:
        """Return the column of every cell, empty ones as well."""
        ends = np.searchsorted(self.places, np.arange(self.cells + 1) * self.ticks)
        starts = range(0, self.cells * self.ticks, self.ticks)
        return [
            Column.from_pairs(bounds, self.places[low:high] - start, self.rows[low:high])
            for start, (low, high) in zip(starts, pairwise(ends.tolist()), strict=True)
        ]

    def by_cell(self) -> IntArray:
        """Return how many rows each cell has."""
        totals = np.zeros(self.cells, dtype=np.int64)
        np.add.at(totals, self.places // self.ticks, self.rows)
        return totals


class Tally:
    """Counts in the making: batch after batch is added, and nothing of a batch is kept."""

    def __init__(self, cells: int, ticks: int) -> None:
        """Begin with no rows."""
        self._cells, self._ticks = cells, ticks
        size = cells * ticks
        self._dense = np.zeros(size, dtype=np.int64) if size <= DENSE else None
        self._sum = Counts.none(cells, ticks)
        self._waiting, self._rows = list[NDArray[np.integer]](), 0

    def __iadd__(self, places: NDArray[np.integer]) -> Tally:
        """Count the places of some more rows."""
        if self._dense is None:
            self._waiting.append(places)
            self._rows += places.size
            if self._rows >= max(PENDING, self._sum.places.size):
                self._settle()
        elif self._dense.size <= FEW * places.size:
            self._dense += np.bincount(places, minlength=self._dense.size)
        else:
            np.add.at(self._dense, places, 1)
        return self

    def counts(self) -> Counts:
        """Return all that was counted."""
        if self._dense is None:
            self._settle()
            return self._sum
        occupied = np.flatnonzero(self._dense)
        return Counts(self._cells, self._ticks, occupied, self._dense[occupied])

    def _settle(self) -> None:
        """Sort what waits; it is as much as is settled already, so a row is sorted twice at most on average."""
        if self._waiting:
            waiting, self._waiting, self._rows = np.concatenate(self._waiting), [], 0
            self._sum += Counts.of_places(self._cells, self._ticks, waiting)


def _firsts(ascending: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Say which of some numbers in order differ from the one before."""
    first = np.ones(ascending.size, dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    return first
