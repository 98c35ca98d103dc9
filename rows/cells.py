"""Cells: one column of a batch as one plain array, as text or as numbers, each cell by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.queries.bounds import IntArray
from discreet.rows.identifiers import is_uuid

# Lengths: what a cell can need at most. A longer one is missing, whatever it holds, before a pattern looks into it.

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

WHOLE = r"^-?[0-9]{1,18}$"
DECIMAL = r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?$"
NOTHING = ("", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", ".", "?")
MOST_DIGITS = 15  # that a double holds exactly
POINTED = np.isin(np.arange(256), list(b"0123456789.-"))  # bytes of the numbers that need no pattern
Mask = NDArray[np.bool_]


def flat(cells: Any) -> pa.Array:
    """Return one plain array: chunks joined, dictionaries decoded, types that another one is kept as let go."""
    if isinstance(cells, pa.ChunkedArray):
        cells = cells.combine_chunks()
    if isinstance(cells.type, pa.BaseExtensionType) and not is_uuid(cells.type):
        return flat(cells.storage)
    return within(cells).dictionary_decode() if pa.types.is_dictionary(cells.type) else cells


def text(cells: Any, most: int = LONGEST) -> pa.Array:
    """Return cells as trimmed text; what is too long, or cannot be written as text, is missing, each cell by itself.

    What is trimmed may take `LONGEST` bytes; without its blanks it may take `most`.
    """
    array, most = flat(cells), min(most, LONGEST)
    if longest(array) <= most:
        return _trimmed(array)
    return within(_trimmed(within(array)), most)


def numeral(cells: Any) -> pa.Array:
    """Return cells as trimmed text that is not too long for a number."""
    return text(cells, LONGEST_NUMBER)


def missing(cells: Any) -> Mask:
    """Return in which cells there is nothing, what programs write for nothing, or no text of a length that is read."""
    array = flat(cells)
    if pa.types.is_floating(array.type):
        return np.asarray(pc.or_kleene(array.is_null(), pc.fill_null(pc.is_nan(array), False)))
    written = pc.utf8_lower(text(array))
    marks = pc.is_in(written, value_set=pa.array(NOTHING, written.type))
    return np.asarray(pc.or_(written.is_null(), pc.fill_null(marks, False)))


def _trimmed(array: pa.Array) -> pa.Array:
    plain = pa.types.is_large_string(array.type) or pa.types.is_string(array.type)
    form = array.type if plain else pa.large_string()
    try:
        if plain:
            array.validate(full=True)  # a file on disk may say of any bytes that they are text
        return pc.utf8_trim_whitespace(array if plain else array.cast(form))
    except pa.ArrowNotImplementedError:
        return pa.nulls(len(array), form)
    except pa.ArrowInvalid:  # bytes that are no text somewhere: whoever else is in the batch stays
        if len(array) == 1:
            return pa.nulls(1, form)
        half = len(array) // 2
        return pa.concat_arrays([_trimmed(array[:half]), _trimmed(array[half:])])


def floats(array: pa.Array) -> tuple[NDArray[np.float64], Mask]:
    """Return float64 values and which of them are there: what is endless, or no number, is none."""
    there = ~np.asarray(array.is_null())
    values = np.asarray(array.cast(pa.float64(), safe=False).fill_null(np.nan))
    return values, there & np.isfinite(values)


def decimals(array: pa.Array) -> tuple[NDArray[np.float64], Mask]:
    """Parse decimal text: the cell's own text decides, nothing else."""
    cells = numeral(array)
    if (plain := _points(cells)) is not None:
        return floats(plain)
    trimmed = pc.replace_substring_regex(cells, pattern=r"^\+", replacement="")
    finite = pc.fill_null(pc.match_substring_regex(trimmed, DECIMAL), False)
    numbers = pc.if_else(finite, trimmed, pa.scalar(None, trimmed.type))
    try:
        return floats(pc.cast(numbers, pa.float64()))
    except pa.ArrowInvalid:  # beyond a double's range somewhere: one by one, like every other cell
        values = np.array([np.nan if cell is None else float(cell) for cell in numbers.to_pylist()], dtype=np.float64)
        return values, np.isfinite(values)


def whole(array: pa.Array) -> tuple[IntArray, Mask]:
    """Parse whole numbers of text exactly, beyond what a double can hold."""
    cells = numeral(array)
    trimmed = pc.replace_substring_regex(cells, pattern=r"^\+", replacement="")
    exact = pc.fill_null(pc.match_substring_regex(trimmed, WHOLE), False)
    numbers = pc.if_else(exact, trimmed, pa.scalar(None, trimmed.type))
    return np.asarray(pc.cast(numbers, pa.int64()).fill_null(0)), np.asarray(exact)


def counted(array: pa.Array) -> pa.Array | None:
    """Return texts that are digits, or nothing, as whole numbers; None where one is written otherwise.

    It only saves time: such a cell means the same to the patterns above, which take longer to say so.
    """
    cells = numeral(array)
    digits = pc.fill_null(pc.ascii_is_decimal(cells), False)
    written = pc.fill_null(pc.not_equal(cells, ""), False)
    if pc.any(pc.and_not(written, digits)).as_py() or (pc.max(pc.binary_length(cells)).as_py() or 0) > MOST_DIGITS:
        return None
    return pc.cast(pc.if_else(digits, cells, pa.scalar(None, cells.type)), pa.int64())


def _points(cells: pa.Array) -> pa.Array | None:
    """Return texts of digits, points and signs alone as numbers; None where one is written otherwise, or is none.

    It only saves time, as `counted` does: the same cast reads them once the patterns have let them through.
    """
    offsets = cells.buffers()[1]
    form = np.int64 if pa.types.is_large_string(cells.type) else np.int32
    ends = np.frombuffer(offsets, dtype=form)[cells.offset : cells.offset + len(cells) + 1]
    signs = np.frombuffer(cells.buffers()[2] or b"", dtype=np.uint8)[ends[0] : ends[-1]]
    if not POINTED[signs].all():
        return None
    written = pc.fill_null(pc.not_equal(cells, ""), False)
    try:
        return pc.cast(pc.if_else(written, cells, pa.scalar(None, cells.type)), pa.float64())
    except pa.ArrowInvalid:
        return None
