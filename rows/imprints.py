"""Imprints: about a thousand keyed numbers, by which another table with equal rows or people is detected.

Of each form of a row, or of all identifiers, the `MOST` smallest keyed numbers of 64 bits are kept. They are equal for
equal rows in any order. Of two tables, the numbers below both of the largest ones are therefore a fair sample of
either, and the part that these numbers share estimates the part that the tables share (Beyer et al. 2007). A cell is
represented by its text without case, outer blanks and format-specific spellings of numbers. The number of a cell is AES
of a keyed word, that of a row is AES of the sum over its cells. So names and order of columns have no effect, and
because each column is also left out once, tables that differ in one column are detected. Different sets of cells have
equal sums with probability c / 2^64, for c columns: the words of different texts are equal with probability 2^-64
(`identifiers`), and apart from that sums behind AES are uniform.

Where rows repeat, different people have equal ones. For the kept rows it is known which occurred once, and from that
how many rows of another table would be equal by chance alone: only the excess counts.
"""

from __future__ import annotations

import hmac
import io
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB
from numpy.typing import NDArray

from discreet.rows.cells import text
from discreet.rows.identifiers import words
from discreet.rows.numerals import canonical
from discreet.rows.source import Batched, Source

Marks = NDArray[np.uint64]
MOST = 1024  # numbers that are kept of each form
FEWEST = 20  # that two tables must share below both ends; with fewer, the shared part counts as 0
WIDEST = 32  # columns; of wider tables only whole rows are kept
NEVER_TWICE = 0.9  # the part that occurs once, of a column that may name people though it was not declared as such
LAST = np.uint64(2**64 - 1)
CELL, ROW = 0, 1  # what a number is computed from
MIDNIGHT = r"[ t]00:00:00(\.0+)?z?$"


@dataclass(frozen=True)
class Imprint:
    """The smallest numbers of one form, the bound below which they are complete, and the part that occurred once."""

    marks: Marks
    end: np.uint64
    alone: float

    @property
    def size(self) -> float:
        """The approximate number of distinct values."""
        return float(self.marks.size) if self.end == LAST else (self.marks.size - 1) * 2.0**64 / float(self.end)

    def shared(self, other: Imprint, chance: bool = True) -> float:
        """Return the part of the smaller table that is in the other one, beyond what chance explains."""
        end = min(self.end, other.end)
        mine, theirs = (marks[marks <= end] for marks in (self.marks, other.marks))
        same = np.intersect1d(mine, theirs, assume_unique=True).size
        if same < FEWEST:
            return 0.0
        return same / min(mine.size, theirs.size) - (self._by_chance(other) if chance else 0.0)

    def _by_chance(self, other: Imprint) -> float:
        """Bound the part that unrelated tables share, from how rarely either table repeats a row.

        A form that a table is expected to contain x times is in another draw of that size with probability 1 - exp(-x).
        Given that it occurs, it occurs again with probability 1 - x / (exp(x) - 1), which is more than half of that.
        """
        ratio = self.size / other.size
        return 2 * min((1 - self.alone) * max(1.0, 1 / ratio), (1 - other.alone) * max(1.0, ratio))


@dataclass(frozen=True)
class Imprints:
    """The imprints of a table: of its rows, whole and with each column left out once, and of its identifiers."""

    rows: tuple[Imprint, ...]
    people: Imprint | None
    columns: tuple[Imprint, ...] = ()  # never stored: only to find identifiers that were not declared

    def same_people(self, earlier: Imprints) -> float:
        """Return the part of the identifiers that a stored table contains, too, in any column of this table."""
        if earlier.people is None:
            return 0.0
        named = [] if self.people is None else [self.people]
        named += [column for column in self.columns if column.alone >= NEVER_TWICE]
        return max((column.shared(earlier.people, chance=False) for column in named), default=0.0)

    def same_rows(self, earlier: Imprints) -> float:
        """Return the part of the rows that a stored table contains, too, ignoring up to one column on each side."""
        return max((mine.shared(theirs) for mine in self.rows for theirs in earlier.rows), default=0.0)

    def to_bytes(self) -> bytes:
        """Serialise what is stored."""
        every = [*self.rows, *([] if self.people is None else [self.people])]
        into = io.BytesIO()
        np.savez(
            into,
            marks=np.concatenate([each.marks for each in every]),
            sizes=np.array([each.marks.size for each in every]),
            ends=np.array([each.end for each in every], dtype=np.uint64),
            alone=np.array([each.alone for each in every]),
            people=np.array(self.people is not None),
        )
        return into.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Imprints:
        """Parse serialised imprints."""
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            parts = np.split(file["marks"], np.cumsum(file["sizes"])[:-1])
            every = list(map(Imprint, parts, file["ends"], file["alone"].tolist()))
            named = bool(file["people"])
        return cls(tuple(every[:-1] if named else every), every[-1] if named else None)


