"""OneColumn: one number column as what a mechanism asks of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from discreet.budget.phrase import Phrase
from discreet.mechanisms.view import Asking, PrivateRows, View, Words
from discreet.queries import Bounds, Column, Query
from discreet.queries.query import Location


@dataclass(frozen=True)
class OneColumn(View):
    """One number column, for a statistic, or without one for what a mechanism asks by itself."""

    groups: ClassVar[bool] = True

    query: Query | None = None
    size: int | None = None

    @property
    def public_rows(self) -> int | None:
        """The public number of rows, where there is one."""
        return self.size

    @property
    def asks(self) -> Phrase | None:
        """The statistic, with its level where it has one."""
        return None if self.query is None else self.query.words

    @property
    def place(self) -> bool:
        """Whether the statistic is one."""
        return isinstance(self.query, Location)

    def range(self, bounds: Bounds | None) -> tuple[float, float]:
        """Return between what the statistic lies for every column within the bounds."""
        if self.query is None or bounds is None:
            return super().range(bounds)
        return float(self.query.low(bounds)), float(self.query.high(bounds))

    def read(self, rows: PrivateRows, question: Asking, lots: Any) -> Column:
        """Read the column."""
        (name,) = question.columns
        return rows.column(name, question.where, lots, size=question.public_rows)

    def stand_in(self, column: Column, noise: Words) -> Column:
        """Take the column itself."""
        return column

    def truth(self, data: Column) -> float | None:
        """Return the value of the statistic."""
        return None if self.query is None else float(self.query.value(data))

    def unit(self, column: str) -> str:
        """Return the unit of the statistic."""
        return column if self.query is None else self.query.unit(column)

    def shaped(self) -> list[Phrase]:
        """Say to how many rows the column is brought."""
        if self.size is None:
            return []
        return [Phrase("cut by secret chance, or filled up with a public value, to {size} rows", size=self.size)]
