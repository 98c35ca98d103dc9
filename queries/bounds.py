"""Bounds: a column's public lower, upper and step, and the grid of ticks that they define."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.budget.cost import take_numbers
from discreet.budget.errors import ParameterError, Phrase

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

DEFAULT_CELLS = 2**20
LARGEST_TOP = 2**31 - 1
LARGEST_INTEGER = 2**62 - 1  # so that upper - lower fits 64 bits
NARROWEST, WIDEST = 1e-250, 1e250  # every scale of noise that follows is finite and above 0
CHUNK = 2**15  # one pass stays inside a core's cache


@dataclass(frozen=True)
class Bounds:
    """The public range of a column, declared by a person and never read from the data.

    A private value x is clipped and stored as a tick, an integer from 0 to `top`, and nothing finer: tick t represents
    lower + t step. Values are rounded to the nearest tick, so that a long column of zeros sums to zero; integers are
    rounded down to a step.
    """

    lower: float
    upper: float
    step: float | None = None
    integer: bool = False

    def __post_init__(self) -> None:
        """Check the range once and convert it, so that no later arithmetic can truncate."""
        take_numbers(self)
        for name in ("lower", "upper"):
            object.__setattr__(self, name, self._number(name))
        self._check_range()
        object.__setattr__(self, "step", self._checked_step())
        if not 1 <= self.top <= LARGEST_TOP:
            raise ParameterError(
                "Step must divide the range into 2 to {largest_top} steps. Got step {step}.",
                largest_top=LARGEST_TOP + 1,
                step=self.step,
            )

    def _check_range(self) -> None:
        if not self.lower < self.upper:
            raise ParameterError(
                "Lower must be smaller than upper. Got lower {lower} and upper {upper}.",
                lower=self.lower,
                upper=self.upper,
            )
        if not NARROWEST <= self.upper - self.lower <= WIDEST:
            raise ParameterError(
                "The range from lower to upper must be between {narrowest} and {widest} wide. Use another unit.",
                narrowest=NARROWEST,
                widest=WIDEST,
            )

    def _number(self, name: str) -> float:
        given = getattr(self, name)
        if isinstance(given, bool) or not isinstance(given, (int, float)):
            raise ParameterError("{name} must be a number. Got {given!r}.", name=Phrase(name.capitalize()), given=given)
        if isinstance(given, float) and not math.isfinite(given):
            raise ParameterError(
                "{name} must be a finite number. Got {given}.", name=Phrase(name.capitalize()), given=given
            )
        if not self.integer:
            return float(given)
        if given != int(given) or abs(int(given)) > LARGEST_INTEGER:
            raise ParameterError(
                "{name} of an integer column must be a whole number between -(2^62 - 1) and 2^62 - 1. Got "
                "{given}. For larger values, declare a number with decimals.",
                name=Phrase(name.capitalize()),
                given=given,
            )
        return int(given)

    def _checked_step(self) -> float:
        if self.step is None:
            return 1 if self.integer else (self.upper - self.lower) / DEFAULT_CELLS
        if not (isinstance(self.step, (int, float)) and math.isfinite(self.step) and self.step > 0):
            raise ParameterError("Step must be a number above 0. Got {step}.", step=self.step)
        if self.integer:
            if self.step != int(self.step):
                raise ParameterError("Step of an integer column must be a whole number. Got {step}.", step=self.step)
            return int(self.step)
        return float(self.step)

    @property
    def resolution(self) -> float:
        """The step in use: declared, or the default."""
        assert self.step is not None
        return self.step

    @property
    def top(self) -> int:
        """The largest tick."""
        if self.integer:
            return int(self.upper - self.lower) // int(self.resolution)
        cells = (self.upper - self.lower) / self.resolution
        return math.floor(cells * (1 + 1e-12))

    @property
    def width(self) -> float:
        """The largest distance between the values of two ticks."""
        return float(self.top * self.resolution)

    def value(self, tick: Any) -> Any:
        """Convert a tick, an array of ticks or a point between ticks to the column's own unit."""
        return self.lower + self.resolution * tick

    def exact(self, tick: int | Fraction) -> Fraction:
        """Convert a tick or a point between ticks to the column's own unit without rounding."""
        return Fraction(self.lower) + Fraction(self.resolution) * tick

    def distance(self, ticks: Any) -> FloatArray:
        """Convert distances in ticks to the column's own unit."""
        return np.asarray(np.asarray(ticks, dtype=np.float64) * float(self.resolution))

    def ticks(self, values: NDArray[Any]) -> IntArray:
        """Return the ticks of finite or infinite values, row by row (missing values must be removed before).

        Chunks keep every pass inside a core's cache, which makes this faster than sorting.
        """
        source = np.ascontiguousarray(values)
        exact = self.integer and source.dtype.kind in "iu"
        ticks = np.empty(source.shape, dtype=np.int64)
        for start in range(0, source.size, CHUNK):
            part = slice(start, start + CHUNK)
            ticks[part] = self._exact(source[part]) if exact else self._floating(source[part])
        return ticks

    def _exact(self, part: NDArray[Any]) -> IntArray:
        if part.dtype.kind == "u":
            part = np.minimum(part, np.uint64(LARGEST_INTEGER))
        whole = np.clip(part.astype(np.int64), self.lower, self.upper)
        ticks: IntArray = (whole - np.int64(self.lower)) // np.int64(self.resolution)
        return ticks

    def _floating(self, part: NDArray[Any]) -> FloatArray:
        inside = np.clip(part.astype(np.float64), self.lower, self.upper)
        if self.integer:
            np.floor(inside, out=inside)
        inside -= float(self.lower)
        inside /= float(self.resolution)
        if not self.integer:
            inside += 0.5
        return np.minimum(inside, self.top, out=inside)
