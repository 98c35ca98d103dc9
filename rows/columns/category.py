"""Category: a column of texts, of which only declared levels count."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import IntArray
from discreet.queries.column import MOST_CANDIDATES
from discreet.rows.columns.factor import Factor
from discreet.rows.columns.kind import Kind
from discreet.rows.numerals import places

OTHER = "other"


@dataclass(frozen=True)
class Category(Factor):
    """A declared list of levels; anything else is `other`, or left out where there is no other.

    A cell names a level by its text; where the level is a number or a truth, also by another
    spelling of it, because every format has its own: 1 and 1.0, true and TRUE. Where cells hold
    codes, `names` are what the levels are called. `origin` is from where the list is known.
    """

    name: ClassVar[str] = "category"
    grows: ClassVar[bool] = True

    levels: tuple[str, ...]
    other: bool = False
    names: tuple[str, ...] = ()
    origin: str = ""

    def __post_init__(self) -> None:
        """Freeze the levels and refuse lists that are empty, double or endless."""
        object.__setattr__(self, "levels", tuple(self.levels))
        object.__setattr__(self, "names", tuple(self.names))
        good = all(isinstance(level, str) and level.strip() == level for level in self.levels)
        if not good or not 1 <= len(self.levels) <= MOST_CANDIDATES:
            raise ParameterError(
                "A category needs 1 to {most_candidates} levels, texts without outer blanks.",
                most_candidates=MOST_CANDIDATES,
            )
        if len(set(self.levels)) < len(self.levels) or "" in self.levels:
            raise ParameterError("The levels of a category must differ and none may be empty.")
        self._check_names()
        if self.other and OTHER in (*self.levels, *self.names):
            raise ParameterError("A level is called 'other' already: switch other off or rename it.")

    def _check_names(self) -> None:
        """Refuse names that do not tell all levels apart."""
        good = all(isinstance(name, str) and name.strip() == name != "" for name in self.names)
        if self.names and not (good and len(set(self.names)) == len(self.names) == len(self.levels)):
            raise ParameterError("Names of levels must differ: one for each level, in the same order.")

    def plain(self) -> dict[str, Any]:
        """Return what a declaration file says: what was written before there were names or sources keeps its hash."""
        later = {"names", "origin"}
        return {name: value for name, value in super().plain().items() if value or name not in later}

    @property
    def unsourced(self) -> bool:
        """Levels are known from somewhere, too; who registered before that was asked may not have said it."""
        return not self.origin.strip()

    def from_source(self, origin: str) -> Self:
        """Return the same list with where it comes from."""
        return replace(self, origin=origin)

    def continues(self, before: Kind) -> bool:
        """Levels may be added after those that there were."""
        size = before.steps - self.other
        if not 0 < size <= len(self.levels):
            return False
        same = replace(self, levels=self.levels[:size], names=self.names[:size])
        return same in (before, before.from_source(self.origin))

    @property
    def declared(self) -> tuple[str, ...]:
        """The levels."""
        return self.levels

    @property
    def labels(self) -> tuple[str, ...]:
        """What the levels are called, and `other` where it is declared."""
        levels = self.names or self.levels
        return (*levels, OTHER) if self.other else levels

    def codes(self, cells: Any) -> IntArray:
        """Return the position of each cell's level; -1 is left out."""
        codes = places(cells, self.levels)
        return np.where(codes < 0, len(self.levels), codes) if self.other else codes

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Say what becomes of levels that are not declared."""
        if not self.other:
            return super().as_read(column)
        return (Phrase("levels of {column} that are not declared count as other", column=column),)
