"""Lengths: what a cell can need at most. A longer one is missing, whatever it holds, before a pattern looks into it.

Reading a cell takes as long as it is, and one person's must not be seen in the time of an answer. So a cell of
more than `LONGEST` bytes, with its blanks, is missing in every column and on every engine, and of what is left a
column takes what its kind can need without outer blanks. Each cell decides for itself, by its bytes in UTF-8.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

LONGEST = 4096  # of any cell
LONGEST_NUMBER = 400  # a double that is written out needs 309 digits before its point
LONGEST_DATE = 64  # every form that is read is shorter
LONGEST_NAME = 512  # of a person: a longer identifier is none, and no part of one is
SPELLED = 64  # bytes more that another spelling of a level may take: 1.000 for 1


def within(cells: pa.Array, most: int = LONGEST) -> pa.Array:
    """Return cells of which texts of more than so many bytes are missing; of repeated ones each is looked at once."""
    if isinstance(cells, pa.DictionaryArray):
        short = within(cells.dictionary, most)
        return cells if short is cells.dictionary else pa.DictionaryArray.from_arrays(cells.indices, short)
    return cells if longest(cells) <= most else _without(cells, most)


def shortened(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch whose repeated texts are short, so that none of them is written out for every row."""
    columns = [within(column) if pa.types.is_dictionary(column.type) else column for column in batch.columns]
    return pa.record_batch(columns, names=batch.schema.names)


def longest(cells: pa.Array) -> int:
    """Return how many bytes the longest text takes; nothing where cells are no texts."""
    sizes = _sizes(cells)
    return 0 if sizes is None else pc.max(sizes).as_py() or 0


def _sizes(cells: pa.Array) -> pa.Array | None:
    """Return the bytes of each text without looking into one."""
    form = cells.type
    if _viewed(form):
        views = np.frombuffer(cells.buffers()[1], dtype=np.int32).reshape(-1, 4)
        return pc.if_else(cells.is_valid(), views[cells.offset : cells.offset + len(cells), 0], None)
    return pc.binary_length(cells) if any(is_one(form) for is_one in TEXTS) else None


def _without(cells: pa.Array, most: int) -> pa.Array:
    """Leave long cells out; what is kept takes its own memory."""
    long = np.asarray(pc.fill_null(pc.greater(_sizes(cells), most), False))
    if not _viewed(cells.type):
        return cells.take(pa.array(np.arange(len(cells)), mask=long))
    there = np.concatenate((np.zeros(cells.offset, bool), np.asarray(cells.is_valid()) & ~long))
    bits = pa.py_buffer(np.packbits(there, bitorder="little"))
    short = pa.Array.from_buffers(cells.type, len(cells), [bits, *cells.buffers()[1:]], offset=cells.offset)
    return short.cast(pa.large_string() if pa.types.is_string_view(cells.type) else pa.large_binary())


def _viewed(form: pa.DataType) -> bool:
    return bool(pa.types.is_string_view(form) or pa.types.is_binary_view(form))


TEXTS = (
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_binary,
    pa.types.is_large_binary,
    pa.types.is_fixed_size_binary,
)
