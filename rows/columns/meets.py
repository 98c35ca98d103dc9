"""Meets: whether a declared column of the row compares as given, as a number of its own: 1 or 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from discreet.budget.cost import take_numbers
from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import Bounds, IntArray
from discreet.rows.cells import Mask
from discreet.rows.columns.derivation import Derivation
from discreet.rows.columns.kind import Value
from discreet.rows.columns.quantity import Quantity

YES_OR_NO = Bounds(0, 1, integer=True)


@dataclass(frozen=True)
class Meets(Derivation, Quantity):
    """The number 1 where the column `of` compares as given, as in a filter, and 0 where it does not.

    Its mean is the share of rows that meet the condition, among those that have a value; its sum is their number.
    """

    name: ClassVar[str] = "condition"

    of: str
    comparison: str
    value: Value

    def __post_init__(self) -> None:
        """Accept lists and == as well; raise ParameterError for a name that is none."""
        take_numbers(self)
        object.__setattr__(self, "comparison", "=" if self.comparison == "==" else self.comparison)
        if isinstance(self.value, list):
            object.__setattr__(self, "value", tuple(self.value))
        if not isinstance(self.of, str) or not self.of:
            raise ParameterError("A condition needs a column.")

    @property
    def derived_from(self) -> tuple[str, ...]:
        """The column."""
        return (self.of,)

    def check_sources(self) -> None:
        """Raise ParameterError for a comparison that does not fit the column."""
        self.sources[0].check(self.of, self.comparison, self.value)

    @property
    def bounds(self) -> Bounds:
        """Two ticks."""
        return YES_OR_NO

    @property
    def complete(self) -> bool:
        """Whether every row has a value, as its cell is read."""
        return self.sources[0].complete

    def ticks(self, cells: Any) -> tuple[IntArray, Mask]:
        """Return 1 where the condition is met and 0 where it is not, and which rows have a value."""
        (source,) = self.sources
        places, there = source.placed(cells.field(0))
        return np.asarray(source.met(places, self.comparison, self.value), np.int64), there

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Describe how the column is read, and what counts as 1."""
        value = ", ".join(self.value) if isinstance(self.value, tuple) else self.value
        words = Phrase(
            "{column} is 1 where {source} {comparison} {value}, and 0 in other rows",
            column=column,
            source=self.of,
            comparison=self.comparison,
            value=value,
        )
        return *self.sources[0].as_read(self.of), words
