"""Tables: all tables of a small world of few persons, and all pairs of neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Any

import pyarrow as pa

from discreet.budget import Cost, SessionLedger
from discreet.budget.ledger import Entry
from discreet.curator import Curator, FixedPlan
from discreet.evidence.audit import Worst
from discreet.evidence.whole_road import between, laws
from discreet.mechanisms.laws.divergence import Weighted
from discreet.mechanisms.laws.law import Product
from discreet.queries import Relation
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, Person, Schema
from support.soak import some

AMOUNT, GROUP = Number(0, 2, integer=True), Category(("a", "b"))
PLACE = Category(("u", "v"))
ROWS = (("0", "a"), ("2", "a"), ("2", "b"), ("", "b"))
CROSSED = (("0", "a", "u"), ("2", "a", "v"), ("2", "b", "u"))
TWO, SIZED = Relation(rows=2), Relation(size=2)
LIMIT = Cost.of(50, "0.49")
Rows = tuple[tuple[str, ...], ...]


def charged(dataset: Dataset, question: Any) -> Entry:
    """Ask, and return the entry that the ledger wrote before a row was read."""
    curator = Curator(dataset, SessionLedger(LIMIT), tick=0)
    (curator.run if isinstance(question, FixedPlan) else curator.ask)(question)
    return curator.ledger.entries[0]


@dataclass(frozen=True)
class Paid:
    """A query whose cost is what the ledger charged, and for a refusal the part that stays charged."""

    entry: Entry

    def cost(self) -> Cost:
        """Return the whole charge."""
        return self.entry.cost + self.entry.held

    def refusal_holds(self, first: Weighted, second: Weighted) -> bool:
        """Whether the part that stays charged covers the event of no result at all."""
        chances, cost = (
            [sum(weight * _refusal(law) for weight, law in each) for each in (first, second)],
            self.entry.cost,
        )
        return max(chances) <= math.exp(cost.epsilon) * min(chances) + cost.delta + 1e-9


def _refusal(law: Any) -> float:
    parts = law.parts if isinstance(law, Product) else (law,)
    return math.prod(
        _refusal(part) if isinstance(part, Product) else float(getattr(part, "refusal", 0.0)) for part in parts
    )


@dataclass(frozen=True)
class World:
    """All tables of a few persons with a few rows, or of a few rows without persons."""

    schema: Schema
    people: int
    rows: int = 1
    cells: Rows = ROWS
    names: tuple[str, ...] = ("p", "q", "r", "s", "t")
    ordered: bool = False  # whether tables that differ in the order of persons are all included

    def tables(self) -> list[tuple[Rows, ...]]:
        """Return every table as the rows of each person; a person without rows is absent."""
        own = [rows for n in range(self.rows + 1) for rows in combinations_with_replacement(self.cells, n)]
        if self.ordered:
            return list(product(own, repeat=self.people))
        return list(combinations_with_replacement(own, self.people))

    def table(self, rows: tuple[Rows, ...]) -> pa.Table:
        """Return one of them as a table."""
        cells = [(*row, name) for name, own in zip(self.names, rows, strict=False) for row in own]
        names = (*("x", "g", "h")[: len(self.cells[0])], "who")
        columns = [pa.array([cell[i] for cell in cells], pa.large_string()) for i in range(len(names))]
        return pa.table(dict(zip(names, columns, strict=True)))

    def pairs(self, changed: bool, step: int = 1) -> Iterator[tuple[Any, Any]]:
        """Yield every table beside those with one person less, or with one person's rows changed.

        For every n-th table, because as many pairs share a table whose distributions are computed once; in `make soak`
        for every table.
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
    """The privacy loss of a query over a world: the distributions of each table are computed once for all pairs."""

    world: World
    request: Any
    laws: dict[Any, Any] = field(default_factory=dict)

    def of(self, rows: Any) -> Any:
        """Return the distributions of the visible result for one table."""
        if rows not in self.laws:
            self.laws[rows] = laws(self.world.table(rows), self.world.schema, self.request, LocalSource)
        return self.laws[rows]

    @cached_property
    def paid(self) -> Paid:
        """The charge in the ledger, which does not depend on the table."""
        return Paid(charged(Dataset(LocalSource(self.world.table(())), self.world.schema), self.request))

    def between(self, table: Any, other: Any) -> Worst:
        """Compare two tables in both directions."""
        first, second = self.of(table), self.of(other)
        if not self.paid.refusal_holds(first, second):
            return Worst(1.0, 0.0, (first, second))
        return between(self.paid, first, second)


ROW = World(Schema({"x": AMOUNT, "g": GROUP}), 3)
CAPPED = World(Schema({"x": AMOUNT, "g": GROUP, "who": Person()}), 2, 2)
PAIR = World(Schema({"x": AMOUNT, "g": GROUP, "who": Person(rows=2)}), 2, 2)
TRIPLE = World(Schema({"x": AMOUNT, "g": GROUP, "h": PLACE, "who": Person(rows=3)}), 2, 3, CROSSED)
DOUBLE = World(Schema({"x": AMOUNT, "g": GROUP, "h": PLACE, "who": Person(rows=2)}), 2, 2, CROSSED)
FEW = replace(PAIR, cells=ROWS[:2])
MEANS = World(Schema({"x": AMOUNT, "g": GROUP, "who": Person(reduce="mean")}), 2, 2)
HERE = (Filter("g", "=", "a"),)
