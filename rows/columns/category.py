"""Category: a column of texts, of which only declared levels count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.queries.bounds import IntArray
from discreet.queries.scores import MOST_CANDIDATES
from discreet.rows.cells import text
from discreet.rows.columns.factor import Factor

OTHER = "other"


@dataclass(frozen=True)
class Category(Factor):
    """A declared list of levels; anything else is `other`, or left out where there is no other."""

    name: ClassVar[str] = "category"

    levels: tuple[str, ...]
    other: bool = False

    def __post_init__(self) -> None:
        """Freeze the levels and refuse lists that are empty, double or endless."""
        object.__setattr__(self, "levels", tuple(self.levels))
        good = all(isinstance(level, str) and level.strip() == level for level in self.levels)
        if not good or not 1 <= len(self.levels) <= MOST_CANDIDATES:
            raise ParameterError(
                "A category needs 1 to {most_candidates} levels, texts without outer blanks.",
                most_candidates=MOST_CANDIDATES,
            )
        if len(set(self.levels)) < len(self.levels) or "" in self.levels:
            raise ParameterError("The levels of a category must differ and none may be empty.")
        if self.other and OTHER in self.levels:
            raise ParameterError("A level is called 'other' already: switch other off or rename it.")

    @property
    def declared(self) -> tuple[str, ...]:
        """The levels."""
        return self.levels

    @property
    def labels(self) -> tuple[str, ...]:
        """The levels, and `other` where it is declared."""
        return (*self.levels, OTHER) if self.other else self.levels

    def codes(self, cells: Any) -> IntArray:
        """Return the position of each cell's level; -1 is left out."""
        places = pc.index_in(text(cells), value_set=pa.array(self.levels, pa.large_string()))
        rest = len(self.levels) if self.other else -1
        return np.asarray(places.fill_null(rest)).astype(np.int64)

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Say what becomes of levels that are not declared."""
        if not self.other:
            return super().as_read(column)
        return (Phrase("levels of {column} that are not declared count as other", column=column),)
