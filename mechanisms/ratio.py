"""Ratio: the law of a mean made of two independent noisy numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.mechanisms.anatomy import Anatomy, anatomy
from discreet.mechanisms.chances import gauss_legendre
from discreet.mechanisms.laws import Answer, Law, Noisy
from discreet.mechanisms.noise_source import NoiseSource
from discreet.mechanisms.reaching import reached
from discreet.queries.bounds import FloatArray

SHARE_GRID = 400
SHORT = 2.0  # an exponent that moves less is integrated by nodes, a longer one in closed form


def exponential_integral(c: FloatArray, p: FloatArray, low: FloatArray, high: FloatArray, power: int) -> FloatArray:
    """Return the integral of x^power exp(c + p x), power 0 or 1; high may be endless."""
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        length = np.maximum(high - low, 0.0)
        last = np.where(np.isinf(high), 0.0, high)
        end = np.where(np.isinf(high), 0.0, np.exp(c + p * last))
        start, safe = np.exp(c + p * low), np.where(p == 0, 1.0, p)
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
        """Cut sign b > 0 where a density has its kink, with a = slope b along the way.

        Returns ends, and the logarithm of b's density there as constant and slope.
        """
        alpha, beta = float(self.first.centre), sign * float(self.second.centre)
        slope = sign * slope
        with np.errstate(divide="ignore", invalid="ignore"):
            kink = np.where(slope == 0, 0.0, alpha / np.where(slope == 0, 1.0, slope))
        zero, end = np.zeros(slope.shape), np.full(slope.shape, np.inf)
        cuts = np.sort(np.stack((zero, np.clip(kink, 0, None), zero + max(beta, 0.0), end)), axis=0)
        low, high = cuts[:-1], cuts[1:]
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
        """Return answers made of both noisy numbers."""
        share = self._share(self.first.quantile(uniforms[0]), self.second.quantile(uniforms[1]))
        return np.asarray(self.low + self.width * share)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw both numbers; the rest is post-processing."""
        a, b = self.first.draw(noise), self.second.draw(noise)
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
    """Take apart: atoms on both bounds and in the middle, a density between."""
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
