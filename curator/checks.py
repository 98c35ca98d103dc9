"""Checks before a charge: whether a query fits the declaration, and what it takes of the server."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from discreet.budget.errors import ParameterError, Phrase
from discreet.rows.columns.grouping import DERIVED, Grouping, source_of, sources
from discreet.rows.filters import MOST_CONDITIONS, Condition, comparisons
from discreet.rows.schema import Schema

# --- Work: the bytes that a query may take, from public values alone, before any charge ---

STEP_BYTES = 16  # bytes of one counted step: the step, and the number of its rows
LARGEST = 2**30  # bytes that the counts of one query may take
PLACES = 2**62  # pairs of steps in all groups are numbered in 64 bits
MOST_GROUPS = 10_000  # each is one more column, and one more answer


class Asks(Protocol):
    """The parts of a query that determine how much work it is."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are counted."""

    @property
    def groups(self) -> Sequence[Grouping]:
        """The columns to group by."""

    @property
    def where(self) -> Sequence[Condition]:
        """The conditions."""


def groups(request: Asks, schema: Schema) -> int:
    """Return the number of groups that get an answer."""
    return schema.cells(request.groups)


def weight(request: Asks, schema: Schema) -> int:
    """Return how many bytes the counts of a query may take, whatever the rows are.

    A column with few steps is counted step by step. Of a column with many steps, only those that occur are kept, which
    are never more than there are rows.
    """
    steps = sum(schema.columns[name].steps for name in request.columns if name in schema.columns)
    return STEP_BYTES * steps * groups(request, schema)


def check_work(request: Asks, schema: Schema) -> None:
    """Raise ParameterError for a query that would take more memory than one query may."""
    many = groups(request, schema)
    if many > MOST_GROUPS:
        raise ParameterError(
            "A query may have at most {most:,} groups. Group by a column with fewer allowed values.", most=MOST_GROUPS
        )
    grid = math.prod(schema.bounds(name).top + 1 for name in request.columns if name in schema.numbers)
    if weight(request, schema) > LARGEST or grid * many > PLACES:
        raise ParameterError(
            "This query needs more memory than the server allows. Use fewer groups, or a coarser step."
        )


# --- Fit: whether a query fits a declaration, from public values alone, before any charge ---


if TYPE_CHECKING:  # code that only reads rows does not load the mechanisms
    from discreet.mechanisms import Mechanism


class Fits(Asks, Protocol):
    """The parts of a query that determine whether it fits a declaration."""

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism of the answer."""


def grouped_by(by: Grouping | Sequence[Grouping] | None) -> tuple[Grouping, ...]:
    """Return what to group by as a tuple; accepts nothing, one grouping, or several."""
    return () if by is None else (by,) if isinstance(by, (str, *DERIVED)) else tuple(by)


def check_fit(question: Fits, schema: Schema) -> None:
    """Raise ParameterError, with what to do about it, if a query does not fit a declaration."""
    by = question.groups
    if sum(1 for _ in comparisons(question.where)) > MOST_CONDITIONS:  # before any of them is looked up
        raise ParameterError("A query may have at most {most} conditions. Use fewer.", most=MOST_CONDITIONS)
    for name in (*question.columns, *sources(by), *(each.column for each in comparisons(question.where))):
        if name not in schema.columns:
            raise ParameterError("Column {name!r} is not declared. Declare it first.", name=name)
    _check_columns(question, schema)
    for condition in question.where:
        condition.check(schema)
    _check_groups(question, schema)
    _check_size(question)
    _check_people(question, schema)


def in_some_group(by: Grouping, columns: Sequence[str], schema: Schema) -> bool:
    """Return whether every row with a value in some columns is in one of the groups, and none is left out."""
    return source_of(by) in columns or schema.category(by).complete


def check_sums(question: Fits, schema: Schema) -> None:
    """Raise ParameterError for sums that would leave out rows, or whose number of cells is another one."""
    over, cells = question.mechanism.over or (), question.mechanism.cells
    for by in over:
        if not isinstance(by, (str, *DERIVED)) or source_of(by) not in schema.columns:
            raise ParameterError("Column {name!r} is not declared. Declare it first.", name=str(by))
        if not in_some_group(by, question.columns, schema):
            raise ParameterError(
                "Sums over {column} would leave out rows. Let other values count as other first.", column=source_of(by)
            )
    if schema.cells(over) != cells:
        raise ParameterError("These groups have another number of cells. Got {cells}.", cells=cells)


def _check_groups(question: Fits, schema: Schema) -> None:
    """Raise ParameterError for groups that are no categories, occur twice, or cannot be distinguished."""
    by = question.groups
    for name in by:
        if isinstance(name, DERIVED):
            schema.category(name)  # raises for what does not fit the column
        elif name not in schema.categories:
            raise ParameterError(
                "Groups need a declared category, or bands of a number or date. {by!r} is not a declared category.",
                by=name,
            )
    if len(set(sources(by))) < len(by):
        raise ParameterError("This column is already used for grouping. Choose another one.")
    if by and not question.mechanism.view.groups:
        raise ParameterError("Groups work for statistics of one number column only.")
    many = groups(question, schema)
    if len(by) > 1 and many <= MOST_GROUPS and len(set(schema.crossed(by))) < many:
        raise ParameterError("Two groups of these columns would have the same name. Rename an allowed value.")


def _check_people(question: Fits, schema: Schema) -> None:
    """Raise ParameterError if a query counts on fewer rows per person than the declaration allows."""
    rows = schema.rows_per_person
    given = question.mechanism.neighbours.rows
    if given < rows:
        raise ParameterError(
            "This dataset allows up to {rows} rows per person, so the query must use {rows} rows per "
            "person. Got {given}.",
            rows=rows,
            given=given,
        )


def _check_size(question: Fits) -> None:
    """Raise ParameterError if a query needs a public number of rows where that number is private."""
    if question.mechanism.view.public_rows is None:
        return
    if question.groups:
        raise ParameterError(
            "The number of rows in a group is private, so a query with groups cannot use a public "
            "number of rows. Use add/remove neighbours, and not a trimmed mean."
        )
    if question.where and question.mechanism.neighbours.change_one:
        raise ParameterError(
            "The number of rows that pass a filter is private, so a filter cannot be combined with a "
            "public number of rows. Remove one of the two."
        )


def _check_columns(question: Fits, schema: Schema) -> None:
    """Raise ParameterError for too many or too few columns, or columns of another kind than the view takes."""
    view = question.mechanism.view
    fitting = schema.askable if view.every_kind else schema.categories if view.category else schema.numbers
    if len(question.columns) != view.columns:
        raise ParameterError(
            "This query needs {wanted} column(s). Got {number}.", wanted=view.columns, number=len(question.columns)
        )
    for at, name in enumerate(question.columns):
        answers = view.answers and not at
        if name not in (schema.answers if answers else fitting):
            wish = Phrase("yes or no") if answers else Phrase("a category") if view.category else Phrase("a number")
            raise ParameterError("Column {name!r} must be declared as {wish} for this query.", name=name, wish=wish)
