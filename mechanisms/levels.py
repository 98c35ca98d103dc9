"""Levels: how many rows name each declared level or bin, as what a mechanism asks of the rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.mechanisms.view import Asking, PrivateRows, View
from discreet.queries import Bounds
from discreet.queries.scores import Bins, HowRead, Scores


@dataclass(frozen=True)
class Levels(View):
    """How many rows name each declared level, or fall into each bin of a number column."""

    instead: ClassVar[tuple[type, ...]] = ()  # of bins

    bins: Bins | HowRead | None = None

    def __post_init__(self) -> None:
        """Refuse what are no bins."""
        if not isinstance(self.bins, (Bins, *self.instead, type(None))):
            raise ParameterError("Bins must be given as Bins, by their edges. Leave them out to count levels.")

    @property
    def category(self) -> bool:
        """Whether there are no bins."""
        return self.bins is None

    @property
    def edges(self) -> tuple[float, ...]:
        """The edges of the bins."""
        return self.bins.edges if isinstance(self.bins, Bins) else ()

    def read(self, rows: PrivateRows, question: Asking, lots: Any) -> Scores:
        """Count the rows of every level or bin."""
        (name,) = question.columns
        if self.bins is None:
            return rows.scores(name, question.where, lots)
        if isinstance(self.bins, HowRead):
            return rows.how_read(name, question.where, lots)
        return self.bins.scores(rows.column(name, question.where, lots, size=question.public_rows))

    def labels(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the bins, or the declared levels."""
        return declared if self.bins is None else self.bins.labels

    def unit(self, column: str) -> str:
        """Return none: an answer is a choice or a share."""
        return ""

    def shaped(self) -> list[Phrase]:
        """Say what becomes of values outside of all bins."""
        return [Phrase("values outside of all bins in the nearest one")] if self.edges else []


@dataclass(frozen=True)
class LevelCounts(Levels):
    """The same counts, where the answer is the counts themselves; or of how the cells of any column are read."""

    instead: ClassVar[tuple[type, ...]] = (HowRead,)

    def shaped(self) -> list[Phrase]:
        """Say what each count is of, where it is of how cells are read."""
        if not self.every_kind:
            return super().shaped()
        return [Phrase("each row by how its cell is read: whether it is, is doubtful, is not, or is missing")]

    @property
    def every_kind(self) -> bool:
        """Whether it is counted how cells are read."""
        return isinstance(self.bins, HowRead)

    def range(self, bounds: Bounds | None) -> tuple[float, float]:
        """Return from 0 on."""
        return 0.0, math.inf

    def unit(self, column: str) -> str:
        """Return rows."""
        return Phrase("rows")


@dataclass(frozen=True)
class Reports(Levels):
    """The same counts, as the answers of a public number of people."""

    people: int = 1

    def shaped(self) -> list[Phrase]:
        """Say who is missing, and who is too many."""
        return [
            Phrase(
                "as answers of {people}: who is missing counts as no, who is too many is left out", people=self.people
            )
        ]
