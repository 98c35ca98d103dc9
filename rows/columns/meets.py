"""Meets: whether a declared column of the row compares as given, as a yes or no of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from discreet.budget.cost import take_numbers
from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import IntArray
from discreet.rows.columns.derivation import Derivation
from discreet.rows.columns.factor import Factor
from discreet.rows.columns.kind import Value


@dataclass(frozen=True)
class Meets(Derivation, Factor):
    """Yes where the column `of` compares as given, as in a filter; no where it does not.

    Unlike a filter it keeps both: the share of yes is a share of all rows that have a value.
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
        (source,) = self.sources
        if source.derived_from and not source.amounts:
            raise ParameterError("A condition cannot be about another condition.")
        source.check(self.of, self.comparison, self.value)

    @property
    def labels(self) -> tuple[str, ...]:
        """The levels; no comes first."""
        return Phrase("no"), Phrase("yes")

    @property
    def complete(self) -> bool:
        """Whether every row has a value, as its cell is read."""
        return self.sources[0].complete

    def codes(self, cells: Any) -> IntArray:
        """Return 1 where the condition is met, 0 where it is not, and -1 where the column has no value."""
        (source,) = self.sources
        places, there = source.placed(cells.field(0))
        return np.where(there, source.met(places, self.comparison, self.value).astype(np.int64), -1)

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Describe how the column is read, and what is a yes."""
        value = ", ".join(self.value) if isinstance(self.value, tuple) else self.value
        words = Phrase(
            "{column} is yes where {source} {comparison} {value}, and no in other rows",
            column=column,
            source=self.of,
            comparison=self.comparison,
            value=value,
        )
        return *self.sources[0].as_read(self.of), words
