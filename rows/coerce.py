"""Coercion: cells become ticks, codes or person words, each row by itself, never with an error."""

from __future__ import annotations

import unicodedata
from hashlib import blake2b
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.queries.bounds import IntArray
from discreet.rows.schema import DROP, Category, Number

WHOLE = r"^-?[0-9]{1,18}$"
DECIMAL = r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?$"
INFINITE = r"^-?(inf|infinity)$"
Mask = NDArray[np.bool_]


def _flat(cells: Any) -> pa.Array:
    """Return one plain array: chunks joined, dictionaries decoded."""
    if isinstance(cells, pa.ChunkedArray):
        cells = cells.combine_chunks()
    return cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells


def text(cells: Any) -> pa.Array:
    """Return cells as trimmed text; what cannot be written as text is missing."""
    flat = _flat(cells)
    if not pa.types.is_large_string(flat.type) and not pa.types.is_string(flat.type):
        try:
            flat = flat.cast(pa.large_string())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            return pa.nulls(len(flat), pa.large_string())
    return pc.utf8_trim_whitespace(flat)


def _floats(flat: pa.Array) -> tuple[NDArray[np.float64], Mask]:
    """Return float64 values and which of them are known."""
    known = ~np.asarray(flat.is_null())
    values = np.asarray(flat.cast(pa.float64(), safe=False).fill_null(np.nan))
    return values, known & ~np.isnan(values)


def _parsed(flat: pa.Array) -> tuple[NDArray[np.float64], Mask]:
    """Parse decimal text: the cell's own text decides, nothing else."""
    trimmed = pc.replace_substring_regex(text(flat), pattern=r"^\+", replacement="")
    plain = pc.fill_null(pc.match_substring_regex(trimmed, DECIMAL), False)
    endless = pc.fill_null(pc.match_substring_regex(trimmed, INFINITE, ignore_case=True), False)
    numbers = pc.if_else(plain, trimmed, pa.scalar(None, trimmed.type))
    try:
        values, known = _floats(pc.cast(numbers, pa.float64()))
    except pa.ArrowInvalid:  # beyond a double's range somewhere: one by one, like every other cell
        told = [float(cell) if cell is not None else np.nan for cell in numbers.to_pylist()]
        values = np.array(told, dtype=np.float64)
        known = ~np.isnan(values)
    far = np.asarray(endless)
    if far.any():
        negative = np.asarray(pc.fill_null(pc.starts_with(trimmed, "-"), False))
        values = np.where(far, np.where(negative, -np.inf, np.inf), values)
    return values, known | far


def _whole(flat: pa.Array) -> tuple[IntArray, Mask]:
    """Parse whole numbers of text exactly, beyond what a double can hold."""
    trimmed = pc.replace_substring_regex(text(flat), pattern=r"^\+", replacement="")
    exact = pc.fill_null(pc.match_substring_regex(trimmed, WHOLE), False)
    numbers = pc.if_else(exact, trimmed, pa.scalar(None, trimmed.type))
    return np.asarray(pc.cast(numbers, pa.int64()).fill_null(0)), np.asarray(exact)


def number_ticks(cells: Any, declared: Number) -> tuple[IntArray, Mask]:
    """Return the tick of each cell and which rows have one, by the declared missing rule."""
    flat, bounds = _flat(cells), declared.bounds
    kind = flat.type
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        known = ~np.asarray(flat.is_null())
        whole = flat if pa.types.is_integer(kind) else flat.cast(pa.int8())
        ticks = bounds.ticks(np.asarray(whole.fill_null(0)))
    elif pa.types.is_floating(kind) or (pa.types.is_decimal(kind) and not bounds.integer):
        values, known = _floats(flat)
        ticks = bounds.ticks(values if known.all() else np.where(known, values, bounds.lower))
    else:
        ticks, known = _text_ticks(flat, declared)
    if declared.missing == DROP or known.all():
        return ticks, known
    constant = bounds.ticks(np.array([declared.missing]))[0]
    return np.where(known, ticks, constant), np.ones_like(known)


def _text_ticks(flat: pa.Array, declared: Number) -> tuple[IntArray, Mask]:
    bounds = declared.bounds
    values, known = _parsed(flat)
    ticks = bounds.ticks(np.where(known, values, bounds.lower))
    if bounds.integer:
        whole, exact = _whole(flat)
        ticks = np.where(exact, bounds.ticks(whole), ticks)
    return ticks, known


def category_codes(cells: Any, declared: Category) -> IntArray:
    """Return the position of each cell's level; -1 is left out."""
    found = pc.index_in(text(cells), value_set=pa.array(declared.levels, pa.large_string()))
    rest = len(declared.levels) if declared.other else -1
    return np.asarray(found.fill_null(rest)).astype(np.int64)


def person_words(cells: Any, key: bytes, fold: bool = False) -> tuple[IntArray, Mask]:
    """Return a secret 62-bit word per row, equal for equal persons, and which rows name one.

    One identifier is one text without its outer blanks. Where the declaration says so (`fold`),
    capitals and Unicode variants of a text are the same person.
    """
    names = pc.fill_null(text(cells), "").dictionary_encode()
    known = [_folded(name) if fold else name for name in names.dictionary.to_pylist()]
    words = np.array([_word(name, key) for name in known] or [0], dtype=np.int64)
    named = np.array([name != "" for name in known] or [False])
    index = np.asarray(names.indices)
    return words[index], named[index]


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().casefold()


def _word(name: str, key: bytes) -> int:
    digest = blake2b(name.encode("utf-8", "surrogatepass"), key=key, digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 2
