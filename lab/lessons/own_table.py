"""Own table: open data of a teacher, on which lessons may stand beside the samples.

Everything in it is treated as open: the lessons show exact counts of it to everybody in the class, or to
whoever sees the screen. A file becomes one here and nowhere else, when somebody has said that it is open;
rows that are protected never do.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.queries import Bounds, Column
from discreet.queries.bounds import FloatArray

MOST_BYTES, MOST_ROWS, MOST_COLUMNS, LONGEST = 5_000_000, 100_000, 40, 200
FEWEST = 30  # rows
HEAVIER = 30  # times as much memory as its file, where each cell has two letters
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

    @property
    def weight(self) -> int:
        """How many bytes it takes in memory at most."""
        return HEAVIER * self.size

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
    return parsed(path.read_bytes())


def parsed(data: bytes) -> OwnTable:
    """Make a table of the bytes of a file, or say what is wrong with them."""
    if len(data) > MOST_BYTES:
        raise ParameterError(TOO_LARGE)
    try:
        lines = list(csv.reader(data.decode("utf-8-sig").splitlines(), strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise ParameterError(NO_TEXT) from None
    lines = [line for line in lines if any(cell.strip() for cell in line)]
    if len(lines) > MOST_ROWS + 1 or len(lines[0] if lines else ()) > MOST_COLUMNS:
        raise ParameterError(TOO_LARGE)
    if len(lines) < FEWEST + 1:
        raise ParameterError(TOO_SHORT)
    return _table([name.strip() for name in lines[0]], lines[1:], len(data))


def _table(names: list[str], rows: list[list[str]], size: int) -> OwnTable:
    if not all(names) or len(set(names)) < len(names):
        raise ParameterError(UNNAMED)
    if any(len(row) != len(names) for row in rows):
        raise ParameterError(UNEVEN)
    columns = {
        name: tuple(cell.strip()[:LONGEST] for cell in cells)
        for name, cells in zip(names, zip(*rows, strict=True), strict=True)
    }
    numbers = {name: _whole(cells) for name, cells in columns.items()}
    return OwnTable(columns, {name: values for name, values in numbers.items() if values is not None}, size)


def _whole(cells: tuple[str, ...]) -> FloatArray | None:
    """Return the numbers of a column, if each cell is a whole one that is not too long."""
    if all(cell.removeprefix("-").isascii() and cell.removeprefix("-").isdigit() and len(cell) < 10 for cell in cells):
        return np.array(cells, dtype=float)
    return None


class Lectern:
    """Where the table of a class lies while the class lasts."""

    table: OwnTable | None = None


LECTERN = Lectern()
