"""Counting: a task describes what is to be counted; its counts are exact integers on ticks."""

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
from discreet.queries.column import Pairs
from discreet.rows.columns import Factor, Kind, Person
from discreet.rows.columns.grouping import Grouping, grouping_of, plain_groups, source_of, sources
from discreet.rows.columns.readings import Readings
from discreet.rows.filters import Condition, comparisons, condition_of
from discreet.rows.schema import Schema

# --- Task: what is to be counted, as a frozen value of public parameters. It contains no rows. ---

MOST_CELLS = 2**20


@dataclass(frozen=True)
class Task:
    """Rows that pass all filters and have all values, by the levels of categories and the tick of a number.

    A cell is one level of each category of `by`, numbered with the last category running fastest. A number column is
    counted by its ticks, several by all of theirs together, the last one running fastest; blocks read the values
    instead. The declarations of all columns that are read, the person's included, are part of the task.
    """

    columns: tuple[str, ...]
    by: tuple[Grouping, ...]
    where: tuple[Condition, ...]
    declared: tuple[tuple[str, Kind], ...]
    how_read: bool = False  # whether cells of `by` are distinguished by how they are read, and not by their level

    def __post_init__(self) -> None:
        """Raise ParameterError for what cannot be counted."""
        for name in self.columns:
            self.schema.number(name)
        if self.cells > MOST_CELLS:
            raise ParameterError(
                "These categories make too many groups to count. Use fewer of them, or fewer allowed values."
            )

    @classmethod
    def of(
        cls,
        schema: Schema,
        columns: Sequence[str] = (),
        by: Sequence[Grouping] = (),
        where: Sequence[Condition] = (),
        how_read: bool = False,
    ) -> Self:
        """Build a task from a declaration, with the declarations of the columns that it reads."""
        person = [schema.person[0]] if schema.person else []
        names = dict.fromkeys([*columns, *sources(by), *person, *(each.column for each in comparisons(where))])
        every = dict.fromkeys(each for name in names for each in (name, *schema.sources(name)))
        declared = tuple((name, schema.columns[name]) for name in every if name in schema.columns)
        return cls(tuple(columns), tuple(by), tuple(where), declared, how_read)

    @cached_property
    def schema(self) -> Schema:
        """The declarations of the columns that are read."""
        return Schema(dict(self.declared))

    @property
    def reads(self) -> list[str]:
        """The names of all columns that are read."""
        return [name for name, declared in self.declared if not declared.derived_from]

    @cached_property
    def on_ticks(self) -> set[str]:
        """The columns of which every tick matters: those that are counted, and those that others are derived from."""
        return {*self.columns, *(each for name in self.schema.derived for each in self.schema.sources(name))}

    @property
    def person(self) -> Person | None:
        """The declaration of the person column, or None."""
        return self.schema.person[1] if self.schema.person else None

    @property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """The labels of each category."""
        return tuple(self.factor(name).labels for name in self.by)

    def factor(self, name: Grouping) -> Factor:
        """Return the factor that assigns the cells of a column to levels."""
        return Readings(self.schema.columns[source_of(name)]) if self.how_read else self.schema.category(name)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return math.prod(map(len, self.levels))

    @property
    def bounds(self) -> tuple[Bounds, ...]:
        """The grids on which numbers are read; none where rows are counted."""
        return tuple(self.schema.number(name).bounds for name in self.columns)

    @property
    def ticks(self) -> int:
        """The number of ticks of a cell as rows are read."""
        return math.prod(bounds.top + 1 for bounds in self.bounds)

    @property
    def grid(self) -> int:
        """The number of ticks of a cell as results are counted: larger where each person counts as one mean."""
        return math.prod(self.schema.bounds(name).top + 1 for name in self.columns)

    def to_json(self) -> str:
        """Serialise the task as text that `from_json` parses exactly."""
        where = [condition.plain() for condition in self.where]
        plain = {
            "columns": self.columns,
            "by": plain_groups(self.by),
            "where": where,
            "declared": json.loads(self.schema.to_json()),
        }
        return json.dumps(plain | {"how_read": self.how_read}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse a serialised task."""
        plain: dict[str, Any] = json.loads(text)
        schema = Schema.from_json(json.dumps(plain["declared"]))
        where = tuple(map(condition_of, plain["where"]))
        declared = tuple(schema.columns.items())
        return cls(tuple(plain["columns"]), tuple(map(grouping_of, plain["by"])), where, declared, plain["how_read"])


# --- Counts: the number of rows on each tick of each cell, as exact integers ---

DENSE = 2**24  # up to this many places, an array of all places is used
FEW = 4  # places per row above which adding rows one by one is cheaper than adding arrays of all places
PENDING = 2**22  # places to buffer before sorting


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
        """Count places in any order, each with its number of rows; a place may occur several times."""
        return cls.none(cells, ticks) + cls(cells, ticks, places.astype(np.int64), rows)

    @classmethod
    def none(cls, cells: int, ticks: int) -> Counts:
        """Return empty counts, to start adding from."""
        return cls(cells, ticks, np.zeros(0, np.int64), np.zeros(0, np.int64))

    def __add__(self, other: Counts) -> Counts:
        """Merge the counts of two disjoint parts of the rows."""
        places = np.concatenate((self.places, other.places))
        order = np.argsort(places, kind="stable")  # two ascending runs are merged
        places = places[order]
        first = _firsts(places)
        if not places.size:
            return self
        rows = np.add.reduceat(np.concatenate((self.rows, other.rows))[order], np.flatnonzero(first))
        return Counts(self.cells, self.ticks, places[first], rows)

    def columns(self, bounds: Bounds) -> list[Column]:
        """Return the column of every cell, including empty ones."""
        return [Column.from_pairs(bounds, ticks, rows) for ticks, rows in self._cut()]

    def _cut(self) -> list[tuple[IntArray, IntArray]]:
        """Return the ticks of every cell, and the rows on each."""
        starts = range(0, self.cells * self.ticks, self.ticks)
        ends = np.searchsorted(self.places, np.array([*starts, self.cells * self.ticks], dtype=np.int64))
        cut = zip(starts, pairwise(ends.tolist()), strict=True)
        return [(self.places[low:high] - start, self.rows[low:high]) for start, (low, high) in cut]

    def pairs(self, first: Bounds, second: Bounds) -> list[Pairs]:
        """Return the pairs of ticks of every cell, including empty ones."""
        size = second.top + 1
        columns = self._cut()
        return [Pairs(first, second, ticks // size, ticks % size, rows) for ticks, rows in columns]

    def by_cell(self) -> IntArray:
        """Return the number of rows of each cell."""
        totals = np.zeros(self.cells, dtype=np.int64)
        np.add.at(totals, self.places // self.ticks, self.rows)
        return totals


class Tally:
    """Counts being accumulated batch by batch; nothing of a batch is kept."""

    def __init__(self, cells: int, ticks: int) -> None:
        """Start with no rows."""
        self._cells = cells
        self._ticks = ticks
        size = cells * ticks
        self._dense = np.zeros(size, dtype=np.int64) if size <= DENSE else None
        self._sum = Counts.none(cells, ticks)
        self._waiting = list[NDArray[np.integer]]()
        self._rows = 0

    def __iadd__(self, places: NDArray[np.integer]) -> Tally:
        """Count the places of further rows."""
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
        """Return the counts of all rows so far."""
        if self._dense is None:
            self._settle()
            return self._sum
        occupied = np.flatnonzero(self._dense != 0)
        return Counts(self._cells, self._ticks, occupied, self._dense[occupied])

    def _settle(self) -> None:
        """Sort the buffer. It is as large as the sorted part, so on average a row is sorted at most twice."""
        if self._waiting:
            waiting, self._waiting, self._rows = np.concatenate(self._waiting), [], 0
            self._sum += Counts.of_places(self._cells, self._ticks, waiting)


def _firsts(ascending: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which of some sorted numbers differ from the one before."""
    first = np.ones(ascending.size, dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    return first
