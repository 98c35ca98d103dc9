"""Kernel: the computation on one batch of rows, from public parameters and lots alone, wherever rows are stored.

A kernel is a value that can be sent to any process; it needs NumPy, Arrow and this folder only.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from numpy.typing import NDArray

from discreet.queries.bounds import FloatArray, IntArray
from discreet.rows.capacity import MIB
from discreet.rows.cells import Mask, shortened
from discreet.rows.columns.derivation import with_derived
from discreet.rows.columns.grouping import source_of
from discreet.rows.counting import Counts, Task
from discreet.rows.persons import Lots, Rows

# --- Batches: rows of a file in pieces that are small enough to be written out ---

HEAVIEST = 256 * MIB  # bytes that the texts of one batch may take


def batches(rows: ds.Dataset, columns: Sequence[str], most: int) -> Iterator[pa.RecordBatch]:
    """Read columns in batches of at most `most` rows.

    Read-ahead threads would buffer up to a gigabyte ahead of a slow query.
    """
    scanner = rows.scanner(
        columns=list(columns), batch_size=most, batch_readahead=1, fragment_readahead=1, use_threads=False
    )
    for batch in scanner.to_batches():
        yield from _light(shortened(batch))


def first(rows: ds.Dataset, columns: Sequence[str], most: int, size: int) -> pa.Table:
    """Return the first rows, dictionary texts written out, reading at most `size` rows at a time."""
    table = rows.head(most, columns=list(columns), batch_size=max(min(most, size), 1), batch_readahead=0)
    return table.cast(pa.schema([(column.name, _written(column.type)) for column in table.schema]))


def _written(form: pa.DataType) -> pa.DataType:
    return form.value_type if pa.types.is_dictionary(form) else form


def _light(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Halve a batch until its dictionary texts, written out, are small enough."""
    if batch.num_rows < 2 or sum(map(_written_out, batch.columns)) <= HEAVIEST:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _light(batch.slice(0, half))
    yield from _light(batch.slice(half))


def _written_out(cells: pa.Array) -> int:
    """Return the bytes of dictionary-encoded texts when written out, or 0 for other cells."""
    if not pa.types.is_dictionary(cells.type):
        return 0
    try:
        lengths = pc.binary_length(cells.dictionary)
    except pa.ArrowNotImplementedError:  # dictionaries of numbers
        return 0
    if len(cells) * (pc.max(lengths).as_py() or 0) <= HEAVIEST:
        return 0
    return pc.sum(lengths.take(cells.indices)).as_py() or 0


NARROW = 2**32  # places below this need half the memory


