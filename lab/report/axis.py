"""Axis: a public stretch of numbers, its round places, and where a number lies on it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

STEPS = (1, 2, 5, 10)
MOST = 5  # stretches between two places


@dataclass(frozen=True)
class Axis:
    """From a round number to another one."""

    low: float
    high: float
    step: float

    def at(self, value: float) -> float:
        """Return where a number lies, from 0 to 1; what lies beyond, at the end."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    @property
    def places(self) -> list[float]:
        """The round numbers."""
        count = round((self.high - self.low) / self.step)
        return [self.low + self.step * at for at in range(count + 1)]


def axis(values: Iterable[float], zero: bool) -> Axis | None:
    """Return an axis on which all numbers lie, and 0 where that is wanted; None where there is no number."""
    numbers = [*values, *([0.0] if zero else [])]
    if not numbers or not all(map(math.isfinite, numbers)) or len(numbers) == zero:
        return None
    low, high = min(numbers), max(numbers)
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        low, high = (low - 1, high + 1) if not low else (low - abs(low) / 10, high + abs(high) / 10)
    step = round_step((high - low) / MOST)
    return Axis(math.floor(low / step) * step, math.ceil(high / step) * step, step)


def round_step(least: float) -> float:
    """Return 1, 2 or 5 of a power of ten, at least so much."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * step for step in STEPS if power * step >= least * (1 - 1e-9))
