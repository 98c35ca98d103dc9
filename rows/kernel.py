"""Kernel: what is read of one batch of rows, by public things and lots alone; it runs wherever rows lie.

A kernel is a value that any process can be sent, and needs NumPy, Arrow and this folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discreet.queries.bounds import FloatArray, IntArray
from discreet.rows.cells import Mask
from discreet.rows.counts import Counts
from discreet.rows.lots import Lots
from discreet.rows.persons import Rows
from discreet.rows.task import Task

NARROW = 2**32  # places below this take half the room


@dataclass(frozen=True)
class Kernel:
    """A task, read of one batch: of the rows that have all values and pass all filters."""

    task: Task

    def counts(self, batch: pa.RecordBatch) -> Counts:
        """Count the rows, of whomever they are."""
        return Counts.of_places(self.task.cells, self.task.ticks, self.places(batch))

    def places(self, batch: pa.RecordBatch) -> IntArray:
        """Return where each row stands that counts: its cell and its tick as one number."""
        places, there = self._places(batch)
        counting = self._counting(batch, there)
        return places if counting.all() else places[counting]

    def lots(self, batch: pa.RecordBatch, rows: Sequence[int]) -> Counts:
        """Count lots of equal rows, of which the batch has one each, and `rows` how many they are."""
        places, there = self._places(batch)
        counting = self._counting(batch, there)
        return Counts.of_pairs(self.task.cells, self.task.grid, places[counting], np.array(rows, np.int64)[counting])

    def rows(self, batch: pa.RecordBatch, lots: Lots) -> Rows:
        """Return the same with the secret words of each row's person, and of each row."""
        assert self.task.schema.person is not None
        name, person = self.task.schema.person
        places, there = self._places(batch)
        words, (persons, named) = lots.rows(batch.num_rows), lots.persons(batch.column(name), person.fold)
        if self.task.cells * self.task.ticks <= NARROW:
            places = places.astype(np.uint32)
        rows, counting = Rows(persons, words, (places,)), self._counting(batch, [named, *there])
        return rows if counting.all() else rows[counting]

    def blocks(self, batch: pa.RecordBatch, lots: Lots, blocks: int) -> tuple[IntArray, Sequence[FloatArray]]:
        """Return the secret block of each row, by its person if one is declared, and its values."""
        words, named = self._labels(batch, lots)
        bounds = [self.task.schema.number(name).bounds for name in self.task.columns]
        ticks, there = self._ticks(batch)
        counting = self._counting(batch, [*named, *there])
        values = [b.value(t[counting]).astype(np.float64) for b, t in zip(bounds, ticks, strict=True)]
        return (words[counting] % words.dtype.type(blocks)).astype(np.int64), values

    def _labels(self, batch: pa.RecordBatch, lots: Lots) -> tuple[NDArray[np.unsignedinteger], list[Mask]]:
        """Return the word of each row's person, or its own where there are none."""
        if self.task.schema.person is None:
            return lots.rows(batch.num_rows), []
        name, person = self.task.schema.person
        words, named = lots.persons(batch.column(name), person.fold)
        return words, [named]

    def _ticks(self, batch: pa.RecordBatch) -> tuple[list[IntArray], list[Mask]]:
        """Return the ticks of each number column, and which rows have one."""
        read = [self.task.schema.number(name).ticks(batch.column(name)) for name in self.task.columns]
        return [ticks for ticks, _ in read], [there for _, there in read]

    def _places(self, batch: pa.RecordBatch) -> tuple[IntArray, list[Mask]]:
        """Return the place of each row, and which rows have each part of it."""
        ticks, there = self._ticks(batch)
        places = ticks[0] if ticks else np.zeros(batch.num_rows, dtype=np.int64)
        size = self.task.ticks
        for name in reversed(self.task.by):  # the last one runs fastest
            declared = self.task.factor(name)
            codes = declared.codes(batch.column(name))
            places = places + size * codes
            there.append(codes >= 0)
            size *= len(declared.labels)
        return places, there

    def _counting(self, batch: pa.RecordBatch, there: Sequence[Mask]) -> Mask:
        """Return which rows of a batch count."""
        schema = self.task.schema
        masks = [*there, *(condition.mask(batch, schema) for condition in self.task.where)]
        return np.logical_and.reduce(masks) if masks else np.ones(batch.num_rows, dtype=bool)
