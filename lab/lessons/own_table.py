"""Own table: open data of a teacher, on which lessons may stand beside the samples while a class lasts.

Everything in it is treated as open: the lessons show exact counts of it to everybody in the class.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.queries.bounds import FloatArray

MOST_BYTES, MOST_ROWS, MOST_COLUMNS, LONGEST = 5_000_000, 100_000, 40, 200
FEWEST = 30  # rows
TOO_LARGE = Phrase("The file is too large for a class: at most 5 MB, 100,000 rows and 40 columns.")
NO_TEXT = Phrase("The file is no text in UTF-8 with commas between its cells. Save it as CSV (UTF-8).")
TOO_SHORT = Phrase("The file needs a line with the names of its columns and at least 30 rows below.")
UNEVEN = Phrase("Some row of the file has more or fewer cells than its first line has names.")
UNNAMED = Phrase("Each column of the file needs a name of its own.")


@dataclass(frozen=True)
class Need:
    """What a lesson needs of a table: in which step, and how that is said where it is missing."""

    step: str
    missing: str


NEEDS = (
    Need("lesson1-groups", Phrase("Lesson 1 needs two columns in which values repeat, such as sex or occupation.")),
    Need("lesson3-count", Phrase("Lesson 3 needs a column of whole numbers, such as an age in years.")),
)


@dataclass(frozen=True)
class OwnTable:
    """A table by its columns: as they are written, and those that are whole numbers throughout."""

    written: Mapping[str, tuple[str, ...]]
    whole: Mapping[str, FloatArray]

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(next(iter(self.written.values())))

    @property
    def groups(self) -> list[str]:
        """Return the columns in which values repeat."""
        return [name for name, cells in self.written.items() if len(set(cells)) <= len(cells) / 2]

    def suits(self, step: str) -> bool:
        """Say whether a step of a lesson finds in it what it needs."""
        return len(self.groups) > 1 if step == NEEDS[0].step else bool(self.whole)

    @property
    def missing(self) -> list[str]:
        """Say what lessons do not find in it."""
        return [need.missing for need in NEEDS if not self.suits(need.step)]


def read(path: Path) -> OwnTable:
    """Read the file of a teacher, or say what is wrong with it."""
    if path.stat().st_size > MOST_BYTES:
        raise ParameterError(TOO_LARGE)
    try:
        lines = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines(), strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise ParameterError(NO_TEXT) from None
    lines = [line for line in lines if any(cell.strip() for cell in line)]
    if len(lines) > MOST_ROWS + 1 or len(lines[0] if lines else ()) > MOST_COLUMNS:
        raise ParameterError(TOO_LARGE)
    if len(lines) < FEWEST + 1:
        raise ParameterError(TOO_SHORT)
    return _table([name.strip() for name in lines[0]], lines[1:])


def _table(names: list[str], rows: list[list[str]]) -> OwnTable:
    if not all(names) or len(set(names)) < len(names):
        raise ParameterError(UNNAMED)
    if any(len(row) != len(names) for row in rows):
        raise ParameterError(UNEVEN)
    columns = {
        name: tuple(cell.strip()[:LONGEST] for cell in cells)
        for name, cells in zip(names, zip(*rows, strict=True), strict=True)
    }
    numbers = {name: _whole(cells) for name, cells in columns.items()}
    return OwnTable(columns, {name: values for name, values in numbers.items() if values is not None})


def _whole(cells: tuple[str, ...]) -> FloatArray | None:
    """Return the numbers of a column, if each cell is a whole one that is not too long."""
    if all(cell.removeprefix("-").isascii() and cell.removeprefix("-").isdigit() and len(cell) < 10 for cell in cells):
        return np.array(cells, dtype=float)
    return None


class Lectern:
    """Where the table of a class lies while the class lasts."""

    table: OwnTable | None = None


LECTERN = Lectern()


def own(step: str) -> OwnTable | None:
    """Return the table of the class, if there is one that suits a step."""
    table = LECTERN.table
    return table if table is not None and table.suits(step) else None
