"""Batches: rows of a file a piece at a time, each so light that it can be written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from discreet.rows.capacity import MIB
from discreet.rows.lengths import shortened

HEAVIEST = 256 * MIB  # what the texts of one batch may take


def batches(rows: ds.Dataset, columns: Sequence[str], most: int) -> Iterator[pa.RecordBatch]:
    """Read columns in batches of at most so many rows.

    Threads would read a file ahead of a slow question, up to a gigabyte.
    """
    scanner = rows.scanner(
        columns=list(columns), batch_size=most, batch_readahead=1, fragment_readahead=1, use_threads=False
    )
    for batch in scanner.to_batches():
        yield from _light(shortened(batch))


def first(rows: ds.Dataset, columns: Sequence[str], most: int, size: int) -> pa.Table:
    """Return the first rows, texts written out, by reading at most so many at a time."""
    table = rows.head(most, columns=list(columns), batch_size=max(min(most, size), 1), batch_readahead=0)
    return table.cast(pa.schema([(column.name, _written(column.type)) for column in table.schema]))


def _written(form: pa.DataType) -> pa.DataType:
    return form.value_type if pa.types.is_dictionary(form) else form


def _light(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Halve a batch until its repeated texts, each written out, are light."""
    if batch.num_rows < 2 or sum(map(_written_out, batch.columns)) <= HEAVIEST:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _light(batch.slice(0, half))
    yield from _light(batch.slice(half))


def _written_out(cells: pa.Array) -> int:
    """Return the bytes of texts that are told by number, or 0 for other cells."""
    if not pa.types.is_dictionary(cells.type):
        return 0
    try:
        lengths = pc.binary_length(cells.dictionary)
    except pa.ArrowNotImplementedError:  # numbers
        return 0
    if len(cells) * (pc.max(lengths).as_py() or 0) <= HEAVIEST:
        return 0
    return pc.sum(lengths.take(cells.indices)).as_py() or 0
