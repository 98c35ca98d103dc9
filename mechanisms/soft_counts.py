"""Soft counts: the law of a mean made of two noisy counts, and the exact interval that they tell."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from discreet.mechanisms.composed import Product
from discreet.mechanisms.laws import Answer, Law
from discreet.mechanisms.measured import Measured
from discreet.mechanisms.noise_source import NoiseSource
from discreet.mechanisms.ratio import Ratio
from discreet.queries.bounds import FloatArray

GRID, HALVINGS = np.linspace(0.0, 1.0, 129), 50
ALIKE = 1e-5  # weights that are closer count as equal
OUTWARD = 1e-12  # of the range: more than all rounding of an end


def tail(share: ArrayLike, t: ArrayLike) -> FloatArray:
    """Return P(|(1 - share) X - share Y| > t) for two Laplace noises X and Y of scale 1.

    With u = max and v = min of the weights it is (u^2 e^(-t/u) - v^2 e^(-t/v)) / (u^2 - v^2), and
    (1 + t/2u) e^(-t/u) where they are equal; near there the two meet to second order in u - v.
    """
    share, t = np.asarray(share, dtype=np.float64), np.asarray(t, dtype=np.float64)
    u, v = np.maximum(share, 1 - share), np.minimum(share, 1 - share)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = (u**2 * np.exp(-t / u) - v**2 * np.exp(-t / np.where(v > 0, v, 1.0)) * (v > 0)) / (u**2 - v**2)
    middle = (u + v) / 2
    return np.asarray(np.where(u - v < ALIKE, (1 + t / (2 * middle)) * np.exp(-t / middle), apart))


def tail_at(share: float, t: float) -> float:
    """Return the same of two numbers: an end is looked for in many steps, for each of many groups."""
    u, v = max(share, 1 - share), min(share, 1 - share)
    if u - v < ALIKE:
        middle = (u + v) / 2
        return (1 + t / (2 * middle)) * math.exp(-t / middle)
    return (u**2 * math.exp(-t / u) - (v**2 * math.exp(-t / v) if v > 0 else 0.0)) / (u**2 - v**2)


@dataclass(frozen=True)
class Tails:
    """The tail of (1 - share) X - share Y for two noises of scale 1: of many numbers, and of two."""

    many: Callable[[ArrayLike, ArrayLike], FloatArray]
    single: Callable[[float, float], float]


LAPLACE_TAILS = Tails(tail, tail_at)


def shares(a: float, b: float, scale: float, confidence: float, tails: Tails = LAPLACE_TAILS) -> tuple[float, float]:
    """Return between which shares A/(A+B) lies, where A and B got noise and became a and b.

    For a share p the sum (1 - p) a - p b is (1 - p) X - p Y whatever the rows are, so all p whose
    tail there is at least 1 - confidence hold the true one with that confidence, exactly. Returned
    are the ends of that set; all of 0 to 1 where it is empty, as far as it goes where it is in parts.
    """
    a, b = a / scale, b / scale
    likely = min(max(a / (a + b), 0.0), 1.0) if a + b else 0.5
    places = np.sort(np.append(GRID, likely))
    (within,) = np.nonzero(tails.many(places, np.abs(a - places * (a + b))) >= 1 - confidence)
    if not within.size:
        return 0.0, 1.0
    first, last = int(within[0]), int(within[-1])

    def end(inner: float, outer: float) -> float:
        for _ in range(HALVINGS):
            middle = (inner + outer) / 2
            inside = tails.single(middle, abs(a - middle * (a + b))) >= 1 - confidence
            inner, outer = (middle, outer) if inside else (inner, middle)
        return outer

    low = end(float(places[first]), float(places[first - 1])) if first else 0.0
    high = end(float(places[last]), float(places[last + 1])) if last + 1 < places.size else 1.0
    return max(0.0, low - OUTWARD), min(1.0, high + OUTWARD)


def rows_at_least(size: float, scale: float, miss: float, tails: Tails = LAPLACE_TAILS) -> float:
    """Return how many rows there are at least, but for a chance to miss, where their noisy number is a + b.

    The noise of a + b is twice that of the halves, X/2 + Y/2, which has one tail of half the chance.
    """
    low, high = 0.0, 1.0
    while tails.single(0.5, high) > 2 * miss:
        high *= 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if tails.single(0.5, middle) > 2 * miss else (low, middle)
    return size - 2 * high * scale


@dataclass(frozen=True)
class SoftCounts(Ratio):
    """The same ratio, where both noisy counts are released: the interval and the size follow from them."""

    confidence: float = 0.95
    tails: ClassVar[Tails] = LAPLACE_TAILS

    @property
    def everything(self) -> Law:
        """Both counts: all that is shown is made of them."""
        return Product((self.first, self.second))

    @property
    def usual_width(self) -> float:
        """The half width where the noise on both counts is 0."""
        low, high = self.measured(float(self.first.centre), float(self.second.centre)).interval
        return (high - low) / 2

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw both counts; the rest is post-processing."""
        a, b = self.first.draw(noise), self.second.draw(noise)
        assert isinstance(a, float) and isinstance(b, float)
        return self.measured(a, b)

    def measured(self, a: float, b: float) -> Measured:
        """Return what two noisy counts tell: the mean, where it lies, and of how many rows."""
        value = float(self.low + self.width * self._share(a, b))
        ends = shares(a, b, self.first.scale, self.confidence, self.tails)
        low, high = (self.low + self.width * end for end in ends)
        return Measured(value, (min(float(low), value), max(float(high), value)), a + b)
