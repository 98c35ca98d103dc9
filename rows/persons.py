"""Persons: at most m rows of each, by secret random choice, or one number for each.

Rows of one person are brought together by the secret word of the person, in parts that fit a
processor's cache. Whatever cannot count any more is let go while the rest is still being read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import shake_256
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.queries.bounds import IntArray
from discreet.rows.cells import Mask
from discreet.rows.columns.person import Means, person_words
from discreet.rows.counting import Counts, Tally, Task

# Lots: the secret choices that reading makes, kept apart from what is read.

if TYPE_CHECKING:  # whoever only reads rows does without the mechanisms
    from discreet.mechanisms.base.view import Words as WordSource

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
        self._seed = seed.to_bytes(32, "big")
        self._times = 0

    def words(self, size: int) -> NDArray[np.uint64]:
        """Return the next words of 62 bits."""
        self._times += 1
        raw = shake_256(self._seed + self._times.to_bytes(8, "big")).digest(8 * size)
        return np.frombuffer(raw, dtype=np.uint64) >> np.uint64(2)


class DrawnLots:
    """Lots from a source of noise. The words of two of them have nothing in common."""

    def __init__(self, noise: WordSource) -> None:
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
        drawn = np.zeros(0, np.int64)
        last = WORD - WORD % rows
        while True:
            _, first = np.unique(drawn, return_index=True)
            if first.size >= size:
                return np.sort(drawn[np.sort(first)[:size]])
            words = self._noise.words(2 * (size - first.size) + 8)
            fair = words[words < np.uint64(last)]  # every position has the same number of words
            drawn = np.concatenate((drawn, (fair % np.uint64(rows)).astype(np.int64)))


SHARD_BITS = 8
SHARDS = 2**SHARD_BITS
WHOLE = 2**20  # rows up to which all are one part
ROOM = 2**14  # rows of a part that are not worth a look
WORD_BITS = 30  # of a row's word

Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of several persons in the order of reading: the person's secret word, the row's, values."""

    persons: Words
    words: NDArray[np.uint32]
    values: tuple[NDArray[Any], ...]

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self.persons.size

    def __getitem__(self, places: Any) -> Rows:
        """Return some of the rows."""
        return Rows(self.persons[places], self.words[places], tuple(value[places] for value in self.values))

    def part(self, low: int, high: int) -> Rows:
        """Return a copy of adjacent rows: a view would keep all others in memory."""
        return Rows(
            self.persons[low:high].copy(),
            self.words[low:high].copy(),
            tuple(value[low:high].copy() for value in self.values),
        )

    @classmethod
    def joined(cls, parts: list[Rows]) -> Rows:
        """Put rows together, in order."""
        if len(parts) == 1:
            return parts[0]
        values = zip(*(part.values for part in parts), strict=True)
        return cls(
            np.concatenate([part.persons for part in parts]),
            np.concatenate([part.words for part in parts]),
            tuple(np.concatenate(value) for value in values),
        )

    def at_most(self, m: int) -> Rows:
        """Return the m rows with the smallest secret words of every person.

        A person more or less changes nobody else's rows: of two rows with the same word it is the
        one that was read first, whatever lies around them.
        """
        if not len(self):
            return self
        order, starts = _grouped(self.persons)
        if m == 1:
            numbered = self.words[order].astype(np.int64) << 32 | order
            return self[np.minimum.reduceat(numbered, starts) & (2**32 - 1)]
        sizes = np.diff(starts, append=order.size)
        order = _ranked(order, sizes, self.words)
        rank = np.arange(order.size) - np.repeat(starts, sizes)
        return self[order[rank < m]]


