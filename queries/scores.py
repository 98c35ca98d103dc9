"""Scores: one exact integer per declared candidate, and counts over declared bins."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from discreet.budget.errors import ParameterError
from discreet.queries.bounds import IntArray
from discreet.queries.column import Column

MOST_CANDIDATES = 100_000


@dataclass(frozen=True, eq=False)
class Scores:
    """How many rows name each declared candidate. The labels are public, the counts private."""

    labels: tuple[str, ...]
    counts: IntArray = field(repr=False)

    @property
    def n(self) -> int:
        """How many rows were counted."""
        return int(self.counts.sum())


@dataclass(frozen=True)
class Bins:
    """Declared bins of a numeric column: bin i holds edges[i] <= value < edges[i+1].

    The last bin holds its upper edge too; values outside all edges belong to the nearest bin, so
    every row is in exactly one and one row changes one count by one.
    """

    edges: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse edges that are too few, too many, or not increasing."""
        if not 2 <= len(self.edges) <= MOST_CANDIDATES + 1:
            raise ParameterError("Bins need 2 to {most_candidates} edges.", most_candidates=MOST_CANDIDATES + 1)
        if not all(np.isfinite(self.edges)) or not all(np.diff(self.edges) > 0):
            raise ParameterError("The edges of bins must be finite numbers in increasing order.")

    @property
    def labels(self) -> tuple[str, ...]:
        """A public name for each bin."""
        pairs = zip(self.edges, self.edges[1:], strict=False)
        return tuple(f"{low:.15g} to {high:.15g}" for low, high in pairs)

    def scores(self, column: Column) -> Scores:
        """Count the rows of each bin."""
        values = column.bounds.value(column.levels)
        bins = np.searchsorted(np.asarray(self.edges[1:-1]), values, side="right")
        counts = np.bincount(bins, weights=column.counts, minlength=len(self.edges) - 1)
        return Scores(self.labels, counts.astype(np.int64))


READ, DOUBTFUL, GROUPED, UNREAD, MISSING = range(5)


@dataclass(frozen=True)
class HowRead:
    """How the cells of a column are read, in the place of bins: each cell is exactly one of these.

    It is read; it is read and doubtful: as another level, or as a number with exactly three digits
    behind the decimal sign; it is read as a number of thousands, with exactly three digits behind
    one point or comma; it is not read; or there is nothing in it. Which one follows from the cell and
    the declaration of its column alone.
    """

    @property
    def labels(self) -> tuple[str, ...]:
        """A public name for each."""
        return "read", "doubtful", "thousands", "not read", "missing"