@dataclass(frozen=True)
class Kernel:
    """A task applied to one batch: to the rows that have all values and pass all filters."""

    task: Task

    def counts(self, batch: pa.RecordBatch) -> Counts:
        """Count the rows, regardless of persons."""
        return Counts.of_places(self.task.cells, self.task.ticks, self.places(batch))

    def places(self, batch: pa.RecordBatch) -> IntArray:
        """Return the place of each row that counts: its cell and its tick as one number."""
        batch = with_derived(batch, self.task.schema.columns)
        places, there = self._places(batch)
        counting = self._counting(batch, there)
        return places if counting.all() else places[counting]

    def lots(self, batch: pa.RecordBatch, rows: Sequence[int]) -> Counts:
        """Count groups of equal rows: the batch contains one row of each, and `rows` the sizes of the groups."""
        batch = with_derived(batch, self.task.schema.columns)
        places, there = self._places(batch)
        counting = self._counting(batch, there)
        return Counts.of_pairs(self.task.cells, self.task.grid, places[counting], np.array(rows, np.int64)[counting])

    def rows(self, batch: pa.RecordBatch, lots: Lots) -> Rows:
        """Return the places with the secret words of each row and of its person."""
        assert self.task.schema.person is not None
        name, person = self.task.schema.person
        batch = with_derived(batch, self.task.schema.columns)
        places, there = self._places(batch)
        words, (persons, named) = lots.rows(batch.num_rows), lots.persons(batch.column(name), person.fold)
        if self.task.cells * self.task.ticks <= NARROW:
            places = places.astype(np.uint32)
        rows = Rows(persons, words, (places,))
        counting = self._counting(batch, [named, *there])
        return rows if counting.all() else rows[counting]

    def blocks(self, batch: pa.RecordBatch, lots: Lots, blocks: int) -> tuple[IntArray, Sequence[FloatArray]]:
        """Return the secret block of each row, by its person if one is declared, and its values."""
        batch = with_derived(batch, self.task.schema.columns)
        words, named = self._labels(batch, lots)
        ticks, there = self._ticks(batch)
        counting = self._counting(batch, [*named, *there])
        values = [b.value(t[counting]).astype(np.float64) for b, t in zip(self.task.bounds, ticks, strict=True)]
        return (words[counting] % words.dtype.type(blocks)).astype(np.int64), values

    def _labels(self, batch: pa.RecordBatch, lots: Lots) -> tuple[NDArray[np.unsignedinteger], list[Mask]]:
        """Return the word of each row's person, or of the row if no person is declared."""
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
        for bounds, more in zip(self.task.bounds[1:], ticks[1:], strict=True):  # the last one runs fastest
            places = places * (bounds.top + 1) + more
        size = self.task.ticks
        for name in reversed(self.task.by):  # the last one runs fastest
            declared = self.task.factor(name)
            codes = declared.codes(batch.column(source_of(name)))
            places = places + size * codes
            there.append(codes >= 0)
            size *= len(declared.labels)
        return places, there

    def _counting(self, batch: pa.RecordBatch, there: Sequence[Mask]) -> Mask:
        """Return which rows of a batch count."""
        schema = self.task.schema
        masks = [*there, *(condition.mask(batch, schema) for condition in self.task.where)]
        return np.logical_and.reduce(masks) if masks else np.ones(batch.num_rows, dtype=bool)


# --- Groups: rows with secret labels are collected, whatever order they were read in ---

Assign = Callable[[pa.RecordBatch], tuple[IntArray, Sequence[NDArray[Any]]]]
Estimate = Callable[..., Any]


def estimated(parts: Sequence[tuple[IntArray, Sequence[NDArray[Any]]]], estimate: Estimate, groups: int) -> list[Any]:
    """Estimate every group of labelled rows; the result does not depend on the reading order, bit for bit."""
    if not parts:
        return [estimate() for _ in range(groups)]
    labels = np.concatenate([labels for labels, _ in parts])
    values = [np.concatenate(piece) for piece in zip(*(v for _, v in parts), strict=True)]
    order = np.argsort(labels, kind="stable")
    ends = np.searchsorted(labels[order], np.arange(groups + 1))
    columns = [column[order] for column in values]
    return [estimate(*_in_order([column[ends[g] : ends[g + 1]] for column in columns])) for g in range(groups)]


def _in_order(columns: list[NDArray[Any]]) -> list[NDArray[Any]]:
    if len(columns) < 2:
        return [np.sort(column) for column in columns]
    order = np.lexsort(columns)
    return [column[order] for column in columns]


# --- Estimates: an estimator on one block; it may raise any error ---


def estimate_of(estimator: Callable[..., Any], default: float) -> Callable[..., float]:
    """Return a function that estimates from a block, with the public default where that gives no number."""

    def estimate(*values: FloatArray) -> float:
        number = _tried(estimator, values)
        return default if number is None else number

    return estimate


def _tried(estimator: Callable[..., Any], values: Sequence[FloatArray]) -> float | None:
    """Run an estimator on its own block; any error gives None."""
    if not values or not values[0].size:
        return None
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = float(estimator(*values))
    except Exception:
        return None
    return value if np.isfinite(value) else None
