"""Meaning: of which rows an answer is, once they were read, and why it may have no interval.

An interval is about the value of the rows as they were read: capped, clipped, on a grid, filtered.
All of it is declared or asked, so it can be said of protected data, and is on every answer.
"""

from __future__ import annotations

from typing import Any

from discreet.budget import Phrase
from discreet.curator.request import Request, plain
from discreet.lab.report.dated import bins, told_apart
from discreet.rows.columns import Person
from discreet.rows.schema import Schema


def no_interval(request: Request) -> Phrase:
    """Say why an answer stands without an interval."""
    return request.mechanism.no_interval()


def no_answer(request: Request) -> Phrase:
    """Say what a refusal means, as far as anybody may know."""
    return request.mechanism.refused()


def parts(request: Request, schema: Schema) -> tuple[str, ...]:
    """Return the public names of the numbers of an answer that has several; else nothing."""
    declared = schema.categories.get(request.by or request.columns[0])
    levels = () if declared is None else declared.labels
    if request.by is not None:
        return levels
    dates = told_apart(request, schema)
    return (dates and bins(request, dates)) or request.mechanism.parts(levels)


def as_read(request: Request, schema: Schema) -> tuple[Phrase, ...]:
    """Say which rows an answer is of, and as what they count."""
    sentences = [*_persons(request, schema)]
    sentences += [
        Phrase(
            "only where {column} {comparison} {value}", column=f.column, comparison=f.comparison, value=_plain(f.value)
        )
        for f in request.where
    ]
    for name in request.columns:
        sentences += schema.columns[name].as_read(name)
    return (*sentences, *_shaped(request, schema))


def _plain(value: Any) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(plain(value))


def _persons(request: Request, schema: Schema) -> tuple[Phrase, ...]:
    """Say which rows of one person count."""
    blocks = request.mechanism.view.in_blocks
    if schema.person is None:
        return (Phrase("every row, in one secret block") if blocks else Phrase("every row"),)
    name, person = schema.person
    nameless = Phrase("rows without {column} left out", column=name)
    if blocks:
        return Phrase("all rows of a person, together in one secret block"), nameless
    return _counting(request, schema, person), nameless


def _counting(request: Request, schema: Schema, person: Person) -> Phrase:
    number = request.columns[0] in schema.numbers
    if person.reduce == "mean" and number and request.by is not None:
        return Phrase("each person in the group of one row, chosen by secret chance, with the mean of their rows there")
    if person.reduce == "mean" and number:
        return Phrase("one number for each person, the mean of their rows")
    if person.reduce is not None:
        return Phrase("one row of each person, chosen by secret chance")
    return Phrase("at most {rows} rows of each person, chosen by secret chance", rows=person.rows)


def _shaped(request: Request, schema: Schema) -> list[Phrase]:
    """Say into what shape the rows are brought: bins, a public number, groups."""
    sentences = request.mechanism.view.shaped()
    if request.by is not None:
        by = schema.category(request.by)
        sentences += [Phrase("each group of {column} by itself", column=request.by), *by.as_read(request.by)]
    return sentences
