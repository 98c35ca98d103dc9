"""Tests of a proposed bound: whether the data are far from every dataset that exceeds it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from discreet.mechanisms.base.mechanism import ROUND_UP
from discreet.noise.protocol import NoiseSource
from discreet.queries import Column, Query

CERTAIN = 800.0  # exp(-800) is 0 in double precision
EQUAL = 1 + (ROUND_UP - 1) / 2  # a rung that is b is not above b, however its last digits were rounded
LONGEST_TABLE = 200_000


def distance(query: Query, column: Column, bound: float, cap: int) -> int:
    """Return min(cap, the smallest k with A(k) > bound), by a public number of bisections.

    The cap makes the time independent of the data; the minimum with a constant changes by at most one per person, too.
    Rungs are compared with bound * EQUAL: rungs of a grid are often equal to a round bound, and none is equal to this
    product, so rounding decides nothing. Proof: below the distance |f(x) - f(x')| <= bound * EQUAL, and the scale of
    the answer's noise is rounded up by twice as much (ROUND_UP), which leaves the other half for its own rounding.
    """
    limit = bound * EQUAL
    low, high = 0, cap  # invariant: A(k) <= limit for all k < low
    for _ in range(cap.bit_length()):
        middle = (low + high) // 2
        rung = float(query.ladder(column, np.array([middle]))[0])
        if low < high:
            fails = rung > limit
            low, high = (low, middle) if fails else (middle + 1, high)
    return low


@dataclass(frozen=True)
class Threshold:
    """The public side of the pure test: distance + Z >= threshold, Z two-sided geometric.

    At distance 0 it passes with probability a^T/(1+a) <= delta, a = exp(-1/scale).
    """

    epsilon: float
    delta: float

    @property
    def scale(self) -> float:
        """The scale of the test's noise, rounded up."""
        return ROUND_UP / self.epsilon

    @property
    def least(self) -> int:
        """T: the smallest integer at which distance 0 passes with at most delta."""
        a = math.exp(-1 / self.scale)
        least = math.ceil(-math.log(self.delta * (1 + a)) * self.scale)
        while math.exp(-least / self.scale) / (1 + a) > self.delta:
            least += 1
        return least

    @property
    def cap(self) -> int:
        """A distance from which passing is certain in double precision."""
        return self.least + math.ceil(CERTAIN * self.scale)


@dataclass(frozen=True)
class PureTest:
    """The pure test at one private distance: it is epsilon-DP by itself."""

    distance: int = field(repr=False)
    threshold: Threshold

    @property
    def chance(self) -> float:
        """The probability to pass."""
        scale = self.threshold.scale
        short = self.threshold.least - self.distance
        a = math.exp(-1 / scale)
        if short >= 1:
            return math.exp(-short / scale) / (1 + a)
        return 1 - math.exp(-(1 - short) / scale) / (1 + a)

    def draw(self, noise: NoiseSource) -> bool:
        """Draw once."""
        return noise.geometric(self.distance, self.threshold.scale) >= self.threshold.least


def pair_divergence(p: float, q: float, epsilon: float, rest: float) -> float:
    """Return the hockey-stick divergence of two answers that pass with p and q.

    What is released has Laplace noise that is `rest`-DP between them; the rest of each law is the refusal.
    """
    if p <= 0:
        passed = 0.0
    else:
        e = epsilon - math.log(p / q) if q > 0 else -math.inf
        if e >= rest:
            passed = 0.0
        elif e <= -rest:
            passed = p - math.exp(epsilon) * q
        else:
            passed = -p * math.expm1((e - rest) / 2)
    return passed + max(0.0, (1 - p) - math.exp(epsilon) * (1 - q))


@lru_cache(maxsize=64)
def best_chances(epsilon: float, rest: float, delta: float) -> tuple[float, ...]:
    """Return the largest probabilities of passing at distances 0, 1, ... until passing is certain.

    The probability at distance k + 1 is the largest that keeps the divergence from distance k within delta in both
    directions. Rounded down, so the guarantee is valid as computed.
    """

    def fits(q: float, p: float) -> bool:
        forth = pair_divergence(q, p, epsilon, rest)
        return max(forth, pair_divergence(p, q, epsilon, rest)) <= delta * (1 - 1e-9)

    chances = [delta * (1 - 1e-9)]
    while chances[-1] < 1 and len(chances) < LONGEST_TABLE:
        p = chances[-1]
        low = p
        high = 1.0
        if fits(1.0, p):
            low = 1.0
        else:
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if fits(middle, p) else (low, middle)
        chances.append(low)
    return tuple(chances)


@dataclass(frozen=True)
class BestTest:
    """The optimal test at one private distance. Its refusal may use all of epsilon."""

    distance: int = field(repr=False)
    epsilon: float
    rest: float
    delta: float

    @property
    def chance(self) -> float:
        """The probability to pass."""
        table = best_chances(self.epsilon, self.rest, self.delta)
        return table[min(self.distance, len(table) - 1)]

    def draw(self, noise: NoiseSource) -> bool:
        """Draw once."""
        return noise.bernoulli(self.chance)
