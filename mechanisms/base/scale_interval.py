"""Bought intervals: noise of a secret size, a noisy logarithm of that size, and the interval that both give."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import scipy

from discreet.mechanisms.base.mechanism import ROUND_UP
from discreet.mechanisms.laws.law import Answer, Interval, Laplace, Law, Measured, Noisy, Product, Shape
from discreet.noise.protocol import NoiseSource
from discreet.queries.bounds import FloatArray

SHARES = (0.1, 0.2, 0.35)  # of epsilon, for the interval: the best share is among them or close
SLACK = 4e-9  # of a logarithm: more than what rounding adds to the two of a pair of neighbours
STRATA, FAR = 1500, 1e-5  # of the noise on the logarithm: how many; the first, as a part of the miss probability
LEAST, MOST = 1e-6, 0.4  # lower confidences get the width of the first, which is more than they need
LARGEST = 700.0  # a logarithm whose exponential is still finite
ULPS = 4


@lru_cache(maxsize=4096)
def times(shape: Shape, spread: float, confidence: float) -> float:
    """Return c with P(|W| > c exp(spread L)) <= 1 - confidence, for noise W and Laplace noise L of scale 1.

    The probability of missing decreases with L. In each of many strata of L, which are finer where L is far below 0, it
    is taken at the lower end, so the sum is an upper bound and c is never too small.
    """
    miss = 1 - max(confidence, LEAST)
    ends = np.append(np.geomspace(miss * FAR, 0.05, STRATA), np.linspace(0.05, 1, STRATA)[1:])
    factors = np.exp(spread * Laplace().quantile(ends[:-1]))
    weights = np.diff(ends)

    def excess(log_c: float) -> float:
        beyond = 2 * shape.cdf(-math.exp(log_c) * factors)
        return float(ends[0] + beyond @ weights) - miss

    high = math.log(float(-shape.quantile(miss / 8))) + spread * math.log(2 / miss)
    low = math.log(float(-shape.quantile(min(miss, MOST))))  # L is below 0 half of the time
    while excess(low) < 0:  # a width of 0 always misses
        low -= 1.0
    return math.exp(float(scipy.optimize.brentq(excess, low, high, xtol=1e-10))) * ROUND_UP


@dataclass(frozen=True)
class Bought(Law):
    """An answer with noise of a secret scale, and the noisy logarithm of that scale.

    With noise W and L of scale 1, the error of the answer is exp(s) W and that of the logarithm s is spread L, so
    |W| exp(-spread L), whose law contains nothing secret, is the error in units of the noisy scale: its 95 % quantile
    times that scale is a half width that covers with probability 95 %, exactly, for all rows.
    """

    answer: Noisy
    logarithm: Noisy
    times: float

    @property
    def everything(self) -> Law:
        """Answer and logarithm: all that is shown is computed from them."""
        return Product((self.answer, self.logarithm))

    @property
    def usual_width(self) -> float:
        """The half width where the noise on the logarithm is 0, which is its median."""
        return self.times * self.answer.scale

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        return self.answer.cdf(y)

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile of the answer."""
        return self.answer.quantile(p)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw both numbers; the rest is post-processing."""
        y = self.answer.draw(noise)
        logarithm = self.logarithm.draw(noise)
        assert isinstance(y, float) and isinstance(logarithm, float)
        return self.measured(y, logarithm)

    def measured(self, y: float, logarithm: float) -> Measured:
        """Return the answer with its interval, rounded outwards and clipped to the range of the statistic."""
        width = math.exp(min(logarithm, LARGEST)) * self.times * ROUND_UP + ULPS * math.ulp(y)
        return Measured(y, (max(self.answer.low, y - width), min(self.answer.high, y + width)))


def bought(answer: Noisy, beta: float, epsilon: float, confidence: float = 0.95) -> Bought:
    """Return an answer whose scale is beta-smooth, with the interval that epsilon buys.

    Neighbours move the logarithm of a beta-smooth scale by at most beta, so Laplace noise of scale beta / epsilon
    protects it.
    """
    spread = spread_of(beta, epsilon)
    logarithm = Noisy(math.log(answer.scale), spread, Laplace())
    return Bought(answer, logarithm, times(answer.shape, spread, confidence))


def spread_of(beta: float, epsilon: float) -> float:
    """Return the scale of the noise on the logarithm, rounded up to few digits, which many settings share."""
    exact = (beta + SLACK) / epsilon * ROUND_UP
    unit = 10.0 ** (math.floor(math.log10(exact)) - 4)
    return math.ceil(exact / unit) * unit * ROUND_UP


def rescaled(answer: Measured, ends: Interval, factor: float) -> Interval:
    """Return an interval whose half width is another multiple of that noisy scale.

    An end that was not clipped gives the half width; if both were clipped, the result is the whole range.
    """
    (low, high), (least, most), y = answer.interval, ends, float(answer)
    if low <= least and high >= most:
        return ends
    width = ((y - low) if low > least else (high - y)) * factor * ROUND_UP + ULPS * math.ulp(y)
    return max(least, y - width), min(most, y + width)
