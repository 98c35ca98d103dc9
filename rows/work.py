"""Work: what a question takes of the server, by public things alone, before any charge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from discreet.budget.errors import ParameterError
from discreet.rows.filters import Condition
from discreet.rows.schema import Schema

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
