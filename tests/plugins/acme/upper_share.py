"""Two statistics: one with all that evidence needs, one that does not say in plain Python what it computes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet.queries import Bounds, Column, Query


@dataclass(frozen=True)
class Silent(Query):
    """Rows in the upper half of the bounds, in hundreds: one row moves it by 1/100, wherever the others are."""

    name: ClassVar[str] = "silent share"
    label: ClassVar[str] = "Silent share"

    def value(self, column: Column) -> float:
        """Return the hundreds."""
        return float(column.counts[2 * column.levels > column.bounds.top].sum()) / 100

    def empty(self, bounds: Bounds) -> float:
        """Return nothing."""
        return 0.0

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return what one row moves."""
        return 0.01

    def row_ladder(self, column: Column, k):
        """Return the same on every rung."""
        return np.full(k.shape, 0.01)

    def unit(self, column: str) -> str:
        """Return hundreds."""
        return "hundreds"


@dataclass(frozen=True)
class UpperShare(Silent):
    """Rows in the upper half of the bounds, in hundreds, and the same in plain Python."""

    name: ClassVar[str] = "upper share"
    label: ClassVar[str] = "Upper share"

    def brute(self, values: list[float], bounds: Bounds) -> float:
        """Return the hundreds, one value after the other."""
        return sum(2 * (value - bounds.lower) > bounds.upper - bounds.lower for value in values) / 100
