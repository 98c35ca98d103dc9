"""Person: the column that names the person of each row."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.budget.cost import take_numbers
from discreet.budget.errors import ParameterError
from discreet.queries.bounds import DEFAULT_CELLS, Bounds, IntArray
from discreet.rows.cells import LONGEST_NAME, Mask, flat, text
from discreet.rows.columns.kind import Kind
from discreet.rows.identifiers import END, is_uuid, number_words, words, written


@dataclass(frozen=True)
class Person(Kind):
    """The column that names the person, and how many rows of one person may count.

    `reduce` turns all rows of a person into one. With `first` it is one of them, by secret random choice. With `mean` a
    number is the mean of all; a level is that of one row by secret random choice, and with groups a person is in the
    group of that row, with the mean of their rows there. An identifier is its exact text without outer blanks; with
    `fold`, letter case and Unicode variants of it are ignored: only for identifiers in which they have no meaning.
    """

    name: ClassVar[str] = "person"

    rows: int = 1
    reduce: str | None = None
    fold: bool = False

    def __post_init__(self) -> None:
        """Raise ParameterError for invalid numbers of rows or reductions."""
        take_numbers(self)
        if isinstance(self.rows, bool) or not isinstance(self.rows, int):
            raise ParameterError("Rows per person must be a whole number between 1 and 10000.")
        if not 1 <= self.rows <= 10_000:
            raise ParameterError("Rows per person must be between 1 and 10000. Got {rows}.", rows=self.rows)
        if self.reduce not in (None, "mean", "first"):
            raise ParameterError("Reduce must be mean, first or nothing. Got {reduce!r}.", reduce=self.reduce)
        if not isinstance(self.fold, bool):
            raise ParameterError("Fold must be true or false. Got {fold!r}.", fold=self.fold)

    def plain(self) -> dict[str, Any]:
        """Return the declaration as plain values; `fold` is omitted if it is not set, to keep old hashes."""
        values = super().plain()
        return values if self.fold else {name: value for name, value in values.items() if name != "fold"}


def person_words(cells: Any, key: bytes, fold: bool = False) -> tuple[NDArray[np.uint64], Mask]:
    """Return a secret word for each row, equal for equal persons, and which rows name one.

    An identifier is a text without its outer blanks; a number is its text. If `fold`, letter case and Unicode variants
    of a text are ignored.
    """
    if isinstance(cells, pa.DictionaryArray) and 0 < len(cells.dictionary) <= len(cells):
        each, named = person_words(cells.dictionary, key, fold)
        index = np.asarray(cells.indices.fill_null(0).cast(pa.int64()))
        return each[index], named[index] & np.asarray(cells.is_valid())
    array = flat(cells)
    if pa.types.is_integer(array.type) and _plain(array):
        numbers = np.asarray(array.fill_null(0)).astype(np.uint64)
        return number_words(numbers, key), np.asarray(array.is_valid())
    texts = pc.fill_null(_identifiers(array), "")
    texts = _folded(texts) if fold else texts
    return words(texts, key), np.asarray(pc.binary_length(texts)) > 0


def _plain(numbers: pa.Array) -> bool:
    """Return whether all numbers are non-negative and have the usual length."""
    least, most = pc.min_max(numbers).values()
    return not most.is_valid or (least.as_py() >= 0 and most.as_py() < END)


def _identifiers(cells: pa.Array) -> pa.Array:
    """Return cells as text; texts that cannot contain blanks are not trimmed."""
    if pa.types.is_integer(cells.type):
        return cells.cast(pa.large_string())
    if is_uuid(cells.type):
        return written(cells)
    return text(_numbers(cells) if pa.types.is_floating(cells.type) else cells, LONGEST_NAME)


def _numbers(cells: pa.Array) -> pa.Array:
    """Return numbers with NaN as null: NaN is used where nothing is known, and names no person."""
    return pc.if_else(pc.is_nan(cells), pa.scalar(None, cells.type), cells)


def _folded(texts: pa.Array) -> pa.Array:
    """Fold letter case and variants: vectorised where all is plain ASCII, and once for each other text."""
    plain = pc.match_substring_regex(texts, r"^[\x20-\x7e]*$")
    lower = pc.ascii_lower(texts)
    if pc.all(plain, min_count=0).as_py():
        return lower
    others = pc.filter(texts, pc.invert(plain)).dictionary_encode()
    names = [unicodedata.normalize("NFKC", name).strip().casefold() for name in others.dictionary.to_pylist()]
    return pc.replace_with_mask(lower, pc.invert(plain), pa.array(names, texts.type).take(others.indices))


# --- Means: one number for each person, the mean of their rows ---


@dataclass(frozen=True)
class Means:
    """The grid of one number per person: the declared range, with the declared step divided into equal parts.

    The mean of a person's ticks is between ticks. The parts are so small that rounding the mean to the nearest of them
    is negligible compared with any noise, and they are never coarser than what was declared.
    """

    declared: Bounds

    @property
    def times(self) -> int:
        """The number of parts of a declared step."""
        wide = float(self.declared.upper) - float(self.declared.lower)
        return max(1, math.ceil(DEFAULT_CELLS * float(self.declared.resolution) / wide - 1e-6))

    @cached_property
    def bounds(self) -> Bounds:
        """The finer grid, as public as the declared one."""
        given = self.declared
        return Bounds(given.lower, given.upper, float(given.resolution) / self.times)

    def ticks(self, sums: IntArray, sizes: IntArray) -> IntArray:
        """Return the nearest tick of the mean of `sizes` declared ticks, in integer arithmetic only."""
        start = self.bounds.ticks(np.array([self.declared.value(0)]))
        whole, rest = np.divmod(sums, sizes)
        parts = (2 * self.times * rest + sizes) // (2 * sizes)
        ticks: IntArray = np.minimum(start + self.times * whole + parts, self.bounds.top)
        return ticks
