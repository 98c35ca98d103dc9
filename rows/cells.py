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
Mask = NDArray[np.bool_]


def flat(cells: Any) -> pa.Array:
    """Return one plain array: chunks joined, dictionaries decoded."""
    if isinstance(cells, pa.ChunkedArray):
        cells = cells.combine_chunks()
    return cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells


def text(cells: Any) -> pa.Array:
    """Return cells as trimmed text; what cannot be written as text is missing, each cell by itself."""
    array = flat(cells)
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
        return pa.concat_arrays([text(array[:half]), text(array[half:])])


def floats(array: pa.Array) -> tuple[NDArray[np.float64], Mask]:
    """Return float64 values and which of them are there."""
    there = ~np.asarray(array.is_null())
    values = np.asarray(array.cast(pa.float64(), safe=False).fill_null(np.nan))
    return values, there & ~np.isnan(values)


def decimals(array: pa.Array) -> tuple[NDArray[np.float64], Mask]:
    """Parse decimal text: the cell's own text decides, nothing else."""
    trimmed = pc.replace_substring_regex(text(array), pattern=r"^\+", replacement="")
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
    trimmed = pc.replace_substring_regex(text(array), pattern=r"^\+", replacement="")
    exact = pc.fill_null(pc.match_substring_regex(trimmed, WHOLE), False)
    numbers = pc.if_else(exact, trimmed, pa.scalar(None, trimmed.type))
    return np.asarray(pc.cast(numbers, pa.int64()).fill_null(0)), np.asarray(exact)
