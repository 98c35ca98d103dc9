"""Persons: at most m rows of each, by secret random choice, or one number for each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.queries.bounds import DEFAULT_CELLS, Bounds, IntArray


@dataclass(frozen=True)
class Means:
    """The grid of one number a person: the declared range in whole parts of the declared step.

    The mean of a person's ticks lies between ticks. The parts are so fine that moving it to the
    nearest of them is nothing beside any noise, and never coarser than what was declared.
    """

    declared: Bounds

    @property
    def times(self) -> int:
        """How many parts a declared step has."""
        wide = float(self.declared.upper) - float(self.declared.lower)
        return max(1, math.ceil(DEFAULT_CELLS * float(self.declared.resolution) / wide - 1e-6))

    @cached_property
    def bounds(self) -> Bounds:
        """The finer grid, as public as the declared one."""
        given = self.declared
        return Bounds(given.lower, given.upper, float(given.resolution) / self.times)

    def ticks(self, sums: IntArray, sizes: IntArray) -> IntArray:
        """Return the nearest tick of the mean of so many declared ticks: whole numbers only."""
        start = self.bounds.ticks(np.array([self.declared.value(0)]))
        whole, rest = np.divmod(sums, sizes)
        parts = (2 * self.times * rest + sizes) // (2 * sizes)
        ticks: IntArray = np.minimum(start + self.times * whole + parts, self.bounds.top)
        return ticks


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of several persons: the secret word of the person, a secret word of the row, values."""

    persons: IntArray
    keys: NDArray[np.uint64]
    values: tuple[IntArray, ...]

    def __add__(self, other: Rows) -> Rows:
        """Put two lots of rows together."""
        values = zip(self.values, other.values, strict=True)
        return Rows(
            np.concatenate((self.persons, other.persons)),
            np.concatenate((self.keys, other.keys)),
            tuple(np.concatenate(pair) for pair in values),
        )

    def _sorted(self) -> tuple[Any, IntArray]:
        """Return the order by person and key, and the rank of each row within its person."""
        order = np.lexsort((self.keys, self.persons))
        persons = self.persons[order]
        first = np.concatenate(([True], persons[1:] != persons[:-1]))[: persons.size]
        starts = np.flatnonzero(first)
        rank = np.arange(persons.size) - np.repeat(starts, np.diff([*starts, persons.size]))
        return order, rank

    def at_most(self, m: int) -> tuple[IntArray, ...]:
        """Return the values of the m rows with the smallest secret words of every person.

        A person more or less changes nobody else's rows.
        """
        order, rank = self._sorted()
        return tuple(value[order[rank < m]] for value in self.values)

    def mean_of_each(self, means: Means) -> tuple[IntArray, ...]:
        """Return one row a person: the mean of the first value, and the others of one secret row.

        The others are codes of groups, which have no mean: a person is where the row with their
        smallest secret word is, and the mean is of their rows in that very group.
        """
        order, rank = self._sorted()
        starts = np.flatnonzero(rank == 0)
        if not starts.size:
            return self.values
        sizes = np.diff([*starts, order.size])
        values = [value[order] for value in self.values]
        here = np.ones(order.size, dtype=bool)
        for codes in values[1:]:
            here &= codes == np.repeat(codes[starts], sizes)
        sums = np.add.reduceat(np.where(here, values[0], 0), starts)
        ticks = means.ticks(sums, np.add.reduceat(here.astype(np.int64), starts))
        return (ticks, *(codes[starts] for codes in values[1:]))


def nothing(values: int) -> Rows:
    """Return no rows, to start adding from."""
    empty = np.zeros(0, dtype=np.int64)
    return Rows(empty, np.zeros(0, dtype=np.uint64), (empty,) * values)
