"""Category: a column of texts, of which only declared levels count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import IntArray
from discreet.queries.column import MOST_CANDIDATES
from discreet.rows.columns.factor import Factor
from discreet.rows.columns.kind import Kind
from discreet.rows.numerals import places

OTHER = Phrase("other")


@dataclass(frozen=True)
class Category(Factor):
    """A declared list of levels; any other cell counts as `other`, or is left out if `other` is not declared.

    A cell names a level by its text; if the level is a number or a truth value, also by another spelling of it, because
    formats differ: 1 and 1.0, true and TRUE. Where cells contain codes, `names` are the displayed names of the levels.
    `origin` is the source from which the list is known.
    """

    name: ClassVar[str] = "category"
    grows: ClassVar[bool] = True

    levels: tuple[str, ...]
    other: bool = False
    names: tuple[str, ...] = ()
    origin: str = ""

    def __post_init__(self) -> None:
        """Freeze the levels; raise ParameterError for lists that are empty, too long, or contain duplicates."""
        object.__setattr__(self, "levels", tuple(self.levels))
        object.__setattr__(self, "names", tuple(self.names))
        good = all(isinstance(level, str) and level.strip() == level for level in self.levels)
        if not good or not 1 <= len(self.levels) <= MOST_CANDIDATES:
            raise ParameterError(
                "A category needs 1 to {most_candidates} allowed values, as texts without spaces at either end.",
                most_candidates=MOST_CANDIDATES,
            )
        if len(set(self.levels)) < len(self.levels) or "" in self.levels:
            raise ParameterError("The allowed values of a category must differ, and none may be empty.")
        self._check_names()
        if self.other and OTHER in (*self.levels, *self.names):
            raise ParameterError("One allowed value is already called 'other'. Turn other off, or rename the value.")

    def _check_names(self) -> None:
        """Raise ParameterError for names that do not distinguish all levels."""
        good = all(isinstance(name, str) and name.strip() == name != "" for name in self.names)
        if self.names and not (good and len(set(self.names)) == len(self.names) == len(self.levels)):
            raise ParameterError("Labels must differ: one for each allowed value, in the same order.")

    @classmethod
    def short(cls, given: Any) -> Self | None:
        """Return the category with a list of allowed values."""
        texts = isinstance(given, list) and all(isinstance(level, str) for level in given)
        return cls(tuple(given)) if texts else None

    def plain(self) -> dict[str, Any]:
        """Return the declaration as plain values; fields that came later are omitted if empty, to keep old hashes."""
        later = {"names", "origin"}
        return {name: value for name, value in super().plain().items() if value or name not in later}

    @property
    def unsourced(self) -> bool:
        """Whether the source of the levels is missing, as in registrations from before it was required."""
        return not self.origin.strip()

    def from_source(self, origin: str) -> Self:
        """Return the declaration with its source."""
        return replace(self, origin=origin)

    def continues(self, before: Kind) -> bool:
        """Return whether this declaration only appends levels to an earlier one."""
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
        """The displayed names of the levels, and `other` if it is declared."""
        levels = self.names or self.levels
        return (*levels, OTHER) if self.other else levels

    @property
    def places(self) -> Mapping[str, int]:
        """The code of each level by its displayed name, or as it is in cells."""
        return {level: code for code, level in enumerate(self.levels)} | dict(super().places)

    def codes(self, cells: Any) -> IntArray:
        """Return the index of each cell's level; -1 is left out."""
        codes = places(cells, self.levels)
        return np.where(codes < 0, len(self.levels), codes) if self.other else codes

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Describe what happens to levels that are not declared."""
        if not self.other:
            return super().as_read(column)
        return (Phrase("other values of {column} count as other", column=column),)
