"""Reading report: what is read of open data, cell by cell and for nothing. Protected data are refused.

Of protected data the reading check asks the same, with noise.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from discreet.lab.experiment import NOBODY
from discreet.lab.reading_check import AboutRows, Counted, Reading, reading
from discreet.queries.scores import DOUBTFUL, GROUPED, MISSING, READ, UNREAD
from discreet.rows.numerals import EXAMPLES as WAYS
from discreet.rows.numerals import Numerals
from discreet.rows.open_data import OpenData, refuse_protected

FIRST, LONGEST = 3, 40  # cells of a column that are shown, and signs of a cell


@dataclass(frozen=True)
class Reported:
    """How the cells of a column are read, how many there are, and the first ones that are not read."""

    reading: Reading
    cells: int
    unread: tuple[str, ...]


def report(dataset: OpenData) -> list[Reported]:
    """Return how each column is read."""
    refuse_protected(dataset)
    return dataset.opened(("read",), lambda: [_reported(dataset, name) for name in dataset.schema.askable])


def _reported(dataset: OpenData, name: str) -> Reported:
    counts = dataset.cells_read(name).counts.tolist()
    read = sum(counts) - counts[UNREAD] - counts[MISSING]
    single = [AboutRows(float(counts[at]), 0.0) for at in (DOUBTFUL, GROUPED, UNREAD, MISSING)]
    line = reading(dataset.schema, name, Counted(AboutRows(float(read), 0.0), *single))
    line = replace(line, perhaps=_better(dataset, name, counts) if line.perhaps else "")
    if not read:
        line = replace(line, verdict=NOBODY, good=False)
    examples = dataset.unread(name, FIRST) if counts[UNREAD] else []
    return Reported(line, sum(counts), tuple(map(shown, examples)))


def _better(dataset: OpenData, name: str, counts: Sequence[int]) -> str:
    """Return the way to write numbers by which most cells are read without a doubt, where that is more than now."""

    def clear(counts: Sequence[int]) -> int:
        return counts[READ] + counts[GROUPED]

    column = dataset.schema.columns[name]
    ways = {way: clear(dataset.cells_read(name, column.written(Numerals.like(way))).counts.tolist()) for way in WAYS}
    best = max(ways, key=ways.__getitem__)
    return best if ways[best] > clear(counts) else ""


def shown(cell: str) -> str:
    """Return a cell as it may be shown: cut, and without what turns text around or steers a screen."""
    plain = "".join("\u00b7" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c for c in cell)
    return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]}\u2026"
