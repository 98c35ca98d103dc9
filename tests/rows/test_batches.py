"""Batches: of a file on disk no more is in memory than is being read."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from discreet.rows import LocalSource

GROUP, GROUPS = 2**16, 160


def most_waiting(source: LocalSource) -> int:
    """Return how many bytes there are at most while every batch takes its time."""
    waiting = list[int]()

    def slow(batch: pa.RecordBatch) -> int:
        time.sleep(0.01)
        waiting.append(pa.total_allocated_bytes())
        return batch.num_rows

    before = pa.total_allocated_bytes()
    assert source.map(slow, ["x"], 0) == GROUP * GROUPS
    return max(waiting) - before


def test_rows_do_not_pile_up_behind_a_slow_kernel(tmp_path: Path) -> None:
    """However long a question takes on a batch, the file is not read far ahead of it.

    What threads of earlier tests hold for a moment is counted, too, so it is looked at up to three times.
    """
    path = tmp_path / "rows.parquet"
    table = pa.table({"x": np.random.default_rng(0).normal(size=GROUP * GROUPS)})
    pq.write_table(table, path, row_group_size=GROUP, use_dictionary=False)
    weight = table.nbytes
    del table
    assert any(most_waiting(LocalSource(path)) < weight / 4 for _ in range(3))
