"""Person: the column that names whose rows these are."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, ClassVar

import numpy as np
import pyarrow.compute as pc

from discreet.budget.errors import ParameterError
from discreet.queries.bounds import IntArray
from discreet.rows.cells import Mask, text
from discreet.rows.columns.kind import Kind


@dataclass(frozen=True)
class Person(Kind):
    """The column that names the person, and how many rows of one person may count.

    `reduce` makes one row of all rows of a person. With `first` it is one of them, by secret
    chance. With `mean` a number is the mean of all; a level is that of one row by secret chance,
    and with groups a person is in the group of that row, with the mean of their rows there.
    An identifier is its exact text without outer blanks; with `fold`, capitals and Unicode
    variants of it are the same person: only for identifiers in which they mean nothing.
    """

    name: ClassVar[str] = "person"

    rows: int = 1
    reduce: str | None = None
    fold: bool = False

    def __post_init__(self) -> None:
        """Refuse caps that make no sense."""
        if isinstance(self.rows, bool) or not isinstance(self.rows, int):
            raise ParameterError("Rows per person must be a whole number between 1 and 10000.")
        if not 1 <= self.rows <= 10_000:
            raise ParameterError("Rows per person must be between 1 and 10000. Got {rows}.", rows=self.rows)
        if self.reduce not in (None, "mean", "first"):
            raise ParameterError("Reduce must be mean, first or nothing. Got {reduce!r}.", reduce=self.reduce)
        if not isinstance(self.fold, bool):
            raise ParameterError("Fold must be true or false. Got {fold!r}.", fold=self.fold)

    def plain(self) -> dict[str, Any]:
        """Return what a declaration file says: what was written before there was a choice keeps its hash."""
        values = super().plain()
        return values if self.fold else {name: value for name, value in values.items() if name != "fold"}


def person_words(cells: Any, key: bytes, fold: bool = False) -> tuple[IntArray, Mask]:
    """Return a secret 62-bit word per row, equal for equal persons, and which rows name one.

    One identifier is one text without its outer blanks. Where the declaration says so (`fold`),
    capitals and Unicode variants of a text are the same person.
    """
    coded = pc.fill_null(text(cells), "").dictionary_encode()
    names = [_folded(name) if fold else name for name in coded.dictionary.to_pylist()]
    words = np.array([_word(name, key) for name in names] or [0], dtype=np.int64)
    named = np.array([name != "" for name in names] or [False])
    index = np.asarray(coded.indices)
    return words[index], named[index]


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().casefold()


def _word(name: str, key: bytes) -> int:
    digest = blake2b(name.encode("utf-8", "surrogatepass"), key=key, digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 2
