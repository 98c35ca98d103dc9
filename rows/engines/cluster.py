"""Cluster: what executors run on the partitions of a table, and on the collected rows of each person.

Each function depends on batches or a table, on public values and on a key, and on nothing else. A task that is run
again therefore gives rows the words they had before, and persons the part they had before.
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

KEY = 16  # number of words that form a key
Batches = Iterator[pa.RecordBatch]


class KeyedLots:
    """Lots of one task of a cluster, all derived from a key, so that a task that is run again draws equal ones."""

    def __init__(self, key: bytes, task: int) -> None:
        """Take the key of the query and the number of the task."""
        self._key = key
        self._task = task
        self._batch = 0

    def rows(self, size: int) -> NDArray[np.uint32]:
        """Return a secret word for each of the next rows."""
        self._batch += 1
        stream = shake_256(self._key + f"rows {self._task} {self._batch}".encode()).digest(4 * size)
        return np.frombuffer(stream, dtype="<u4").astype(np.uint32) & ROW_WORD

    def persons(self, cells: Any, fold: bool) -> tuple[NDArray[np.uint64], Mask]:
        """Return equal words for equal persons, in every task of the query."""
        return person_words(cells, self._key, fold)

    def chosen(self, rows: int, size: int) -> IntArray:
        """Raise NotImplementedError: only the driver chooses rows."""
        raise NotImplementedError


def key_of(lots: Lots) -> bytes:
    """Draw a key for one query; it is sent to the executors inside the code that they run."""
    return lots.rows(KEY).tobytes()


def counting(task: Task) -> Callable[[Batches], Batches]:
    """Return a function that counts one partition of a table."""

    def count(batches: Batches) -> Batches:
        tally = Tally(task.cells, task.grid)
        kernel = Kernel(task)
        for batch in batches:
            tally += kernel.places(batch.rename_columns(task.reads))
        counts = tally.counts()
        yield pa.record_batch({"place": counts.places, "n": counts.rows})

    return count


def capping(task: Task, key: bytes, part: Callable[[], int]) -> Callable[[Batches], Batches]:
    """Return a function that keeps the rows of a partition that may count; `part` returns its number there."""

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
    """Return the columns of rows that are sent to be joined with their persons' other rows."""
    nobody = Rows(np.zeros(0, np.uint64), np.zeros(0, np.uint32), (np.zeros(0, np.int64),))
    values = _named(len(reduction(task).start(nobody).values))
    return ", ".join(["shard int, person long, word int", *(f"{name} long" for name in values)])


def finishing(task: Task) -> Callable[[pa.Table], pa.Table]:
    """Return a function that counts all persons of one shard."""

    def finish(table: pa.Table) -> pa.Table:
        persons, words, *values = (np.asarray(column.combine_chunks()) for column in table.columns[1:])
        rows = Rows(persons.view(np.uint64), words.astype(np.uint32), tuple(values))
        reduced = reduction(task)
        counts = Counts.of_places(task.cells, task.grid, reduced.places(reduced.pruned(rows)))
        return pa.table({"place": counts.places, "n": counts.rows})

    return finish


def labelling(task: Task, key: bytes, groups: int) -> Callable[[Batches], Batches]:
    """Return a function that labels each row of a partition with the secret block of its person."""

    def label(batches: Batches) -> Batches:
        lots, kernel = KeyedLots(key, 0), Kernel(task)  # no row has a word of its own
        for batch in batches:
            labels, values = kernel.blocks(batch.rename_columns(task.reads), lots, groups)
            yield pa.record_batch([labels.astype(np.int32), *values], names=["label", *_named(len(values))])

    return label


def estimating(estimate: Estimate) -> Callable[[pa.Table], pa.Table]:
    """Return a function that estimates one block."""

    def finish(table: pa.Table) -> pa.Table:
        label, *values = (np.asarray(column.combine_chunks()) for column in table.columns)
        (value,) = estimated([(np.zeros(label.size, np.int64), values)], estimate, 1)
        return pa.table({"label": label[:1], "value": np.array([value], np.float64)})

    return finish


def _named(values: int) -> list[str]:
    return [f"v{at}" for at in range(values)]