class Keyed:
    """Keyed pseudorandom numbers of 64 bits, which reveal nothing without the key."""

    def __init__(self, key: bytes) -> None:
        """Derive a key for texts and one for numbers."""
        self._texts, own = (hmac.new(key, use, sha256).digest() for use in (b"texts", b"numbers"))
        # each block is enciphered independently: equal blocks give equal keyed numbers
        self._cipher = Cipher(AES(own), ECB()).encryptor()

    def cells(self, column: pa.Array) -> Marks:
        """Return the number of each cell; a missing one counts as an empty text."""
        coded = text(column).dictionary_encode()
        forms = pa.concat_arrays([_form(coded.dictionary).cast(pa.large_string()), pa.array([""], pa.large_string())])
        marks = self.marks(words(forms, self._texts), CELL)
        chosen: Marks = marks[np.asarray(coded.indices.fill_null(len(forms) - 1))]
        return chosen

    def marks(self, numbers: Marks, use: int) -> Marks:
        """Return a keyed number of each number."""
        blocks = np.empty((numbers.size, 2), dtype="<u8")
        blocks[:, 0], blocks[:, 1] = numbers, use
        return np.frombuffer(self._cipher.update(blocks.tobytes()), dtype="<u8")[::2].astype(np.uint64)


class Lowest:
    """The smallest numbers so far, and how often each occurred."""

    def __init__(self) -> None:
        """Start with none."""
        self._marks = np.zeros(0, np.uint64)
        self._times = np.zeros(0, np.int64)
        self._end = LAST

    def take(self, marks: Marks) -> None:
        """Add the numbers of a batch. A number that is kept was never dropped before, so its count is complete."""
        new, times = np.unique(marks[marks <= self._end], return_counts=True)
        both, place = np.unique(np.concatenate((self._marks, new)), return_inverse=True)
        counts = np.bincount(place, np.concatenate((self._times, times)), both.size).astype(np.int64)
        self._marks = both[:MOST]
        self._times = counts[:MOST]
        if both.size >= MOST:
            self._end = self._marks[-1]

    @property
    def imprint(self) -> Imprint:
        """The imprint of the numbers so far."""
        return Imprint(self._marks, self._end, float(np.mean(self._times == 1)) if self._times.size else 0.0)


class Collector:
    """What is collected of a table while it is read, batch by batch."""

    def __init__(self, keyed: Keyed, names: Sequence[str]) -> None:
        """Start with no rows of these columns."""
        self._keyed = keyed
        self._names = names
        self._columns = [Lowest() for _ in names]
        self._rows = [Lowest() for _ in range(1 + (len(names) if 1 < len(names) <= WIDEST else 0))]

    def __iadd__(self, batch: pa.RecordBatch) -> Collector:
        """Add the rows of one batch."""
        cells = [self._keyed.cells(batch.column(name)) for name in self._names]
        for lowest, marks in zip(self._columns, cells, strict=True):
            lowest.take(marks)
        whole: Marks = np.add.reduce(cells)
        self._rows[0].take(self._keyed.marks(whole, ROW))
        for lowest, marks in zip(self._rows[1:], cells, strict=False):
            lowest.take(self._keyed.marks(whole - marks, ROW))
        return self

    def imprints(self, person: str | None) -> Imprints:
        """Return the imprints of all rows so far."""
        columns = {name: lowest.imprint for name, lowest in zip(self._names, self._columns, strict=True)}
        rows = tuple(lowest.imprint for lowest in self._rows)
        return Imprints(rows, columns[person] if person is not None else None, tuple(columns.values()))


def imprints_of(source: Source, key: bytes, person: str | None) -> Imprints | None:
    """Read a table once and return its imprints; None if its rows are not read in this process."""
    if not isinstance(source, Batched):
        return None
    collector = Collector(Keyed(key), list(source.names))
    return source.map(lambda batch: batch, list(source.names), collector).imprints(person)


def _form(texts: pa.Array) -> pa.Array:
    """Return each text in a canonical spelling across file formats; slow patterns are applied only where needed."""
    if pc.all(pc.ascii_is_decimal(texts), min_count=0).as_py():
        return texts
    lower = pc.utf8_lower(pc.utf8_normalize(canonical(texts), form="NFKC"))
    if not pc.any(pc.match_substring(lower, ":"), min_count=0).as_py():
        return lower
    return pc.replace_substring_regex(lower, pattern=MIDNIGHT, replacement="")
