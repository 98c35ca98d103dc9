"""Ratio: the law of a mean that is computed from two independent noisy numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.law import Answer, Law, Measured, Noisy, Product
from discreet.mechanisms.laws.ranks import reached
from discreet.mechanisms.laws.selecting import gauss_legendre
from discreet.noise.protocol import NoiseSource
from discreet.queries.bounds import FloatArray

SHARE_GRID = 400
SHORT = 2.0  # an exponent that changes less is integrated by nodes, a longer one in closed form


def exponential_integral(c: FloatArray, p: FloatArray, low: FloatArray, high: FloatArray, power: int) -> FloatArray:
    """Return the integral of x^power exp(c + p x), power 0 or 1; high may be infinite."""
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        length = np.maximum(high - low, 0.0)
        last = np.where(np.isinf(high), 0.0, high)
        end = np.where(np.isinf(high), 0.0, np.exp(c + p * last))
        start = np.exp(c + p * low)
        safe = np.where(p == 0, 1.0, p)
        area = ((last - 1 / safe) * end - (low - 1 / safe) * start) / safe if power else (end - start) / safe
        short = np.abs(p) * length < SHORT
    area[short] = _by_nodes(c[short], p[short], low[short], length[short], power)
    return np.asarray(area)


def _by_nodes(c: FloatArray, p: FloatArray, low: FloatArray, length: FloatArray, power: int) -> FloatArray:
    nodes, weights = gauss_legendre(16)
    x = low[:, None] + length[:, None] * (nodes + 1) / 2
    return np.asarray((x**power * np.exp(c[:, None] + p[:, None] * x)) @ weights * length / 2)


@dataclass(frozen=True, eq=False)
class Pieces:
    """Intervals of b on which both densities are exponentials."""

    low: FloatArray
    high: FloatArray
    side: FloatArray
    constant: FloatArray
    above: NDArray[np.bool_]
    slope: FloatArray


@dataclass(frozen=True)
class Ratio(Law):
    """low + width * share, the share clipped into [0, 1].

    `together`: a and b are two soft counts and the share is a/(a+b), 1/2 where a+b <= 0.
    Otherwise a is a sum over the width, b a count, and the share is shift + a/b, 1/2 where b <= 0.
    Both noises are Laplace; along b, cdf and density are sums of exponentials in closed form.
    """

    first: Noisy
    second: Noisy
    together: bool
    low: float
    width: float
    shift: float = 0.0

    @property
    def draws(self) -> int:
        """One uniform for each noisy number."""
        return 2

    def _share(self, a: Any, b: Any) -> FloatArray:
        a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
        below = a + b if self.together else b
        safe = np.where(below > 0, below, 1.0)
        share = a / safe if self.together else self.shift + a / safe
        return np.asarray(np.where(below > 0, np.clip(share, 0.0, 1.0), 0.5))

    def _pieces(self, slope: FloatArray, sign: int) -> Pieces:
        """Split sign b > 0 where a density has its kink, with a = slope b along the way.

        Returns ends, and the logarithm of b's density there as constant and slope.
        """
        alpha = float(self.first.centre)
        beta = sign * float(self.second.centre)
        slope = sign * slope
        with np.errstate(divide="ignore", invalid="ignore"):
            kink = np.where(slope == 0, 0.0, alpha / np.where(slope == 0, 1.0, slope))
        zero = np.zeros(slope.shape)
        end = np.full(slope.shape, np.inf)
        cuts = np.sort(np.stack((zero, np.clip(kink, 0, None), zero + max(beta, 0.0), end)), axis=0)
        low = cuts[:-1]
        high = cuts[1:]
        middle = np.where(np.isinf(high), low + 1.0, (low + high) / 2)
        side = np.where(middle < beta, 1.0, -1.0) / self.second.scale
        constant = -side * beta - np.log(2 * self.second.scale)
        above = slope * middle > alpha
        return Pieces(low, high, side, constant, above, slope)

    def _below(self, slope: FloatArray, sign: int) -> FloatArray:
        """Return P(sign b > 0 and a <= slope b)."""
        cut = self._pieces(slope, sign)
        side = np.where(cut.above, -1.0, 1.0) / self.first.scale
        p = cut.side + side * cut.slope
        c = cut.constant - side * float(self.first.centre) - np.log(2.0)
        part = exponential_integral(c, p, cut.low, cut.high, 0)
        whole = exponential_integral(cut.constant, cut.side, cut.low, cut.high, 0)
        return np.asarray(np.where(cut.above, whole - part, part).sum(axis=0))

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y), in closed form."""
        t = (np.asarray(y, dtype=np.float64) - self.low) / self.width
        inner = np.clip(t, 0.0, 1 - 1e-15)
        half = t >= 0.5
        if self.together:
            minus = np.full(inner.shape, -1.0)
            nothing = self._below(minus, 1)
            chance = self._below(inner / (1 - inner), 1) - nothing
            chance = chance + half * (nothing + self._below(minus, -1))
        else:
            none = float(self.second.cdf(0.0))
            chance = self._below(inner - self.shift, 1) + half * none
        chances = np.where(t < 0, 0.0, np.where(t >= 1, 1.0, chance))
        return np.asarray(np.clip(chances, 0.0, 1.0))

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile: where the cdf reaches p."""
        return reached(self.cdf, p, self.low, self.width)

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return answers computed from both noisy numbers."""
        share = self._share(self.first.quantile(uniforms[0]), self.second.quantile(uniforms[1]))
        return np.asarray(self.low + self.width * share)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw both numbers; the rest is post-processing."""
        a = self.first.draw(noise)
        b = self.second.draw(noise)
        return float(self.low + self.width * self._share(a, b))

    def log_density(self, y: Any) -> FloatArray:
        """Return the log-density inside the range, in closed form."""
        t = (np.asarray(y, dtype=np.float64) - self.low) / self.width
        inner = np.clip(t, 1e-12, 1 - 1e-12)
        slope = inner / (1 - inner) if self.together else inner - self.shift
        cut = self._pieces(slope, 1)
        side = np.where(cut.above, -1.0, 1.0) / self.first.scale
        c = cut.constant - side * float(self.first.centre) - np.log(2 * self.first.scale)
        part = exponential_integral(c, cut.side + side * cut.slope, cut.low, cut.high, 1)
        jacobian = 2 * np.log1p(-inner) if self.together else 0.0
        with np.errstate(divide="ignore"):
            density = np.log(np.maximum(part.sum(axis=0), 0.0)) - jacobian - np.log(self.width)
        return np.asarray(np.where((t > 0) & (t < 1), density, -np.inf))


@anatomy.register
def ratio(law: Ratio) -> Anatomy:
    """Decompose the law: atoms at both bounds and in the middle, a density between."""
    inner = np.array([0.0, 0.5, 1.0])
    points = law.low + law.width * inner
    before = law.cdf(points - 1e-9 * law.width)
    at = law.cdf(points)
    masses = np.array([at[0], at[1] - before[1], 1.0 - before[2]])
    edges = law.low + law.width * np.linspace(0.0, 1.0, SHARE_GRID + 1)

    def mass(low: FloatArray, high: FloatArray) -> FloatArray:
        inside = law.cdf(high - 1e-12 * law.width) - law.cdf(low)
        return np.asarray(np.maximum(inside, 0.0))

    return Anatomy(0.0, points, masses, edges, law.log_density, mass)


# --- Soft counts: the law of a mean from two noisy counts, and the exact interval that they give ---

GRID = np.linspace(0.0, 1.0, 129)
HALVINGS = 50
ALIKE = 1e-5  # weights that are closer count as equal
OUTWARD = 1e-12  # of the range: more than all rounding of an end


def tail(share: ArrayLike, t: ArrayLike) -> FloatArray:
    """Return P(|(1 - share) X - share Y| > t) for two Laplace noises X and Y of scale 1.

    With u = max and v = min of the weights it is (u^2 e^(-t/u) - v^2 e^(-t/v)) / (u^2 - v^2), and
    (1 + t/2u) e^(-t/u) where they are equal; near there the two meet to second order in u - v.
    """
    share, t = np.asarray(share, dtype=np.float64), np.asarray(t, dtype=np.float64)
    u = np.maximum(share, 1 - share)
    v = np.minimum(share, 1 - share)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = (u**2 * np.exp(-t / u) - v**2 * np.exp(-t / np.where(v > 0, v, 1.0)) * (v > 0)) / (u**2 - v**2)
    middle = (u + v) / 2
    return np.asarray(np.where(u - v < ALIKE, (1 + t / (2 * middle)) * np.exp(-t / middle), apart))


def tail_at(share: float, t: float) -> float:
    """Return `tail` of two numbers: an end is searched for in many steps, for each of many groups."""
    u = max(share, 1 - share)
    v = min(share, 1 - share)
    if u - v < ALIKE:
        middle = (u + v) / 2
        return (1 + t / (2 * middle)) * math.exp(-t / middle)
    return (u**2 * math.exp(-t / u) - (v**2 * math.exp(-t / v) if v > 0 else 0.0)) / (u**2 - v**2)


@dataclass(frozen=True)
class Tails:
    """The tail of (1 - share) X - share Y for two noises of scale 1: of arrays, and of two numbers."""

    many: Callable[[ArrayLike, ArrayLike], FloatArray]
    single: Callable[[float, float], float]


LAPLACE_TAILS = Tails(tail, tail_at)


def shares(a: float, b: float, scale: float, confidence: float, tails: Tails = LAPLACE_TAILS) -> tuple[float, float]:
    """Return the range of shares A/(A+B), given that A and B plus noise are a and b.

    For a share p the sum (1 - p) a - p b is (1 - p) X - p Y whatever the rows are, so all p whose tail there is at
    least 1 - confidence contain the true one with that confidence, exactly. Returned are the ends of that set; 0 and 1
    if it is empty, and its outermost ends if it has several parts.
    """
    a, b = a / scale, b / scale
    likely = min(max(a / (a + b), 0.0), 1.0) if a + b else 0.5
    places = np.sort(np.append(GRID, likely))
    (within,) = np.nonzero(tails.many(places, np.abs(a - places * (a + b))) >= 1 - confidence)
    if not within.size:
        return 0.0, 1.0
    first = int(within[0])
    last = int(within[-1])

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
    """Return a lower bound of the number of rows, except with probability `miss`, given their noisy number a + b.

    The noise of a + b is twice that of the halves, X/2 + Y/2, which has one tail of half the probability.
    """
    low = 0.0
    high = 1.0
    while tails.single(0.5, high) > 2 * miss:
        high *= 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if tails.single(0.5, middle) > 2 * miss else (low, middle)
    return size - 2 * high * scale


@dataclass(frozen=True)
class SoftCounts(Ratio):
    """A ratio where both noisy counts are released: the interval and the size are computed from them."""

    confidence: float = 0.95
    tails: ClassVar[Tails] = LAPLACE_TAILS

    @property
    def everything(self) -> Law:
        """Both counts: all that is shown is computed from them."""
        return Product((self.first, self.second))

    @property
    def usual_width(self) -> float:
        """The half width where the noise on both counts is 0."""
        low, high = self.measured(float(self.first.centre), float(self.second.centre)).interval
        return (high - low) / 2

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw both counts; the rest is post-processing."""
        a = self.first.draw(noise)
        b = self.second.draw(noise)
        assert isinstance(a, float) and isinstance(b, float)
        return self.measured(a, b)

    def measured(self, a: float, b: float) -> Measured:
        """Return what two noisy counts give: the mean, its interval, and the number of rows."""
        value = float(self.low + self.width * self._share(a, b))
        ends = shares(a, b, self.first.scale, self.confidence, self.tails)
        low, high = (self.low + self.width * end for end in ends)
        return Measured(value, (min(float(low), value), max(float(high), value)), a + b)
