"""Tables of a small world: every one of a few persons, and every pair of neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, product
from typing import Any

import pyarrow as pa
from soak import some

from discreet.lab.audit import Worst
from discreet.lab.whole_road import between, laws
from discreet.queries import Relation
from discreet.rows import Category, Filter, LocalSource, Number, Person, Schema

AMOUNT, GROUP = Number(0, 2, integer=True), Category(("a", "b"))
ROWS = (("0", "a"), ("2", "a"), ("2", "b"), ("", "b"))
TWO, SIZED = Relation(rows=2), Relation(size=2)


@dataclass(frozen=True)
class World:
    """All tables of a few persons with a few rows, or of a few rows without persons."""

    schema: Schema
    people: int
    rows: int = 1
    cells: tuple[tuple[str, str], ...] = ROWS
    names: tuple[str, ...] = ("p", "q", "r", "s", "t")
    ordered: bool = False  # whether tables that differ by the order of persons are all there

    def tables(self) -> list[tuple[tuple[tuple[str, str], ...], ...]]:
        """Return every table as the rows of each person: who has none is not in it."""
        own = [rows for n in range(self.rows + 1) for rows in combinations_with_replacement(self.cells, n)]
        if self.ordered:
            return list(product(own, repeat=self.people))
        return list(combinations_with_replacement(own, self.people))

    def table(self, rows: tuple[tuple[tuple[str, str], ...], ...]) -> pa.Table:
        """Write one of them down."""
        cells = [(*row, name) for name, own in zip(self.names, rows, strict=False) for row in own]
        columns = [pa.array([cell[i] for cell in cells], pa.large_string()) for i in range(3)]
        return pa.table(dict(zip(("x", "g", "who"), columns, strict=True)))

    def pairs(self, changed: bool, step: int = 1) -> Iterator[tuple[Any, Any]]:
        """Return every table beside those with one person less, or with one person's rows other.

        Of each so-manieth table, as many pairs share a table whose laws are computed once; in `make soak` of every one.
        """
        everything = self.tables()
        own = sorted({rows for table in everything for rows in table})
        for table in some(everything, step):
            for at, mine in enumerate(table):
                others = own if changed else [()] if mine else []
                for new in others:
                    if new != mine:
                        yield table, (*table[:at], new, *table[at + 1 :])


@dataclass
class Leaks:
    """What a question tells of the tables of a world: the laws of each table are computed once for all its pairs."""

    world: World
    request: Any
    laws: dict[Any, Any] = field(default_factory=dict)

    def of(self, rows: Any) -> Any:
        """Return the laws of what is shown of one table."""
        if rows not in self.laws:
            self.laws[rows] = laws(self.world.table(rows), self.world.schema, self.request, LocalSource)
        return self.laws[rows]

    def between(self, table: Any, other: Any) -> Worst:
        """Compare two tables, both ways."""
        return between(self.request, self.of(table), self.of(other))


ROW = World(Schema({"x": AMOUNT, "g": GROUP}), 3)
CAPPED = World(Schema({"x": AMOUNT, "g": GROUP, "who": Person()}), 2, 2)
PAIR = World(Schema({"x": AMOUNT, "g": GROUP, "who": Person(rows=2)}), 2, 2)
FEW = replace(PAIR, cells=ROWS[:2])
MEANS = World(Schema({"x": AMOUNT, "g": GROUP, "who": Person(reduce="mean")}), 2, 2)
HERE = (Filter("g", "=", "a"),)
