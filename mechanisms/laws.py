"""Laws: the probability distribution of an answer, given the data. Private until one draw."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from discreet.budget.errors import ParameterError
from discreet.mechanisms.noise_source import NoiseSource, Number
from discreet.mechanisms.shapes import Shape
from discreet.queries import Column, Query
from discreet.queries.bounds import FloatArray

Answer = float | int | str | tuple[Any, ...] | None
REFUSED: Answer = None


class Law(ABC):
    """The distribution of one answer.

    `simulate` maps independent uniforms (one row per `draws`) to answers, so that ten thousand
    answers are one array operation; `draw` asks a noise source for exactly one.
    """

    @property
    def draws(self) -> int:
        """How many uniforms one simulated answer takes."""
        return 1

    @property
    def refusal(self) -> float:
        """The probability that there is no answer."""
        return 0.0

    @property
    def everything(self) -> Law:
        """The law of all that is shown: this one, unless more than the answer is made of a draw."""
        return self

    @abstractmethod
    def cdf(self, y: Any) -> FloatArray:
        """Return P(answered and answer <= y)."""

    @abstractmethod
    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile of the answers that are given."""

    @abstractmethod
    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one answer; None is a refusal."""

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one answer per column of uniforms; NaN is a refusal."""
        return self.quantile(uniforms[0])


@dataclass(frozen=True)
class Noisy(Law):
    """centre + scale Z, clipped into [low, high] afterwards (post-processing).

    The centre stays exact until the noise is on it.
    """

    centre: Number
    scale: float
    shape: Shape
    low: float = -np.inf
    high: float = np.inf

    def __post_init__(self) -> None:
        """Refuse a scale that would release the exact answer."""
        if not (np.isfinite(self.scale) and self.scale > 0 and math.isfinite(self.centre)):
            raise ParameterError("The noise scale must be a finite number above 0.")

    @cached_property
    def _centre(self) -> tuple[float, float]:
        """The nearest double, and what it leaves out."""
        near = float(self.centre)
        return near, float(Fraction(self.centre) - Fraction(near))

    def standard(self, y: FloatArray) -> FloatArray:
        """Return z = (y - centre) / scale."""
        near, rest = self._centre
        return np.asarray(((y - near) - rest) / self.scale)

    def at(self, z: FloatArray) -> FloatArray:
        """Return centre + scale z, clipped."""
        near, rest = self._centre
        return np.clip(near + (rest + self.scale * z), self.low, self.high)

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        y = np.asarray(y, dtype=np.float64)
        inner = self.shape.cdf(self.standard(y))
        return np.asarray(np.where(y < self.low, 0.0, np.where(y >= self.high, 1.0, inner)))

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile."""
        return self.at(self.shape.quantile(p))

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one answer."""
        y = self.shape.draw(noise, self.centre, float(self.scale))
        return float(min(max(y, self.low), self.high))


def around(query: Query, column: Column, scale: float, shape: Shape) -> Noisy:
    """Return the law of a statistic of some rows with noise, clipped into what it can be."""
    low, high = query.low(column.bounds), query.high(column.bounds)
    return Noisy(query.exact(column), scale, shape, low, high)


@dataclass(frozen=True)
class Whole(Law):
    """centre + Z in whole numbers of any size, P(Z = z) proportional to exp(-|z| / scale)."""

    centre: int
    scale: float

    @cached_property
    def _centre(self) -> tuple[float, float]:
        """The nearest double, and what it leaves out."""
        near = float(self.centre)
        return near, float(self.centre - int(near))

    def at(self, z: FloatArray) -> FloatArray:
        """Return centre + z."""
        near, rest = self._centre
        return np.asarray(near + (rest + z))

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        near, rest = self._centre
        z = (np.floor(np.asarray(y, dtype=np.float64)) - near) - rest
        below = np.exp(-np.abs(np.where(z < 0, z, z + 1)) / self.scale) / (1 + self._ratio)
        return np.asarray(np.where(z < 0, below, 1 - below))

    @property
    def _ratio(self) -> float:
        """The probability of z + 1 over that of z, for z >= 0."""
        return math.exp(-1 / self.scale)

    def quantile(self, p: Any) -> FloatArray:
        """Return the smallest answer with at least p of the probability at or below it."""
        p = np.asarray(p, dtype=np.float64)
        a = self._ratio
        low = np.floor(-np.log(np.minimum(p * (1 + a), 1.0)) * self.scale + 1e-12)
        high = np.ceil(-np.log(np.minimum((1 - p) * (1 + a), a)) * self.scale - 1 - 1e-12)
        z = np.where(p * (1 + a) <= a, -low, np.maximum(high, 0))
        return self.at(z)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one answer."""
        return noise.geometric(self.centre, self.scale)
