"""Persons: at most m rows of each person, by secret random choice, or one number for each person.

Rows of one person are brought together by the secret word of the person, in parts that fit a processor's cache. Rows
that cannot count any more are dropped while the rest is still being read.
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

# --- Lots: the secret random choices of reading, separate from what is read ---

if TYPE_CHECKING:  # code that only reads rows does not load the mechanisms
    from discreet.mechanisms.base.view import Words as WordSource

WORD = 2**62  # words of a source of noise are uniform below this
ROW_WORD = np.uint32(2**30 - 1)  # two words of rows are taken from one word of noise


class Lots(Protocol):
    """The random choices that reading needs."""

    def rows(self, size: int) -> NDArray[np.uint32]:
        """Return a secret word of 30 bits for each of the next rows, in reading order.

        Two rows of one person may have equal words; then the one that was read first comes first, so that the choice
        among a person's rows depends on no other person.
        """

    def persons(self, cells: Any, fold: bool) -> tuple[NDArray[np.uint64], Mask]:
        """Return the secret word of each row's person, and which rows name one.

        `fold` means that an identifier's letter case and Unicode variants are ignored.
        """

    def chosen(self, rows: int, size: int) -> IntArray:
        """Return which `size` of `rows` rows are kept, uniformly among all choices."""


class Seeded:
    """Words derived from one secret number, so that rows are read again with the same choices.

    A finer answer uses the choices of the first one. The number is stored with that answer in the ledger and is never
    shown: with it and the rows one would know which rows count.
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
    """Lots from a source of noise. The words of two instances are independent."""

    def __init__(self, noise: WordSource) -> None:
        """Draw a fresh key for the words of persons."""
        self._noise = noise
        self._key = noise.words(4).tobytes()
        self._spare = np.zeros(0, np.uint32)

    def rows(self, size: int) -> NDArray[np.uint32]:
        """Return a secret word for each row; the words do not depend on the sizes of batches."""
        drawn = self._noise.words((size - self._spare.size + 1) // 2).view(np.uint32) & ROW_WORD
        words = np.concatenate((self._spare, drawn)) if self._spare.size else drawn
        self._spare = words[size:].copy()
        return words[:size]

    def persons(self, cells: Any, fold: bool) -> tuple[NDArray[np.uint64], Mask]:
        """Return equal words for equal persons, by a keyed hash."""
        return person_words(cells, self._key, fold)

    def chosen(self, rows: int, size: int) -> IntArray:
        """Choose the rows to keep or the rows to drop, whichever are fewer."""
        chosen = self._distinct(rows, min(size, rows - size))
        if size <= rows - size:
            return chosen
        left = np.ones(rows, dtype=bool)
        left[chosen] = False
        return np.flatnonzero(left)

    def _distinct(self, rows: int, size: int) -> IntArray:
        """Draw positions until `size` of them differ; the first distinct ones are a uniform choice."""
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
WHOLE = 2**20  # rows up to which there is only one part
ROOM = 2**14  # rows up to which a part is not pruned
WORD_BITS = 30  # of a row's word

Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of several persons in reading order: the person's secret word, the row's secret word, values."""

    persons: Words
    words: NDArray[np.uint32]
    values: tuple[NDArray[Any], ...]

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.persons.size

    def __getitem__(self, places: Any) -> Rows:
        """Return a selection of the rows."""
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
        """Concatenate rows, in order."""
        if len(parts) == 1:
            return parts[0]
        values = zip(*(part.values for part in parts), strict=True)
        return cls(
            np.concatenate([part.persons for part in parts]),
            np.concatenate([part.words for part in parts]),
            tuple(np.concatenate(value) for value in values),
        )

    def at_most(self, m: int) -> Rows:
        """Return the m rows of every person with the smallest secret words.

        Adding or removing a person changes no other person's rows: of two rows with equal words the one that was read
        first is kept, whatever rows surround them.
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
    """Return an order in which equal labels are adjacent, and where each label begins."""
    order = np.argsort(labels)
    ascending = labels[order]
    return order, np.flatnonzero(np.concatenate(([True], ascending[1:] != ascending[:-1])))


def _ranked(order: IntArray, sizes: IntArray, words: NDArray[np.uint32]) -> IntArray:
    """Order the rows of each person by their words, and by position where words are equal."""
    person = np.empty(order.size, dtype=np.int64)
    person[order] = np.repeat(np.arange(sizes.size), sizes)
    keys = person << WORD_BITS | words
    ranked = np.argsort(keys)
    ascending = keys[ranked]
    return np.argsort(keys, kind="stable") if (ascending[1:] == ascending[:-1]).any() else ranked


class Reduction(Protocol):
    """How the rows of a person are reduced."""

    def start(self, rows: Rows) -> Rows:
        """Return rows in the form in which they are kept."""

    def pruned(self, rows: Rows) -> Rows:
        """Return the rows that may still count; more rows may follow."""

    def places(self, rows: Rows) -> IntArray:
        """Return the places of everything that counts, from pruned rows."""


@dataclass(frozen=True)
class AtMost:
    """At most m rows of each person, chosen uniformly."""

    m: int

    def start(self, rows: Rows) -> Rows:
        """Return the rows unchanged."""
        return rows

    def pruned(self, rows: Rows) -> Rows:
        """Drop rows of a person who has m rows with smaller words."""
        return rows.at_most(self.m)

    def places(self, rows: Rows) -> IntArray:
        """Return the places of the rows."""
        return rows.values[0]


@dataclass(frozen=True)
class MeanOfEach:
    """One number for each person, or one of each column: the mean of their rows, in one cell.

    Cells have no mean: a person is in the cell of the row with their smallest secret word (of equal words, in the lower
    cell), and the mean is taken over their rows in that cell. So only a sum for each person and cell is kept.
    """

    means: tuple[Means, ...]

    def start(self, rows: Rows) -> Rows:
        """Turn each row into sums: its cell, its tick of each column, and a count of one."""
        cell = rows.values[0].astype(np.int64)
        ticks = list[IntArray]()
        for mean in reversed(self.means):  # the last one runs fastest
            cell, tick = np.divmod(cell, mean.declared.top + 1)
            ticks.insert(0, tick)
        return Rows(rows.persons, rows.words, (cell, *ticks, np.ones_like(cell)))

    def pruned(self, rows: Rows) -> Rows:
        """Add up the sums of each person in each cell, with the smallest of their words."""
        if not len(rows):
            return rows
        cell, *totals = rows.values
        order = np.lexsort((cell, rows.persons)) if cell.any() else np.argsort(rows.persons)
        persons, cell = rows.persons[order], cell[order]
        new = (persons[1:] != persons[:-1]) | (cell[1:] != cell[:-1])
        starts = np.flatnonzero(np.concatenate(([True], new)))
        sums = (np.add.reduceat(number[order], starts) for number in totals)
        return Rows(persons[starts], np.minimum.reduceat(rows.words[order], starts), (cell[starts], *sums))

    def places(self, rows: Rows) -> IntArray:
        """Return the place of each person's mean, in the cell of their smallest word."""
        places, *totals, size = rows.at_most(1).values
        for mean, total in zip(self.means, totals, strict=True):
            places = places * (mean.bounds.top + 1) + mean.ticks(total, size)
        return places


def reduction(task: Task) -> Reduction:
    """Return how a task reduces the rows of a person; a category alone has no mean."""
    assert task.person is not None
    if task.person.reduce == "mean" and task.columns:
        return MeanOfEach(tuple(map(Means, task.bounds)))
    return AtMost(1 if task.person.reduce else task.person.rows)


class Shards:
    """Rows partitioned by the first bits of their persons' words, so that each person is in one part.

    A part is pruned when it has doubled: what is kept is at most twice what may still count. A small number of rows is
    not partitioned, because the parts would be too small to be worth it.
    """

    def __init__(self, task: Task) -> None:
        """Start with no rows."""
        self._task = task
        self._reduction = reduction(task)
        self._whole: list[Rows] = []
        self._parts: list[list[Rows]] = [[] for _ in range(SHARDS)]
        self._sizes = [0] * SHARDS
        self._most = [ROOM] * SHARDS

    def __iadd__(self, rows: Rows) -> Shards:
        """Add the rows of one batch."""
        self._whole.append(self._reduction.start(rows))
        if sum(map(len, self._whole)) > WHOLE:
            self._part()
        return self

    def _part(self) -> None:
        """Distribute rows to their parts, in reading order."""
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
        """Yield the pruned parts, freeing each."""
        if any(self._parts) and self._whole:
            self._part()
        parts, self._parts, self._whole = [self._whole, *self._parts], [], []
        while parts:
            part = parts.pop()
            if part:
                yield self._reduction.pruned(Rows.joined(part))

    def counts(self) -> Counts:
        """Count the rows of all persons that count."""
        tally = Tally(self._task.cells, self._task.grid)
        for rows in self.pruned():
            tally += self._reduction.places(rows)
        return tally.counts()
