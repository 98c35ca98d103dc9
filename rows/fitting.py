"""Fitting: whether a question fits a declaration, by public things alone, before any charge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.rows.filters import MOST_CONDITIONS, comparisons
from discreet.rows.schema import Schema
from discreet.rows.work import MOST_GROUPS, Asks, groups

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
    rows, given = schema.rows_per_person, question.mechanism.neighbours.rows
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
