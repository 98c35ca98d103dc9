"""Cells: one column of a batch as one plain array, as text or as numbers, each cell by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.queries.bounds import IntArray

WHOLE = r"^-?[0-9]{1,18}$"
DECIMAL = r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?$"
INFINITE = r"^-?(inf|infinity)$"
NOTHING = ("", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", ".", "?")
LONGEST = 2**22  # bytes of a text: what the longest cell of a file of texts takes
MOST_DIGITS = 15  # that a double holds exactly
POINTED = np.isin(np.arange(256), list(b"0123456789.-"))  # bytes of the numbers that need no pattern
Mask = NDArray[np.bool_]


def flat(cells: Any) -> pa.Array:
    """Return one plain array: chunks joined, dictionaries decoded."""
    if isinstance(cells, pa.ChunkedArray):
        cells = cells.combine_chunks()
    return cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells


def text(cells: Any) -> pa.Array:
    """Return cells as trimmed text; what cannot be written as text is missing, each cell by itself."""
    return _trimmed(_short(flat(cells)))


def missing(cells: Any) -> Mask:
    """Return in which cells there is nothing, or what programs write for nothing."""
    array = flat(cells)
    if pa.types.is_floating(array.type):
        return ~floats(array)[1]
    written = pc.utf8_lower(text(array))
    marks = pc.is_in(written, value_set=pa.array(NOTHING, written.type))
    return np.asarray(pc.or_(array.is_null(), pc.fill_null(marks, False)))


def _short(array: pa.Array) -> pa.Array:
    """Leave out what is longer than any text file may hold: reading it would show in the time, for one row alone."""
    kind = array.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or _is_bytes(kind)):
        return array
    long = pc.greater(pc.binary_length(array), LONGEST)
    return pc.if_else(long, pa.scalar(None, kind), array) if pc.any(long).as_py() else array


def _is_bytes(kind: pa.DataType) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


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
    """Return float64 values and which of them are there."""
    there = ~np.asarray(array.is_null())
    values = np.asarray(array.cast(pa.float64(), safe=False).fill_null(np.nan))
    return values, there & ~np.isnan(values)


def decimals(array: pa.Array) -> tuple[NDArray[np.float64], Mask]:
    """Parse decimal text: the cell's own text decides, nothing else."""
    cells = text(array)
    if (plain := _points(cells)) is not None:
        return floats(plain)
    trimmed = pc.replace_substring_regex(cells, pattern=r"^\+", replacement="")
    finite = pc.fill_null(pc.match_substring_regex(trimmed, DECIMAL), False)
    endless = pc.fill_null(pc.match_substring_regex(trimmed, INFINITE, ignore_case=True), False)
    numbers = pc.if_else(finite, trimmed, pa.scalar(None, trimmed.type))
    try:
        values, there = floats(pc.cast(numbers, pa.float64()))
    except pa.ArrowInvalid:  # beyond a double's range somewhere: one by one, like every other cell
        values = np.array([np.nan if cell is None else float(cell) for cell in numbers.to_pylist()], dtype=np.float64)
        there = ~np.isnan(values)
    far = np.asarray(endless)
    if far.any():
        negative = np.asarray(pc.fill_null(pc.starts_with(trimmed, "-"), False))
        values = np.where(far, np.where(negative, -np.inf, np.inf), values)
    return values, there | far


def whole(array: pa.Array) -> tuple[IntArray, Mask]:
    """Parse whole numbers of text exactly, beyond what a double can hold."""
    cells = text(array)
    trimmed = pc.replace_substring_regex(cells, pattern=r"^\+", replacement="")
    exact = pc.fill_null(pc.match_substring_regex(trimmed, WHOLE), False)
    numbers = pc.if_else(exact, trimmed, pa.scalar(None, trimmed.type))
    return np.asarray(pc.cast(numbers, pa.int64()).fill_null(0)), np.asarray(exact)


def counted(array: pa.Array) -> pa.Array | None:
    """Return texts that are digits, or nothing, as whole numbers; None where one is written otherwise.

    It only saves time: such a cell means the same to the patterns above, which take longer to say so.
    """
    cells = text(array)
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
