"""Cluster: what executors run on the parts of a table, and on the rows of persons that came together.

Each is a function of batches or of a table, and of public things, a key and nothing else; so a task
that is run again gives the same rows their words, and their persons the same part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import shake_256
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discreet.queries.bounds import IntArray
from discreet.rows.cells import Mask
from discreet.rows.columns.person import person_words
from discreet.rows.counting import Counts, Tally, Task
from discreet.rows.kernel import Estimate, Kernel, estimated
from discreet.rows.persons import ROW_WORD, SHARD_BITS, Lots, Rows, Shards, reduction

KEY = 16  # words that make a key
Batches = Iterator[pa.RecordBatch]


class KeyedLots:
    """Lots of one task of a cluster: all follow from a key, so that a task that is run again draws the same."""

    def __init__(self, key: bytes, task: int) -> None:
        """Take the key of the question and the number of the task."""
        self._key = key
        self._task = task
        self._batch = 0

    def rows(self, size: int) -> NDArray[np.uint32]:
        """Return a secret word for each of the next rows."""
        self._batch += 1
        stream = shake_256(self._key + f"rows {self._task} {self._batch}".encode()).digest(4 * size)
        return np.frombuffer(stream, dtype="<u4").astype(np.uint32) & ROW_WORD

    def persons(self, cells: Any, fold: bool) -> tuple[NDArray[np.uint64], Mask]:
        """Return the same word for equal persons, in every task of the question."""
        return person_words(cells, self._key, fold)

    def chosen(self, rows: int, size: int) -> IntArray:
        """Keep for the driver what is its own."""
        raise NotImplementedError


def key_of(lots: Lots) -> bytes:
    """Draw a key for one question; it is sent to the executors inside the code that they run."""
    return lots.rows(KEY).tobytes()


def counting(task: Task) -> Callable[[Batches], Batches]:
    """Return what counts one part of a table."""

    def count(batches: Batches) -> Batches:
        tally = Tally(task.cells, task.grid)
        kernel = Kernel(task)
        for batch in batches:
            tally += kernel.places(batch.rename_columns(task.reads))
        counts = tally.counts()
        yield pa.record_batch({"place": counts.places, "n": counts.rows})

    return count


def capping(task: Task, key: bytes, part: Callable[[], int]) -> Callable[[Batches], Batches]:
    """Return what keeps of one part of a table the rows that may count; `part` says there which one it is."""

    def cap(batches: Batches) -> Batches:
        lots = KeyedLots(key, part())
        shards = Shards(task)
        kernel = Kernel(task)
        for batch in batches:
            shards += kernel.rows(batch.rename_columns(task.reads), lots)
        for rows in shards.pruned():
            shard = (rows.persons >> np.uint64(64 - SHARD_BITS)).astype(np.int32)
            columns = [shard, rows.persons.view(np.int64), rows.words.astype(np.int32)]
            values = [value.astype(np.int64) for value in rows.values]
            yield pa.record_batch([*columns, *values], names=["shard", "person", "word", *_named(len(values))])

    return cap


def row_form(task: Task) -> str:
    """Return the columns of rows on their way to the others of their persons."""
    nobody = Rows(np.zeros(0, np.uint64), np.zeros(0, np.uint32), (np.zeros(0, np.int64),))
    values = _named(len(reduction(task).start(nobody).values))
    return ", ".join(["shard int, person long, word int", *(f"{name} long" for name in values)])


def finishing(task: Task) -> Callable[[pa.Table], pa.Table]:
    """Return what counts all persons of one shard."""

    def finish(table: pa.Table) -> pa.Table:
        persons, words, *values = (np.asarray(column.combine_chunks()) for column in table.columns[1:])
        rows = Rows(persons.view(np.uint64), words.astype(np.uint32), tuple(values))
        reduced = reduction(task)
        counts = Counts.of_places(task.cells, task.grid, reduced.places(reduced.pruned(rows)))
        return pa.table({"place": counts.places, "n": counts.rows})

    return finish


def labelling(task: Task, key: bytes, groups: int) -> Callable[[Batches], Batches]:
    """Return what gives each row of a part the secret block of its person."""

    def label(batches: Batches) -> Batches:
        lots, kernel = KeyedLots(key, 0), Kernel(task)  # no row has a word of its own
        for batch in batches:
            labels, values = kernel.blocks(batch.rename_columns(task.reads), lots, groups)
            yield pa.record_batch([labels.astype(np.int32), *values], names=["label", *_named(len(values))])

    return label


def estimating(estimate: Estimate) -> Callable[[pa.Table], pa.Table]:
    """Return what estimates one block."""

    def finish(table: pa.Table) -> pa.Table:
        label, *values = (np.asarray(column.combine_chunks()) for column in table.columns)
        (value,) = estimated([(np.zeros(label.size, np.int64), values)], estimate, 1)
        return pa.table({"label": label[:1], "value": np.array([value], np.float64)})

    return finish


def _named(values: int) -> list[str]:
    return [f"v{at}" for at in range(values)]
