"""Generated: tables of a few persons who do not exist, with the columns that were declared, and their neighbours.

Cells are the ends of declared ranges, declared levels, and cells that are missing: what a table of
this shape can hold at its worst, and nothing that anybody's rows hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pyarrow as pa

from discreet.curator.request import Request
from discreet.rows.columns import Quantity
from discreet.rows.filters import comparisons
from discreet.rows.schema import Schema

PEOPLE, ROWS = 3, 2  # persons of a table, and rows of one of them at most
MOST = 24
NAMES = ("p", "q", "r", "s")
Row = tuple[int, ...]  # the place of each cell among those of its column
Rows = tuple[tuple[Row, ...], ...]  # of each person


@dataclass(frozen=True)
class Generated:
    """The columns of which a question speaks, and the cells that they may have."""

    schema: Schema
    names: tuple[str, ...]

    @classmethod
    def of(cls, request: Request, schema: Schema) -> Generated:
        """Take the columns that a question names: what it asks, groups by and filters by."""
        filtered = [each.column for each in comparisons(request.where)]
        return cls(schema, tuple(dict.fromkeys([*request.columns, *request.groups, *filtered])))

    def cells(self, name: str) -> list[Any]:
        """Return cells of a column: both ends, the middle, and one that is missing."""
        if name in self.schema.numbers:
            return _written(self.schema.numbers[name])
        levels = self.schema.categories[name].declared
        return [levels[0], levels[-1], None]

    def table(self, people: Rows) -> pa.Table:
        """Write a table down; who names the person is there where that was declared."""
        rows = [(row, name) for name, own in zip(NAMES, people, strict=False) for row in own]
        columns = {}
        for at, column in enumerate(self.names):
            cells = self.cells(column)
            values = [cells[row[at]] for row, _ in rows]
            form = pa.float64() if any(isinstance(cell, float) for cell in cells) else pa.large_string()
            columns[column] = pa.array(values, form)
        if self.schema.person is not None:
            columns[self.schema.person[0]] = pa.array([name for _, name in rows], pa.large_string())
        rest = [name for name in self.schema.used if name not in columns]
        return pa.table(columns | {name: pa.array([None] * len(rows), pa.large_string()) for name in rest})

    def pairs(self, change: bool, persons: int) -> Iterator[tuple[Rows, Rows]]:
        """Yield tables beside those with one person less, or with other rows of one person."""
        return islice(self._pairs(change, persons), MOST)

    def _pairs(self, change: bool, persons: int) -> Iterator[tuple[Rows, Rows]]:
        own = self._rows()
        for at in range(len(own) * PEOPLE):
            people = tuple(own[(at * (person + 1) + person) % len(own)] for person in range(persons))
            mine = people[-1]
            others = [own[(at + 1) % len(own)], own[(at + 3) % len(own)]] if change else [()] if mine else []
            yield from ((people, (*people[:-1], new)) for new in others if new != mine)

    def _rows(self) -> list[tuple[Row, ...]]:
        """Return what one person may have: one row, or several where several may count."""
        sizes = [len(self.cells(name)) for name in self.names]
        single = [tuple((at + place) % size for place, size in enumerate(sizes)) for at in range(max(sizes))]
        single += [tuple(at % size for size in sizes) for at in range(max(sizes))]
        rows: list[tuple[Row, ...]] = [(row,) for row in dict.fromkeys(single)]
        if self.schema.person is None:
            return rows
        more = [tuple(sorted(pair)) for pair in zip(single, [*single[1:], single[0]], strict=True)]
        return list(dict.fromkeys([*rows, *more]))


def _written(declared: Quantity) -> list[Any]:
    """Return both ends of a range and its middle, as cells; and none."""
    bounds = declared.bounds
    values: Sequence[float] = [float(bounds.value(tick)) for tick in (0, bounds.top, bounds.top // 2)]
    return [*(values if declared.numeric else [declared.shown(value) for value in values]), None]
