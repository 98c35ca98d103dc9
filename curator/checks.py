"""Checks before a charge: whether a query fits the declaration, and what it takes of the server."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from discreet.budget.errors import ParameterError, Phrase
from discreet.rows.filters import MOST_CONDITIONS, Condition, comparisons
from discreet.rows.schema import Schema

# Work: what a question takes of the server, by public things alone, before any charge.

STEP_BYTES = 16  # a declared step that is counted: the step, and how many rows stand on it
LARGEST = 2**30  # bytes that the counts of one question may take
MOST_GROUPS = 10_000  # each is one more column, and one more answer


class Asks(Protocol):
    """What of a question says how much work it is."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are counted."""

    @property
    def groups(self) -> Sequence[str]:
        """The columns of groups."""

    @property
    def where(self) -> Sequence[Condition]:
        """The conditions."""


def groups(request: Asks, schema: Schema) -> int:
    """Count the groups that are answered for."""
    return math.prod(len(schema.category(name).labels) for name in request.groups)


def weight(request: Asks, schema: Schema) -> int:
    """Return how many bytes the counts of a question may take, whatever the rows are.

    Steps are counted one by one where they are few; where they are many, only those that some row
    stands on, which are never more than there are rows.
    """
    steps = sum(schema.columns[name].steps for name in request.columns if name in schema.columns)
    return STEP_BYTES * steps * groups(request, schema)


def check_work(request: Asks, schema: Schema) -> None:
    """Refuse a question that would take more than the server gives to one."""
    many = groups(request, schema)
    if many > MOST_GROUPS:
        raise ParameterError(
            "A question may have at most {most:,} groups. Group by a column with fewer levels.", most=MOST_GROUPS
        )
    if weight(request, schema) > LARGEST:
        raise ParameterError(
            "This question counts more steps than the server holds at once. Ask for fewer groups, "
            "or declare a coarser step."
        )


# Fitting: whether a question fits a declaration, by public things alone, before any charge.


if TYPE_CHECKING:  # whoever only reads rows does without the mechanisms
    from discreet.mechanisms import Mechanism


class Fits(Asks, Protocol):
    """What of a question decides whether it can be asked of a declaration."""

    @property
    def mechanism(self) -> Mechanism:
        """What answers it."""


def grouped_by(by: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the columns of groups, however they were given: none, one by its name, or several."""
    return () if by is None else (by,) if isinstance(by, str) else tuple(by)


def check_fit(question: Fits, schema: Schema) -> None:
    """Raise a sentence that says what to do where a question does not fit a declaration."""
    by = question.groups
    if sum(1 for _ in comparisons(question.where)) > MOST_CONDITIONS:  # before one of them is looked at
        raise ParameterError("A question may have at most {most} conditions. Use fewer.", most=MOST_CONDITIONS)
    for name in (*question.columns, *by, *(each.column for each in comparisons(question.where))):
        if name not in schema.columns:
            raise ParameterError("Column {name!r} is not declared. Declare it first.", name=name)
    _check_columns(question, schema)
    for condition in question.where:
        condition.check(schema)
    _check_groups(question, schema)
    _check_size(question)
    _check_people(question, schema)


def _check_groups(question: Fits, schema: Schema) -> None:
    """Refuse groups that are no categories, that come twice, or that cannot be told apart."""
    by = question.groups
    for name in by:
        if name not in schema.categories:
            raise ParameterError("Groups need a declared category. {by!r} is none.", by=name)
    if len(set(by)) < len(by):
        raise ParameterError("A column can make groups once only. Choose another.")
    if by and not question.mechanism.view.groups:
        raise ParameterError("Groups work for statistics of one number column only.")
    many = groups(question, schema)
    if len(by) > 1 and many <= MOST_GROUPS and len(set(schema.crossed(by))) < many:
        raise ParameterError("Two groups of these columns would have one name. Rename a level.")


def _check_people(question: Fits, schema: Schema) -> None:
    """Refuse a question that counts on fewer rows of a person than there may be."""
    rows = schema.rows_per_person
    given = question.mechanism.neighbours.rows
    if given < rows:
        raise ParameterError(
            "One person may have up to {rows} rows here, so the question must count on "
            "{rows} rows per person. Got {given}.",
            rows=rows,
            given=given,
        )


def _check_size(question: Fits) -> None:
    """Refuse a public number of rows where the rows that count are a private number."""
    if question.mechanism.view.public_rows is None:
        return
    if question.groups:
        raise ParameterError(
            "How many rows a group has is private, so groups cannot count on a public number "
            "of rows. Ask for groups under add or remove, and not for a trimmed mean."
        )
    if question.where and question.mechanism.neighbours.change_one:
        raise ParameterError(
            "How many rows pass a filter is private, so a filter cannot go with a public "
            "number of rows. Leave out the filter, or the public number."
        )


def _check_columns(question: Fits, schema: Schema) -> None:
    """Refuse columns that are too many, too few, or of another kind than the view takes."""
    view = question.mechanism.view
    fitting = schema.askable if view.every_kind else schema.categories if view.category else schema.numbers
    if len(question.columns) != view.columns:
        raise ParameterError(
            "This question needs {wanted} column(s). Got {number}.", wanted=view.columns, number=len(question.columns)
        )
    for name in question.columns:
        if name not in fitting:
            wish = Phrase("a category") if view.category else Phrase("a number")
            raise ParameterError("Column {name!r} must be declared as {wish} for this question.", name=name, wish=wish)
