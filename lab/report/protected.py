"""Protected: what it is that an answer hides, as cards and reports say it."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.curator.request import Request


def neighbours(request: Request, unit: Phrase) -> Phrase:
    """Say which two tables nobody can tell apart by an answer, but for the promised chances."""
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
