"""Left out: whether a limit of rows a person, or a filter, leaves many rows out, by released counts.

How many rows the file has is no question: one person may have any number of them. So rows are
counted twice, once as declared and once with twice the limit, and the two noisy counts are compared.
For a filter the rows that pass are compared with those that the check could read. Both are ordinary
questions, and what is said of their answers uses their public noise and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discreet.budget.phrase import Phrase
from discreet.curator import Release, Request
from discreet.lab.reading_check import UNSURE, Reading, counting, width_of
from discreet.rows.filters import Condition
from discreet.rows.schema import Schema

MOST = 10_000  # rows of a person, as declarations allow
SMALL = 0.02  # of the rows: what hardly matters, and hardly any
LIMIT, FILTER = Phrase("The limit of rows a person"), Phrase("The filter")
NOT_A_COLUMN = ""  # what their questions are called among those of columns: no column can be

WITHIN = Phrase("Hardly any rows of people who have more are left out.")
NOBODY = Phrase("Hardly any row passes. Check how the filter and its column are spelled.")


def wider(schema: Schema) -> Schema | None:
    """Return the declaration with twice the rows a person; None where no limit leaves rows out."""
    person = schema.person
    if person is None or person[1].reduce is not None or 2 * person[1].rows > MOST or not schema.askable:
        return None
    name, declared = person
    return Schema({**schema.columns, name: replace(declared, rows=2 * declared.rows)})


def limited(schema: Schema, epsilon: float) -> Request:
    """Return the question that counts the first column under a declaration with twice the limit."""
    return counting(schema, schema.askable[0], epsilon)


def filtered(schema: Schema, column: str, where: Sequence[Condition], epsilon: float) -> Request:
    """Return the question that counts the rows of a column that pass a filter."""
    return counting(schema, column, epsilon, tuple(where))


def of_limit(schema: Schema, counted: Release, doubled: Release) -> Reading:
    """Compare what counts as declared with what would count under twice the limit."""
    rows, width = width_of(schema, counted)
    twice, wide = width_of(schema, doubled)
    more, within = twice - rows, width + wide
    person = schema.person
    most = 1 if person is None else person[1].rows
    if more - within > SMALL * max(rows, 1.0):
        return Reading(LIMIT, more, within, _beyond(most, more / max(rows, 1.0)))
    unsure = within > rows / 4 or rows <= width
    return Reading(LIMIT, max(more, 0.0), within, UNSURE if unsure else WITHIN, good=not unsure, unsure=unsure)


def of_filter(schema: Schema, counted: Release, passed: Release) -> Reading:
    """Say about which share of the rows a filter lets pass."""
    rows, width = width_of(schema, counted)
    some, within = width_of(schema, passed)
    if rows <= width or within > rows / 4:
        return Reading(FILTER, some, within, UNSURE, unsure=True)
    if some + within < SMALL * rows:
        return Reading(FILTER, some, within, NOBODY)
    return Reading(FILTER, some, within, _passing(min(1.0, some / rows)), good=True)


def _beyond(most: int, share: float) -> Phrase:
    return Phrase(
        "Some people have more rows than the limit of {most}: with twice the limit about {share:.0%} more rows would "
        "count.",
        most=most,
        share=share,
    )


def _passing(share: float) -> Phrase:
    return Phrase(
        "About {share:.0%} of the rows pass. The rest is left out, and so are rows whose cells there cannot be read.",
        share=share,
    )
