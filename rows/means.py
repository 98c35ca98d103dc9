"""Means: one number for each person, the mean of their rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from discreet.queries.bounds import DEFAULT_CELLS, Bounds, IntArray


@dataclass(frozen=True)
class Means:
    """The grid of one number a person: the declared range in whole parts of the declared step.

    The mean of a person's ticks lies between ticks. The parts are so fine that moving it to the
    nearest of them is nothing beside any noise, and never coarser than what was declared.
    """

    declared: Bounds

    @property
    def times(self) -> int:
        """How many parts a declared step has."""
        wide = float(self.declared.upper) - float(self.declared.lower)
        return max(1, math.ceil(DEFAULT_CELLS * float(self.declared.resolution) / wide - 1e-6))

    @cached_property
    def bounds(self) -> Bounds:
        """The finer grid, as public as the declared one."""
        given = self.declared
        return Bounds(given.lower, given.upper, float(given.resolution) / self.times)

    def ticks(self, sums: IntArray, sizes: IntArray) -> IntArray:
        """Return the nearest tick of the mean of so many declared ticks: whole numbers only."""
        start = self.bounds.ticks(np.array([self.declared.value(0)]))
        whole, rest = np.divmod(sums, sizes)
        parts = (2 * self.times * rest + sizes) // (2 * sizes)
        ticks: IntArray = np.minimum(start + self.times * whole + parts, self.bounds.top)
        return ticks