def _grouped(labels: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Return an order in which equal labels stand together, and where each begins."""
    order = np.argsort(labels)
    ascending = labels[order]
    return order, np.flatnonzero(np.concatenate(([True], ascending[1:] != ascending[:-1])))


def _ranked(order: IntArray, sizes: IntArray, words: NDArray[np.uint32]) -> IntArray:
    """Order the rows of each person by their words, and by their place where words are the same."""
    person = np.empty(order.size, dtype=np.int64)
    person[order] = np.repeat(np.arange(sizes.size), sizes)
    keys = person << WORD_BITS | words
    ranked = np.argsort(keys)
    ascending = keys[ranked]
    return np.argsort(keys, kind="stable") if (ascending[1:] == ascending[:-1]).any() else ranked


class Reduction(Protocol):
    """What becomes of the rows of a person."""

    def start(self, rows: Rows) -> Rows:
        """Return rows as they are kept."""

    def pruned(self, rows: Rows) -> Rows:
        """Return what may still count; more rows may follow."""

    def places(self, rows: Rows) -> IntArray:
        """Return where everything stands that counts, of rows that were pruned."""


@dataclass(frozen=True)
class AtMost:
    """At most m rows of each person, all with the same chance."""

    m: int

    def start(self, rows: Rows) -> Rows:
        """Keep rows as they are."""
        return rows

    def pruned(self, rows: Rows) -> Rows:
        """Leave out rows of which m better ones are there."""
        return rows.at_most(self.m)

    def places(self, rows: Rows) -> IntArray:
        """Return the places of the rows."""
        return rows.values[0]


@dataclass(frozen=True)
class MeanOfEach:
    """One number for each person: the mean of their rows, in one cell.

    Cells have no mean: a person is in the cell of the row with their smallest secret word (of two
    such, in the lower cell), and the mean is of their rows in that very cell. So a sum for each
    person and cell is all that is kept.
    """

    means: Means
    ticks: int

    def start(self, rows: Rows) -> Rows:
        """Make a sum of each row: its cell, its tick, and that it is one."""
        cell, tick = np.divmod(rows.values[0].astype(np.int64), self.ticks)
        return Rows(rows.persons, rows.words, (cell, tick, np.ones_like(tick)))

    def pruned(self, rows: Rows) -> Rows:
        """Add up the sums of each person in each cell, under the smallest word of them."""
        if not len(rows):
            return rows
        cell, total, size = rows.values
        order = np.lexsort((cell, rows.persons)) if cell.any() else np.argsort(rows.persons)
        persons, cell = rows.persons[order], cell[order]
        new = (persons[1:] != persons[:-1]) | (cell[1:] != cell[:-1])
        starts = np.flatnonzero(np.concatenate(([True], new)))
        sums = (np.add.reduceat(number[order], starts) for number in (total, size))
        return Rows(persons[starts], np.minimum.reduceat(rows.words[order], starts), (cell[starts], *sums))

    def places(self, rows: Rows) -> IntArray:
        """Return the place of each person's mean, in the cell of their smallest word."""
        cell, total, size = rows.at_most(1).values
        return cell * (self.means.bounds.top + 1) + self.means.ticks(total, size)


def reduction(task: Task) -> Reduction:
    """Return what a task makes of the rows of a person; a level alone has no mean."""
    assert task.person is not None
    if task.person.reduce == "mean" and task.bounds is not None:
        return MeanOfEach(Means(task.bounds), task.ticks)
    return AtMost(1 if task.person.reduce else task.person.rows)


class Shards:
    """Rows in parts by the first bits of their persons' words, so that a person is in one part.

    Each part is pruned when it has doubled: what is kept is at most twice what may still count. Few
    rows stay together, because parts of them would be too small to be worth their while.
    """

    def __init__(self, task: Task) -> None:
        """Begin with no rows."""
        self._task = task
        self._reduction = reduction(task)
        self._whole: list[Rows] = []
        self._parts: list[list[Rows]] = [[] for _ in range(SHARDS)]
        self._sizes = [0] * SHARDS
        self._most = [ROOM] * SHARDS

    def __iadd__(self, rows: Rows) -> Shards:
        """Take the rows of one batch."""
        self._whole.append(self._reduction.start(rows))
        if sum(map(len, self._whole)) > WHOLE:
            self._part()
        return self

    def _part(self) -> None:
        """Bring rows to their parts, in the order of reading."""
        rows, self._whole = Rows.joined(self._whole), []
        shard = (rows.persons >> np.uint64(64 - SHARD_BITS)).astype(np.uint8)
        rows = rows[np.argsort(shard, kind="stable")]
        sizes = np.bincount(shard, minlength=SHARDS)
        ends = np.cumsum(sizes)
        for place in np.flatnonzero(sizes).tolist():
            self._take(place, rows.part(ends[place] - sizes[place], ends[place]))

    def _take(self, place: int, rows: Rows) -> None:
        self._parts[place].append(rows)
        self._sizes[place] += len(rows)
        if self._sizes[place] > self._most[place]:
            rest = self._reduction.pruned(Rows.joined(self._parts[place]))
            self._parts[place], self._sizes[place] = [rest], len(rest)
            self._most[place] = max(ROOM, 2 * len(rest))

    def pruned(self) -> Iterator[Rows]:
        """Go through the parts, letting each go."""
        if any(self._parts) and self._whole:
            self._part()
        parts, self._parts, self._whole = [self._whole, *self._parts], [], []
        while parts:
            part = parts.pop()
            if part:
                yield self._reduction.pruned(Rows.joined(part))

    def counts(self) -> Counts:
        """Count what counts of everybody."""
        tally = Tally(self._task.cells, self._task.grid)
        for rows in self.pruned():
            tally += self._reduction.places(rows)
        return tally.counts()
