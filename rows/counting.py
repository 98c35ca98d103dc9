"""Counting: a task says what is to be counted; its counts are exact whole numbers on ticks."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError
from discreet.queries import Column
from discreet.queries.bounds import Bounds, IntArray
from discreet.rows.columns import Factor, Kind, Person
from discreet.rows.columns.readings import Readings
from discreet.rows.filters import Condition, comparisons, condition_of
from discreet.rows.schema import Schema

# Task: what is to be counted, as a frozen value of public things. Engines read it; no rows are in it.

MOST_CELLS = 2**20


@dataclass(frozen=True)
class Task:
    """Rows that pass all filters and have all values, by the levels of categories and the tick of a number.

    A cell is one level of each category of `by`, numbered with the last one running fastest. One
    number column is counted by its ticks; several are read together, into blocks. What is declared
    of every column that is read, a person's as well, comes along.
    """

    columns: tuple[str, ...]
    by: tuple[str, ...]
    where: tuple[Condition, ...]
    declared: tuple[tuple[str, Kind], ...]
    how_read: bool = False  # whether cells of `by` are told apart by how they are read, and not by their level

    def __post_init__(self) -> None:
        """Refuse what cannot be counted."""
        for name in self.columns:
            self.schema.number(name)
        if self.cells > MOST_CELLS:
            raise ParameterError(
                "These categories make more groups than can be counted at once. Use fewer of them, or fewer levels."
            )

    @classmethod
    def of(
        cls,
        schema: Schema,
        columns: Sequence[str] = (),
        by: Sequence[str] = (),
        where: Sequence[Condition] = (),
        how_read: bool = False,
    ) -> Self:
        """Take from a declaration what is needed of it."""
        person = [schema.person[0]] if schema.person else []
        names = dict.fromkeys([*columns, *by, *person, *(each.column for each in comparisons(where))])
        declared = tuple((name, schema.columns[name]) for name in names if name in schema.columns)
        return cls(tuple(columns), tuple(by), tuple(where), declared, how_read)

    @cached_property
    def schema(self) -> Schema:
        """What is declared of the columns that are read."""
        return Schema(dict(self.declared))

    @property
    def reads(self) -> list[str]:
        """The names of all columns that are read."""
        return [name for name, _ in self.declared]

    @property
    def person(self) -> Person | None:
        """What is declared of persons."""
        return self.schema.person[1] if self.schema.person else None

    @property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """The labels of each category."""
        return tuple(self.factor(name).labels for name in self.by)

    def factor(self, name: str) -> Factor:
        """Return what tells the cells of a column apart."""
        return Readings(self.schema.columns[name]) if self.how_read else self.schema.category(name)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return math.prod(map(len, self.levels))

    @property
    def bounds(self) -> Bounds | None:
        """The grid on which a number is read; None where rows are counted."""
        return self.schema.number(self.columns[0]).bounds if self.columns else None

    @property
    def ticks(self) -> int:
        """How many ticks a cell has where rows are read."""
        return self.bounds.top + 1 if self.bounds else 1

    @property
    def grid(self) -> int:
        """How many ticks a cell has where rows are counted: more where a person is one mean."""
        return self.schema.bounds(self.columns[0]).top + 1 if self.columns else 1

    def to_json(self) -> str:
        """Write it as text that `from_json` reads back exactly."""
        where = [condition.plain() for condition in self.where]
        plain = {"columns": self.columns, "by": self.by, "where": where, "declared": json.loads(self.schema.to_json())}
        return json.dumps(plain | {"how_read": self.how_read}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read it back."""
        plain: dict[str, Any] = json.loads(text)
        schema = Schema.from_json(json.dumps(plain["declared"]))
        where = tuple(map(condition_of, plain["where"]))
        declared = tuple(schema.columns.items())
        return cls(tuple(plain["columns"]), tuple(plain["by"]), where, declared, plain["how_read"])


# Counts: how many rows stand on each tick of each cell, as exact whole numbers.

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
        self._cells = cells
        self._ticks = ticks
        size = cells * ticks
        self._dense = np.zeros(size, dtype=np.int64) if size <= DENSE else None
        self._sum = Counts.none(cells, ticks)
        self._waiting = list[NDArray[np.integer]]()
        self._rows = 0

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
