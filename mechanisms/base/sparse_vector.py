"""Sparse vector: the law of its answers, and how much noise it needs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import numpy as np

from discreet.mechanisms.base.mechanism import ROUND_UP
from discreet.mechanisms.base.neighbours import monotone
from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.law import Answer, Law
from discreet.mechanisms.laws.selecting import log_below, rule
from discreet.noise.protocol import NoiseSource, Number
from discreet.queries import Relation
from discreet.queries.bounds import FloatArray, IntArray

MOST_OUTCOMES = 2**16
AT_A_TIME = 8
FAR = 100.0  # threshold noise beyond this many scales has a probability of exp(-100)


@dataclass(frozen=True)
class Scales:
    """The two noise scales of AboveThreshold: of the threshold, drawn once, and of each count, drawn afresh.

    Both exceed what the proof needs by a factor that outweighs rounding.
    """

    threshold: float
    query: float

    @classmethod
    def best(cls, epsilon: float, form: str, relation: Relation, most: int) -> Scales:
        """Split epsilon as 1 : (2c)^(2/3), or 1 : c^(2/3) if monotone, which gives the smallest variance.

        threshold = m / e1, query = 2 c m / e2, and c m / e2 if monotone.
        """
        factor = most * (1 if monotone(form, relation) else 2)
        first = epsilon / (1 + factor ** (2 / 3))
        rows = relation.rows * ROUND_UP
        return cls(rows / first, factor * rows / (epsilon - first))

    def slack(self, length: int, alpha: float) -> float:
        """Return a bound on all noises of a stream together, except with probability alpha."""
        return self.threshold * math.log(2 / alpha) + self.query * math.log(2 * length / alpha)


@dataclass(frozen=True, eq=False)
class Crossings(Law):
    """The first `most` values whose noisy form is at least the one noisy threshold.

    Given the noise rho of the threshold all values are independent, so every probability is one integral over rho, by
    Gauss-Legendre between its kinks. As a number the answer is the position where the stream stops, or the number of
    values if it never does.
    """

    candidates: tuple[str, ...]
    values: IntArray = field(repr=False)
    threshold: float
    scales: Scales
    most: int = 1

    @cached_property
    def _rule(self) -> tuple[FloatArray, FloatArray]:
        """Nodes of rho, and weights that include its density."""
        kinks = np.append((self.values - self.threshold) / self.scales.threshold, 0.0)
        u, weights = rule(kinks, -FAR, FAR, 1.0)
        return u * self.scales.threshold, weights * np.exp(-np.abs(u)) / 2

    def _log_fails(self, position: int, sign: int = 1) -> FloatArray:
        rho, _ = self._rule
        gap = self.threshold + rho - self.values[position]
        return log_below(sign * gap / self.scales.query)

    def chance(self, positions: tuple[int, ...]) -> float:
        """Return the probability that exactly these positions are the answer."""
        rho, weights = self._rule
        stop = positions[-1] + 1 if len(positions) == self.most else self.values.size
        logs = np.zeros(rho.size)
        for position in range(stop):
            logs += self._log_fails(position, -1 if position in positions else 1)
        return float(weights @ np.exp(logs))

    @cached_property
    def probabilities(self) -> FloatArray:
        """The exact probability of each stopping position, and of never stopping as the last."""
        rho, weights = self._rule
        state = np.zeros((self.most, rho.size))
        state[0], chances = 1.0, []
        for position in range(self.values.size):
            passes = np.exp(self._log_fails(position, -1))
            chances.append(weights @ (state[-1] * passes))
            moved = state[:-1] * passes
            state *= np.exp(self._log_fails(position))
            state[1:] += moved
        return np.asarray(np.append(chances, (state @ weights).sum()))

    def outcomes(self) -> Iterator[tuple[int, ...]]:
        """Yield every possible answer as positions."""
        sizes = range(min(self.most, self.values.size) + 1)
        return chain.from_iterable(combinations(range(self.values.size), s) for s in sizes)

    def cdf(self, y: Any) -> FloatArray:
        """Return P(stopping position <= y)."""
        ends = np.concatenate(([0.0], np.cumsum(self.probabilities)))
        return np.asarray(ends[np.clip(np.floor(np.asarray(y)).astype(int) + 1, 0, ends.size - 1)])

    def quantile(self, p: Any) -> FloatArray:
        """Return the smallest stopping position with at least p of the probability."""
        ends = np.cumsum(self.probabilities)
        position = np.searchsorted(ends, np.asarray(p) * ends[-1])
        return np.asarray(np.minimum(position, self.values.size), dtype=np.float64)

    def _noisy(self, noise: NoiseSource) -> Iterator[Number]:
        """Draw noisy values as far as they are needed, some at a time."""
        for start in range(0, self.values.size, AT_A_TIME):
            some = self.values[start : start + AT_A_TIME].tolist()
            yield from noise.laplaces(some, self.scales.query)

    def positions(self, noise: NoiseSource) -> tuple[int, ...]:
        """Draw the answer as positions: one noisy threshold, fresh noise for every value."""
        (bar,), crossed = noise.laplaces([self.threshold], self.scales.threshold), []
        for position, noisy in enumerate(self._noisy(noise)):
            if noisy >= bar:
                crossed.append(position)
                if len(crossed) == self.most:
                    break
        return tuple(crossed)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw the names of the values above the threshold, in order; empty if there are none."""
        return tuple(self.candidates[position] for position in self.positions(noise))


@anatomy.register
def crossings(law: Crossings) -> Anatomy:
    """Decompose the answers of a stream: each is one atom."""
    if math.comb(law.values.size, law.most) > MOST_OUTCOMES:
        raise TypeError("Too many outcomes for an exact comparison.")
    masses = np.array([law.chance(outcome) for outcome in law.outcomes()])
    return Anatomy(points=np.arange(masses.size, dtype=np.float64), masses=masses)
