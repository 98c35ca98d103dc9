"""Cells: one column of a batch as one plain array, as text or as numbers, cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.queries.bounds import IntArray
from discreet.rows.identifiers import is_uuid

# --- Lengths: what a cell can need at most. A longer one is missing before any pattern is applied to it. ---

LONGEST = 4096  # bytes of any cell
LONGEST_NUMBER = 400  # a double that is written out needs 309 digits before its point
LONGEST_DATE = 64  # every form that is parsed is shorter
LONGEST_NAME = 512  # of a person: a longer identifier is missing, and is never truncated
SPELLED = 64  # further bytes that another spelling of a level may take: 1.000 for 1


def within(cells: pa.Array, most: int = LONGEST) -> pa.Array:
    """Return cells with texts of more than `most` bytes replaced by null; each dictionary value is checked once."""
    if isinstance(cells, pa.DictionaryArray):
        short = within(cells.dictionary, most)
        return cells if short is cells.dictionary else pa.DictionaryArray.from_arrays(cells.indices, short)
    return cells if longest(cells) <= most else _without(cells, most)


def shortened(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch whose dictionary texts are short, so that none of them is written out for every row."""
    columns = [within(column) if pa.types.is_dictionary(column.type) else column for column in batch.columns]
    return pa.record_batch(columns, names=batch.schema.names)


def longest(cells: pa.Array) -> int:
    """Return the bytes of the longest text; 0 if cells are not texts."""
    sizes = _sizes(cells)
    return 0 if sizes is None else pc.max(sizes).as_py() or 0


def _sizes(cells: pa.Array) -> pa.Array | None:
    """Return the bytes of each text without reading the texts."""
    form = cells.type
    if _viewed(form):
        views = np.frombuffer(cells.buffers()[1], dtype=np.int32).reshape(-1, 4)
        return pc.if_else(cells.is_valid(), views[cells.offset : cells.offset + len(cells), 0], None)
    return pc.binary_length(cells) if any(is_one(form) for is_one in TEXTS) else None


def _without(cells: pa.Array, most: int) -> pa.Array:
    """Replace long cells by null; the result is a copy in memory of its own."""
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
MOST_DIGITS = 15  # that a double represents exactly
POINTED = np.isin(np.arange(256), list(b"0123456789.-"))  # bytes of the numbers that need no pattern
Mask = NDArray[np.bool_]


def flat(cells: Any) -> pa.Array:
    """Return one plain array: chunks joined, dictionaries decoded, extension types replaced by their storage."""
    if isinstance(cells, pa.ChunkedArray):
        cells = cells.combine_chunks()
    if isinstance(cells.type, pa.BaseExtensionType) and not is_uuid(cells.type):
        return flat(cells.storage)
    return within(cells).dictionary_decode() if pa.types.is_dictionary(cells.type) else cells


def text(cells: Any, most: int = LONGEST) -> pa.Array:
    """Return cells as trimmed text; a cell that is too long or has no text form is null.

    The text before trimming may take `LONGEST` bytes, after it `most`.
    """
    array, most = flat(cells), min(most, LONGEST)
    if longest(array) <= most:
        return _trimmed(array)
    return within(_trimmed(within(array)), most)


def numeral(cells: Any) -> pa.Array:
    """Return cells as trimmed text, null if too long for a number."""
    return text(cells, LONGEST_NUMBER)


def missing(cells: Any) -> Mask:
    """Return which cells are null, contain a common marker of missing values, or have no text of a permitted length."""
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
            array.validate(full=True)  # a file on disk may declare arbitrary bytes as text
        return pc.utf8_trim_whitespace(array if plain else array.cast(form))
    except pa.ArrowNotImplementedError:
        return pa.nulls(len(array), form)
    except pa.ArrowInvalid:  # some bytes are not text: the other cells of the batch are kept
        if len(array) == 1:
            return pa.nulls(1, form)
        half = len(array) // 2
        return pa.concat_arrays([_trimmed(array[:half]), _trimmed(array[half:])])


def floats(array: pa.Array) -> tuple[NDArray[np.float64], Mask]:
    """Return float64 values and which of them are valid: an infinite value or a NaN is not."""
    there = ~np.asarray(array.is_null())
    values = np.asarray(array.cast(pa.float64(), safe=False).fill_null(np.nan))
    return values, there & np.isfinite(values)


def decimals(array: pa.Array) -> tuple[NDArray[np.float64], Mask]:
    """Parse decimal text; the result depends on the cell's own text only."""
    cells = numeral(array)
    if (plain := _points(cells)) is not None:
        return floats(plain)
    trimmed = pc.replace_substring_regex(cells, pattern=r"^\+", replacement="")
    finite = pc.fill_null(pc.match_substring_regex(trimmed, DECIMAL), False)
    numbers = pc.if_else(finite, trimmed, pa.scalar(None, trimmed.type))
    try:
        return floats(pc.cast(numbers, pa.float64()))
    except pa.ArrowInvalid:  # outside a double's range somewhere: parsed one by one
        values = np.array([np.nan if cell is None else float(cell) for cell in numbers.to_pylist()], dtype=np.float64)
        return values, np.isfinite(values)


def whole(array: pa.Array) -> tuple[IntArray, Mask]:
    """Parse integers from text exactly, beyond what a double can represent."""
    cells = numeral(array)
    trimmed = pc.replace_substring_regex(cells, pattern=r"^\+", replacement="")
    exact = pc.fill_null(pc.match_substring_regex(trimmed, WHOLE), False)
    numbers = pc.if_else(exact, trimmed, pa.scalar(None, trimmed.type))
    return np.asarray(pc.cast(numbers, pa.int64()).fill_null(0)), np.asarray(exact)


def counted(array: pa.Array) -> pa.Array | None:
    """Return texts of digits, or empty ones, as integers; None if any text has another form.

    A fast path only: the patterns above give the same result more slowly.
    """
    cells = numeral(array)
    digits = pc.fill_null(pc.ascii_is_decimal(cells), False)
    written = pc.fill_null(pc.not_equal(cells, ""), False)
    if pc.any(pc.and_not(written, digits)).as_py() or (pc.max(pc.binary_length(cells)).as_py() or 0) > MOST_DIGITS:
        return None
    return pc.cast(pc.if_else(digits, cells, pa.scalar(None, cells.type)), pa.int64())


def _points(cells: pa.Array) -> pa.Array | None:
    """Return texts of digits, points and signs as numbers; None if any text has another form or is not a number.

    A fast path only, like `counted`: texts that pass the patterns are converted by the same cast.
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
