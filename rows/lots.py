"""Lots: the secret choices that reading makes, kept apart from what is read.

Which rows of a person count, which block a person is in, which rows are kept where a number of rows
is public: each is a lot, drawn anew for every release. Reading is a pure function of the rows and
the lots, so that an audit can go through all of them.
"""

from __future__ import annotations

from hashlib import shake_256
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.queries.bounds import IntArray
from discreet.rows.cells import Mask
from discreet.rows.columns.person import person_words

if TYPE_CHECKING:  # whoever only reads rows does without the mechanisms
    from discreet.mechanisms.view import Words

WORD = 2**62  # words of a source of noise are uniform below this
ROW_WORD = np.uint32(2**30 - 1)  # two words of a row are made of one


class Lots(Protocol):
    """What reading asks for where chance decides."""

    def rows(self, size: int) -> NDArray[np.uint32]:
        """Return a secret word of 30 bits for each of the next rows, in the order in which they are read.

        Two rows of one person may have the same; then the one that was read first comes first, so
        that the choice among a person's rows is nobody else's.
        """

    def persons(self, cells: Any, fold: bool) -> tuple[NDArray[np.uint64], Mask]:
        """Return the secret word of each row's person, and which rows name one.

        `fold` says that capitals and Unicode variants of an identifier are the same person.
        """

    def chosen(self, rows: int, size: int) -> IntArray:
        """Return which `size` of so many rows are kept: every choice has the same chance."""


class Seeded:
    """Words that follow from one secret number: the same rows are read again by the same choices.

    A finer answer is of the same choices as the first. The number lies with that in the ledger, and is
    never shown: with it and the rows one would know which of them count.
    """

    def __init__(self, seed: int) -> None:
        """Take the number, of 256 bits."""
        self._seed, self._times = seed.to_bytes(32, "big"), 0

    def words(self, size: int) -> NDArray[np.uint64]:
        """Return the next words of 62 bits."""
        self._times += 1
        raw = shake_256(self._seed + self._times.to_bytes(8, "big")).digest(8 * size)
        return np.frombuffer(raw, dtype=np.uint64) >> np.uint64(2)


class DrawnLots:
    """Lots from a source of noise. The words of two of them have nothing in common."""

    def __init__(self, noise: Words) -> None:
        """Draw a fresh key for the words of persons."""
        self._noise = noise
        self._key = noise.words(4).tobytes()
        self._spare = np.zeros(0, np.uint32)

    def rows(self, size: int) -> NDArray[np.uint32]:
        """Return a secret word for each row, the same however many rows a batch has."""
        drawn = self._noise.words((size - self._spare.size + 1) // 2).view(np.uint32) & ROW_WORD
        words = np.concatenate((self._spare, drawn)) if self._spare.size else drawn
        self._spare = words[size:].copy()
        return words[:size]

    def persons(self, cells: Any, fold: bool) -> tuple[NDArray[np.uint64], Mask]:
        """Return the same word for equal persons, by a keyed hash."""
        return person_words(cells, self._key, fold)

    def chosen(self, rows: int, size: int) -> IntArray:
        """Choose the rows to keep or the rows to leave, whichever are fewer."""
        chosen = self._distinct(rows, min(size, rows - size))
        if size <= rows - size:
            return chosen
        left = np.ones(rows, dtype=bool)
        left[chosen] = False
        return np.flatnonzero(left)

    def _distinct(self, rows: int, size: int) -> IntArray:
        """Draw positions until so many differ; the first ones are a uniform choice."""
        drawn, last = np.zeros(0, np.int64), WORD - WORD % rows
        while True:
            _, first = np.unique(drawn, return_index=True)
            if first.size >= size:
                return np.sort(drawn[np.sort(first)[:size]])
            words = self._noise.words(2 * (size - first.size) + 8)
            fair = words[words < np.uint64(last)]  # every position has the same number of words
            drawn = np.concatenate((drawn, (fair % np.uint64(rows)).astype(np.int64)))
