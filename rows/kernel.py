"""Kernel: what is read of one batch of rows, by public things and lots alone; it runs wherever rows lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.queries.bounds import IntArray
from discreet.rows.cells import Mask
from discreet.rows.filters import Filter
from discreet.rows.lots import Lots
from discreet.rows.persons import Rows
from discreet.rows.schema import Schema

Where = Sequence[Filter]
Reader = Callable[[Any], tuple[IntArray, Mask]]  # cells become ticks or codes, and which rows have one


@dataclass(frozen=True)
class Kernel:
    """Some columns, each with its reader, of the rows that have all values and pass all filters."""

    schema: Schema
    readers: tuple[tuple[str, Reader], ...]
    where: Where

    @classmethod
    def of_numbers(cls, schema: Schema, names: Sequence[str], where: Where) -> Kernel:
        """Read columns as ticks."""
        return cls(schema, tuple((name, schema.number(name).ticks) for name in names), where)

    def with_category(self, name: str) -> Kernel:
        """Read one more column, as codes of its levels."""
        codes = self.schema.category(name).codes

        def read(cells: Any) -> tuple[IntArray, Mask]:
            code = codes(cells)
            return code, code >= 0

        return Kernel(self.schema, (*self.readers, (name, read)), self.where)

    @property
    def columns(self) -> list[str]:
        """The names of all columns that are needed."""
        person = [self.schema.person[0]] if self.schema.person else []
        return list(dict.fromkeys([*(name for name, _ in self.readers), *person, *(f.column for f in self.where)]))

    @property
    def empty(self) -> tuple[IntArray, ...]:
        """What is read of no rows."""
        return (np.zeros(0, dtype=np.int64),) * len(self.readers)

    def values(self, batch: pa.RecordBatch) -> list[tuple[IntArray, ...]]:
        """Return the values of the rows that count, as one part of many."""
        read = [reader(batch.column(name)) for name, reader in self.readers]
        counting = self._counting(batch, [there for _, there in read])
        if counting.all():
            return [tuple(values for values, _ in read)]
        return [tuple(values[counting] for values, _ in read)]

    def rows(self, batch: pa.RecordBatch, lots: Lots) -> Rows:
        """Return the same with the secret words of each row: of its person (its own if nobody is named), its own."""
        read = [reader(batch.column(name)) for name, reader in self.readers]
        keys = lots.rows(batch.num_rows)
        persons, named = keys.astype(np.int64), np.ones(batch.num_rows, dtype=bool)
        if self.schema.person is not None:
            name, person = self.schema.person
            persons, named = lots.persons(batch.column(name), person.fold)
        counting = self._counting(batch, [named, *(there for _, there in read)])
        return Rows(persons[counting], keys[counting], tuple(values[counting] for values, _ in read))

    def _counting(self, batch: pa.RecordBatch, there: Sequence[Mask]) -> Mask:
        """Return which rows of a batch count."""
        return np.asarray(np.logical_and.reduce([*there, *(f.mask(batch, self.schema) for f in self.where)]))
