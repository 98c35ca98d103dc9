"""The trimmed mean of a declared number of rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from discreet.budget.errors import ParameterError
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column
from discreet.queries.gaps import block_gaps
from discreet.queries.query import Location, exact_share

MOST_ROWS = 2**32


@dataclass(frozen=True)
class TrimmedMean(Location):
    """The mean of rows t+1 to n0-t of n0 rows, t = floor(cut n0); the middle if there are no rows.

    n0 is public: `resize` under add/remove, the size of the relation under change-one. For `resize` the curator gives
    each row an independent secret key, keeps the n0 smallest keys and pads with a constant. Given the keys, one row
    more or less changes at most one row of the result, so the change-one ladder applies: the block of rows t+1..n0-t of
    queries.gaps (Bun and Steinke 2019).
    """

    name: ClassVar[str] = "trimmed-mean"
    label: ClassVar[str] = "Trimmed mean"
    cut: Fraction | str | float = Fraction(1, 10)
    resize: int | None = None

    def __post_init__(self) -> None:
        """Parse the cut exactly; raise ParameterError if the size is missing, given twice, or trimmed to nothing."""
        object.__setattr__(self, "cut", exact_share(self.cut, "Cut", Fraction(499, 1000)))
        if (self.resize is None) == (self.relation.size is None):
            raise ParameterError(
                "A trimmed mean needs one public number of rows: the size to resize to (add/remove), or "
                "the size of change-one."
            )
        given = self.size
        if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= MOST_ROWS:
            raise ParameterError(
                "The size must be a whole number between 1 and {most_rows}. Got {given!r}.",
                most_rows=MOST_ROWS,
                given=given,
            )

    @property
    def size(self) -> int:
        """The public number of rows."""
        return self.resize or self.relation.size or 0

    @property
    def level(self) -> float:
        """The share of rows that is cut on either side."""
        return float(Fraction(self.cut))

    def fitted(self, size: int) -> Self:
        """Return the statistic resized to another number of rows, if it resizes rows at all."""
        return self if self.resize is None else replace(self, resize=size)

    @property
    def block(self) -> tuple[int, int]:
        """The first and the last row that count."""
        trimmed = int(Fraction(self.cut) * self.size)
        return trimmed + 1, self.size - trimmed

    def exact(self, column: Column) -> Fraction:
        """Return the mean of the rows that count, with each missing row at the top."""
        if not column.n:
            return column.bounds.exact(Fraction(column.bounds.top, 2))
        first, last = self.block
        inside = column.prefix([first - 1, last])
        padded = max(0, last - max(column.n, first - 1))
        total = int(inside[1] - inside[0]) + padded * column.bounds.top
        return column.bounds.exact(Fraction(total, last - first + 1))

    def empty(self, bounds: Bounds) -> float:
        """Return the middle of the bounds."""
        return float(bounds.value(bounds.top / 2))

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return the width over the number of rows that count."""
        first, last = self.block
        return bounds.width / (last - first + 1)

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the exact A(k) of the resized rows."""
        first, last = self.block
        gaps = block_gaps(column, first, last, k, self.size)
        return np.asarray(column.bounds.distance(gaps) / (last - first + 1))
