"""Own table: open data of a teacher, on which lessons may stand beside the samples.

Everything in it is treated as open: the lessons show exact counts of it to everybody in the class, or to
whoever sees the screen. A file becomes one here and nowhere else, when somebody has said that it is open;
rows that are protected never do.
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
CELL = 8  # bytes of a cell that is written as another one, or is a number
LEAST_TOP = 10  # below it there is nothing to clip
TOO_LARGE = Phrase("The file is too large for a class: at most 5 MB, 100,000 rows and 40 columns.")
NO_TEXT = Phrase("The file is no text in UTF-8 with commas between its cells. Save it as CSV (UTF-8).")
TOO_SHORT = Phrase("The file needs a line with the names of its columns and at least 30 rows below.")
UNEVEN = Phrase("Some row of the file has more or fewer cells than its first line has names.")
UNNAMED = Phrase("Each column of the file needs a name of its own.")


@dataclass(frozen=True)
class OwnTable:
    """A table by its columns: as they are written, and those that are whole numbers throughout."""

    written: Mapping[str, tuple[str, ...]]
    whole: Mapping[str, FloatArray]
    size: int  # of its file, in bytes

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(next(iter(self.written.values())))

    @cached_property
    def weight(self) -> int:
        """How many bytes it takes in memory: what is written alike is there once; numbers are counted, too."""
        cells = CELL * self.rows * (len(self.written) + 3 * len(self.whole))
        return cells + sum(getsizeof(cell) for column in self.written.values() for cell in set(column))

    @cached_property
    def groups(self) -> list[str]:
        """Return the columns in which values repeat."""
        return [name for name, cells in self.written.items() if len(set(cells)) <= len(cells) / 2]

    @cached_property
    def amounts(self) -> dict[str, Column]:
        """Return the columns whose sum a bound may clip: whole numbers from 0 on, not all of them small."""
        tops = {name: int(values.max()) for name, values in self.whole.items() if values.min() >= 0}
        bounds = {name: Bounds(0, top, integer=True) for name, top in tops.items() if top >= LEAST_TOP}
        return {name: Column.from_values(bounds[name], self.whole[name]) for name in bounds}

    @cached_property
    def missing(self) -> list[str]:
        """Say what lessons do not find in it."""
        return [need.missing for need in NEEDS if not need.met(self)]


@dataclass(frozen=True)
class Need:
    """What a lesson needs of a table: in which step, how that is said where it is missing, and whether it is there."""

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
        Phrase("Lesson 4 needs a column of whole numbers from 0 on, one of them at least 10, such as an income."),
        lambda table: bool(table.amounts),
    ),
    Need(
        "lesson8-local",
        Phrase("Lesson 8 needs a column in which values repeat, such as sex or occupation."),
        lambda table: bool(table.groups),
    ),
)


def need(step: str) -> Need | None:
    """Return what a step needs of a table, if it takes one."""
    return next((each for each in NEEDS if each.step == step), None)


def read(path: Path) -> OwnTable:
    """Read the file of a teacher, or say what is wrong with it."""
    if path.stat().st_size > MOST_BYTES:
        raise ParameterError(TOO_LARGE)
    data = path.read_bytes()
    return _table(in_our_form(data), len(data))


def brought(data: bytes) -> OwnTable:
    """Read the file that somebody brings to a server, in the process that has limits."""
    if len(data) > MOST_BYTES:
        raise ParameterError(TOO_LARGE)
    return _table(read_aside(in_our_form, data), len(data))


def in_our_form(data: bytes, beside: object = None) -> bytes:
    """Return the columns of a file as an Arrow stream in which cells that are written alike are there once."""
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
    """Return the lines in which something stands, no more of them than there may be, nor twice as many with others."""
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
    """Return cells as texts, each there once."""
    return tuple(map(cells.dictionary.to_pylist().__getitem__, cells.indices.to_pylist()))


def _whole(cells: tuple[str, ...]) -> FloatArray | None:
    """Return the numbers of a column, if each cell is a whole one that is not too long."""
    if all(cell.removeprefix("-").isascii() and cell.removeprefix("-").isdigit() and len(cell) < 10 for cell in cells):
        return np.array(cells, dtype=float)
    return None


class Lectern:
    """Where the table of a class lies while the class lasts."""

    table: OwnTable | None = None


LECTERN = Lectern()
