"""Protected: what it is that an answer hides, as cards and reports say it."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.curator.request import Request

ROW = Phrase("one row")  # the unit where nothing says which rows belong to one person


def neighbours(request: Request, unit: Phrase) -> Phrase:
    """Say which two tables nobody can tell apart by an answer, but for the promised chances."""
    if unit == ROW:
        return _of_row(request.mechanism.neighbours.size)
    relation = request.mechanism.neighbours
    rows = Phrase("rows that count: {rows} at most", rows=relation.rows)
    if request.mechanism.view.in_blocks:
        rows = Phrase("all of them are in one block")
    if relation.change_one:
        return Phrase(
            "Two tables in which {size} rows count, and which differ in the rows of {unit}; {rows}.",
            size=relation.size,
            unit=unit,
            rows=rows,
        )
    return Phrase("One table has the rows of {unit}, the other has not; {rows}.", unit=unit, rows=rows)


def _of_row(size: int | None) -> Phrase:
    """Say the same where a row is protected, and of somebody with several rows not all of them together."""
    tables = Phrase("One table has one row that the other has not.")
    if size is not None:
        tables = Phrase("Two tables in which {size} rows count, and which differ in one row.", size=size)
    return Phrase("{tables} A row is protected, not a person: somebody may have several.", tables=tables)
