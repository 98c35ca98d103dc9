"""Meaning: of which rows an answer is, once they were read, and why it may have no interval.

An interval is about the value of the rows as they were read: capped, clipped, on a grid, filtered.
All of it is declared or asked, so it can be said of protected data, and is on every answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from discreet.budget import Phrase
from discreet.curator.request import Request, plain
from discreet.lab.report.dated import bins, told_apart
from discreet.rows.columns import Person
from discreet.rows.filters import Condition
from discreet.rows.schema import Schema


def no_interval(request: Request) -> Phrase:
    """Say why an answer stands without an interval."""
    return request.mechanism.no_interval()


def rank_error(request: Request, schema: Schema) -> Any:
    """Return how many rows an answer is off its rank at most, 19 times in 20, on any rows; None if it has none."""
    return request.mechanism.rank_error(request.public(schema))


def off_by(request: Request, schema: Schema) -> Phrase | None:
    """Say the same in a sentence."""
    rows = rank_error(request, schema)
    if rows is None:
        return None
    if isinstance(rows, tuple):
        return Phrase(
            "19 times in 20 each is at most so many rows from its true rank, whatever the data: {rows}.",
            rows=", ".join(map(str, rows)),
        )
    return Phrase("19 times in 20 at most {rows:,} rows from the true rank, whatever the data.", rows=rows)


def no_answer(request: Request) -> Phrase:
    """Say what a refusal means, as far as anybody may know."""
    return request.mechanism.refused()


def parts(request: Request, schema: Schema) -> tuple[str, ...]:
    """Return the public names of the numbers of an answer that has several; else nothing."""
    return schema.crossed(request.groups) if request.groups else numbers_of(request, schema)


def numbers_of(request: Request, schema: Schema) -> tuple[str, ...]:
    """Return the public names of the numbers that one group has, where it has several."""
    view = request.mechanism.view
    if view.every_kind:
        return view.labels(())
    declared = schema.categories.get(request.columns[0])
    levels = () if declared is None else declared.labels
    dates = told_apart(request, schema)
    return (dates and bins(request, dates)) or request.mechanism.parts(levels)


def as_read(request: Request, schema: Schema) -> tuple[Phrase, ...]:
    """Say which rows an answer is of, and as what they count."""
    sentences = [] if schema.layout is None else schema.layout.as_read()
    sentences += _persons(request, schema)
    sentences += [Phrase("only where {condition}", condition=condition_words(each)) for each in request.where]
    for name in request.columns if not request.mechanism.view.every_kind else ():
        sentences += schema.columns[name].as_read(name)
    return (*sentences, *_shaped(request, schema))


def condition_words(condition: Condition, shown: Callable[[Any], str] | None = None) -> Phrase:
    """Say what a condition compares, and what else would do."""
    show = shown or _plain
    each = (
        Phrase("{column} {comparison} {value}", column=f.column, comparison=f.comparison, value=show(f.value))
        for f in condition.filters
    )
    words = reduce(lambda first, second: Phrase("{first} or {second}", first=first, second=second), each)
    return words if len(condition.filters) == 1 else Phrase("({words})", words=words)


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
    number = request.columns[0] in schema.numbers and not request.mechanism.view.every_kind
    if person.reduce == "mean" and number and request.groups:
        return Phrase("each person in the group of one row, chosen by secret chance, with the mean of their rows there")
    if person.reduce == "mean" and number:
        return Phrase("one number for each person, the mean of their rows")
    if person.reduce is not None:
        return Phrase("one row of each person, chosen by secret chance")
    if person.rows == 1:
        return Phrase("at most one row of each person, chosen by secret chance")
    return Phrase("at most {rows} rows of each person, chosen by secret chance", rows=person.rows)


def _shaped(request: Request, schema: Schema) -> list[Phrase]:
    """Say into what shape the rows are brought: bins, a public number, groups."""
    sentences = request.mechanism.view.shaped()
    if request.mechanism.interval_of is not None:
        sentences.append(request.mechanism.interval_of)
    if request.groups:
        sentences.append(Phrase("each group of {column} by itself", column=", ".join(request.groups)))
    for name in request.groups:
        sentences += schema.category(name).as_read(name)
    return sentences
