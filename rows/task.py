"""Task: what is to be counted, as a frozen value of public things. Engines read it; no rows are in it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from discreet.budget.errors import ParameterError
from discreet.queries.bounds import Bounds
from discreet.rows.columns import Factor, Kind, Person
from discreet.rows.columns.readings import Readings
from discreet.rows.filters import Condition, comparisons, condition_of
from discreet.rows.schema import Schema

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
