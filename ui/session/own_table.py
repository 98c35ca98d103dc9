"""Own table: a teacher's public data, which lessons can use in addition to the samples.

Everything in it is treated as public: the lessons show exact counts of it to the class, or to anyone who sees the
screen. A file becomes such a table here and nowhere else, after a person has declared it public; protected rows never
do.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from sys import getsizeof

import numpy as np
import pyarrow as pa

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries import Bounds, Column
from discreet.queries.bounds import FloatArray
from discreet.rows.intake.small_files import read_aside

MOST_BYTES = 5_000_000
MOST_ROWS = 100_000
MOST_COLUMNS = 40
LONGEST = 200
FEWEST = 30  # rows
CELL = 8  # bytes of a recoded cell, or of a number
LEAST_TOP = 10  # below this there is nothing to clip
TOO_LARGE = Phrase("The file is too large for a class: at most 5 MB, 100,000 rows and 40 columns.")
NO_TEXT = Phrase("The file is not a comma-separated UTF-8 text file. Save it as CSV (UTF-8).")
TOO_SHORT = Phrase("The file needs a line with column names and at least 30 rows below it.")
UNEVEN = Phrase(
    "A row of the file has more or fewer cells than the first line has column names. Correct the row, "
    "then upload the file again."
)
UNNAMED = Phrase("Each column of the file needs a unique name.")


@dataclass(frozen=True)
class OwnTable:
    """A table by its columns: all of them as text, and those that contain only whole numbers."""

    written: Mapping[str, tuple[str, ...]]
    whole: Mapping[str, FloatArray]
    size: int  # of its file, in bytes

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.written.values())))

    @cached_property
    def weight(self) -> int:
        """The number of bytes in memory: equal texts are stored once; numbers count too."""
        cells = CELL * self.rows * (len(self.written) + 3 * len(self.whole))
        return cells + sum(getsizeof(cell) for column in self.written.values() for cell in set(column))

    @cached_property
    def groups(self) -> list[str]:
        """Return the columns in which values repeat."""
        return [name for name, cells in self.written.items() if len(set(cells)) <= len(cells) / 2]

    @cached_property
    def amounts(self) -> dict[str, Column]:
        """Return the columns whose sum can be clipped: whole numbers from 0 on, not all of them small."""
        tops = {name: int(values.max()) for name, values in self.whole.items() if values.min() >= 0}
        bounds = {name: Bounds(0, top, integer=True) for name, top in tops.items() if top >= LEAST_TOP}
        return {name: Column.from_values(bounds[name], self.whole[name]) for name in bounds}

    @cached_property
    def missing(self) -> list[str]:
        """Return what the lessons need and do not find in it."""
        return [need.missing for need in NEEDS if not need.met(self)]


@dataclass(frozen=True)
class Need:
    """What a lesson needs of a table: the step, the message if it is missing, and a test for it."""

    step: str
    missing: str
    met: Callable[[OwnTable], bool]


NEEDS = (
    Need(
        "lesson1-groups",
        Phrase("Lesson 1 needs two columns in which values repeat, such as sex or occupation."),
        lambda table: len(table.groups) > 1,
    ),
    Need(
        "lesson3-count",
        Phrase("Lesson 3 needs a column of whole numbers, such as an age in years."),
        lambda table: bool(table.whole),
    ),
    Need(
        "lesson4-clipping",
        Phrase(
            "Lesson 4 needs a column of whole numbers from 0 up, at least one of them 10 or more, such as an income."
        ),
        lambda table: bool(table.amounts),
    ),
    Need(
        "lesson8-local",
        Phrase("Lesson 8 needs a column in which values repeat, such as sex or occupation."),
        lambda table: bool(table.groups),
    ),
)


def need(step: str) -> Need | None:
    """Return what a step needs of a table, if it uses one."""
    return next((each for each in NEEDS if each.step == step), None)


def read(path: Path) -> OwnTable:
    """Read a teacher's file, or raise an error that says what is wrong with it."""
    if path.stat().st_size > MOST_BYTES:
        raise ParameterError(TOO_LARGE)
    data = path.read_bytes()
    return _table(in_our_form(data), len(data))


def brought(data: bytes) -> OwnTable:
    """Read a file that was uploaded to a server, in the process with limits."""
    if len(data) > MOST_BYTES:
        raise ParameterError(TOO_LARGE)
    return _table(read_aside(in_our_form, data), len(data))


def in_our_form(data: bytes, beside: object = None) -> bytes:
    """Return the columns of a file as an Arrow stream in which equal cells are stored once."""
    try:
        lines = list(_lines(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)))
    except (UnicodeDecodeError, csv.Error):
        raise ParameterError(NO_TEXT) from None
    if len(lines) < FEWEST + 1:
        raise ParameterError(TOO_SHORT)
    names = [name.strip() for name in lines[0]]
    rows = lines[1:]
    if not all(names) or len(set(names)) < len(names):
        raise ParameterError(UNNAMED)
    if any(len(row) != len(names) for row in rows):
        raise ParameterError(UNEVEN)
    cells = [pa.array([cell.strip()[:LONGEST] for cell in column]) for column in zip(*rows, strict=True)]
    batch = pa.record_batch([column.dictionary_encode() for column in cells], names)
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    return sink.getvalue()


def _lines(lines: Iterable[list[str]]) -> Iterator[list[str]]:
    """Yield the non-empty lines; refuse too many of them, and empty lines beyond twice that number."""
    said = 0
    for number, line in enumerate(lines):
        if any(cell.strip() for cell in line):
            said += 1
            if said > MOST_ROWS + 1 or (said == 1 and len(line) > MOST_COLUMNS):
                raise ParameterError(TOO_LARGE)
            yield line
        elif number > 2 * MOST_ROWS:
            raise ParameterError(TOO_LARGE)


def _table(columns: bytes, size: int) -> OwnTable:
    table = pa.ipc.open_stream(columns).read_all()
    written = {name: _written(table.column(name).combine_chunks()) for name in table.column_names}
    numbers = {name: _whole(cells) for name, cells in written.items()}
    return OwnTable(written, {name: values for name, values in numbers.items() if values is not None}, size)


def _written(cells: pa.DictionaryArray) -> tuple[str, ...]:
    """Return cells as texts, equal ones sharing one object."""
    return tuple(map(cells.dictionary.to_pylist().__getitem__, cells.indices.to_pylist()))


def _whole(cells: tuple[str, ...]) -> FloatArray | None:
    """Return the numbers of a column if every cell is a whole number of limited length."""
    if all(cell.removeprefix("-").isascii() and cell.removeprefix("-").isdigit() and len(cell) < 10 for cell in cells):
        return np.array(cells, dtype=float)
    return None


class Lectern:
    """The holder of a class's table while the class lasts."""

    table: OwnTable | None = None


LECTERN = Lectern()
