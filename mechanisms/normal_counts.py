"""The mean from two soft counts with Gaussian noise: for plans of many queries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from discreet.mechanisms.base.mechanism import ROUND_UP
from discreet.mechanisms.base.vocabulary import GAUSSIAN, GLOBAL, Family, Noise, delta_parameter
from discreet.mechanisms.gaussian import NormalNoise
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laws.law import Gaussian, Noisy
from discreet.mechanisms.laws.ratio import SoftCounts, Tails
from discreet.noise.protocol import Number
from discreet.queries.bounds import FloatArray


def normal_tail(share: ArrayLike, t: ArrayLike) -> FloatArray:
    """Return P(|(1 - share) X - share Y| > t) for two normal noises X and Y of deviation 1."""
    share, t = np.asarray(share, dtype=np.float64), np.asarray(t, dtype=np.float64)
    return np.asarray(special.erfc(t / np.sqrt(2 * (share**2 + (1 - share) ** 2))))


def normal_tail_at(share: float, t: float) -> float:
    """Return `normal_tail` of two numbers."""
    return math.erfc(t / math.sqrt(2 * (share**2 + (1 - share) ** 2)))


def both_below(h: FloatArray, k: FloatArray, correlation: FloatArray) -> FloatArray:
    """Return P(X <= h and Y <= k) of two normal numbers, by Owen's T (Owen 1956)."""
    root = np.sqrt(1 - correlation**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(h == 0, np.copysign(np.inf, k), (k - correlation * h) / (h * root))
        second = np.where(k == 0, np.copysign(np.inf, h), (h - correlation * k) / (k * root))
    apart = np.where((h * k > 0) | ((h * k == 0) & (h + k >= 0)), 0.0, 0.5)
    halves = (special.ndtr(h) + special.ndtr(k)) / 2
    chance = halves - special.owens_t(h, first) - special.owens_t(k, second) - apart
    return np.asarray(np.where((h == 0) & (k == 0), 0.25 + np.arcsin(correlation) / (2 * np.pi), chance))


@dataclass(frozen=True)
class NormalSoftCounts(SoftCounts):
    """The law of the ratio where both counts have normal noise of one standard deviation."""

    tails: ClassVar[Tails] = Tails(normal_tail, normal_tail_at)

    def _parts(self, y: Any) -> tuple[FloatArray, FloatArray, float, float]:
        share = np.clip((np.asarray(y, dtype=np.float64) - self.low) / self.width, 0.0, 1.0)
        a = float(self.first.centre) / self.first.scale
        b = float(self.second.centre) / self.second.scale
        return share, share**2 + (1 - share) ** 2, a, b

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y): a <= share (a + b) where a + b > 0, and the middle otherwise."""
        y = np.asarray(y, dtype=np.float64)
        share, q, a, b = self._parts(y)
        h = (share * b - (1 - share) * a) / np.sqrt(q)
        k = np.full(share.shape, -(a + b) / math.sqrt(2))
        chance = special.ndtr(h) - both_below(h, k, (1 - 2 * share) / np.sqrt(2 * q))
        chance = chance + (share >= 0.5) * special.ndtr(k)
        within = np.where(y >= self.low + self.width, 1.0, np.clip(chance, 0.0, 1.0))
        return np.asarray(np.where(y < self.low, 0.0, within))

    def log_density(self, y: Any) -> FloatArray:
        """Return the log-density inside the range: w phi(share w - a) phi((1-share) w - b) over w > 0."""
        share, q, a, b = self._parts(y)
        off = (1 - share) * a - share * b
        middle = (share * a + (1 - share) * b) / np.sqrt(q)
        inner = np.exp(-(middle**2) / 2) + middle * math.sqrt(2 * math.pi) * special.ndtr(middle)
        with np.errstate(divide="ignore"):
            density = np.log(np.maximum(inner, 0.0)) - off**2 / (2 * q) - np.log(2 * math.pi * q * self.width)
        return np.asarray(np.where((share > 0) & (share < 1), density, -np.inf))


@dataclass(frozen=True)
class TwoNormalCounts(NormalNoise, TwoCounts):
    """The mean from two soft counts, as two-counts has it, with Normal(0, sigma) noise on each.

    Guarantee: (epsilon, delta)-DP, and rho-zCDP with rho = 1/(2 sigma^2) in units of the rows of a person.
    Proof: with t = (x-l)/R from 0 to 1 a row moves (A, B) by (t, 1-t), which is 1 in L2 at most, so the m
    rows of a person move it by m. Normal noise is the same in all directions, and sigma is the exact
    one for that shift (see gaussian). The ratio, its interval and A + B are post-processing of both.
    Reference: Balle and Wang 2018 for sigma; the hull of +-(x, 1) as for two-counts.
    Complexity: O(1) on a prepared column.
    Corner cases: no rows, or A + B <= 0, answer the middle of the bounds; a public size is refused.
    """

    slug: ClassVar[str] = "two-normal-counts"
    title: ClassVar[str] = "Mean from two soft counts, Gaussian noise"
    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = GAUSSIAN
    soft: ClassVar[type[SoftCounts]] = NormalSoftCounts

    delta: float = delta_parameter()

    def _noisy(self, centre: Number, sensitivity: float, epsilon: float) -> Noisy:
        return Noisy(centre, self.relation.rows * sensitivity * self.sigma * ROUND_UP, Gaussian())
