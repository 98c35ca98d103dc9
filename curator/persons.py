"""Persons: at most m rows of each, by secret random choice, or one number for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from queries.bounds import IntArray

Mask = NDArray[np.bool_]


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
        kept = order[rank < m]
        return tuple(value[kept] for value in self.values)

    def mean_of_each(self) -> tuple[IntArray, ...]:
        """Return one row a person: the mean of the first value, and one row of the others."""
        order, rank = self._sorted()
        starts = np.flatnonzero(rank == 0)
        if not starts.size:
            return self.values
        sums = np.add.reduceat(self.values[0][order], starts)
        sizes = np.diff([*starts, order.size])
        others = tuple(value[order[starts]] for value in self.values[1:])
        return (sums // sizes, *others)


def nothing(values: int) -> Rows:
    """Return no rows, to start adding from."""
    empty = np.zeros(0, dtype=np.int64)
    return Rows(empty, np.zeros(0, dtype=np.uint64), (empty,) * values)
