"""Branches: numbers whose meaning depends on a noisy number that was drawn before them, as one joint law."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.law import Answer, Law, Noisy, Product
from discreet.noise.protocol import NoiseSource
from discreet.queries.bounds import FloatArray


@dataclass(frozen=True)
class Within(Law):
    """A noisy number, given that it lies from `low` to below `high`."""

    inner: Noisy
    low: float
    high: float

    @property
    def chance(self) -> float:
        """The probability that it does."""
        return float(anatomy(self.inner).mass(np.array([self.low]), np.array([self.high]))[0])

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        ends = np.clip(np.asarray(y, dtype=np.float64), self.low, self.high)
        return np.asarray(anatomy(self.inner).mass(np.full(ends.shape, self.low), ends) / self.chance)

    def quantile(self, p: Any) -> FloatArray:
        """Raise NotImplementedError: an audit compares laws and draws nothing."""
        raise NotImplementedError

    def draw(self, noise: NoiseSource) -> Answer:
        """Raise NotImplementedError: an audit compares laws and draws nothing."""
        raise NotImplementedError


@anatomy.register
def within(law: Within) -> Anatomy:
    """Decompose the law: the density between both ends."""
    inner = anatomy(law.inner)
    log_chance = math.log(law.chance) if law.chance > 0 else 0.0
    ends = ([law.low] if law.low > -math.inf else []) + (
        [math.nextafter(law.high, -math.inf)] if law.high < math.inf else []
    )
    edges = np.union1d(inner.edges, ends)

    def log_density(y: Any) -> FloatArray:
        return np.where((y >= law.low) & (y < law.high), inner.log_density(y) - log_chance, -np.inf)

    def mass(low: FloatArray, high: FloatArray) -> FloatArray:
        first, last = (np.clip(end, law.low, law.high) for end in (low, high))
        return np.asarray(inner.mass(first, last) * math.exp(-log_chance))

    return replace(inner, edges=edges[(edges >= law.low) & (edges < law.high)], log_density=log_density, mass=mass)


@dataclass(frozen=True)
class Branch(Product):
    """The numbers of one branch; `names` is the place of the branch, which is seen."""

    names: int = 0


@dataclass(frozen=True)
class Branches(Law):
    """One of several products of independent numbers. Which one it is can be seen from the answer."""

    weights: tuple[float, ...]
    laws: tuple[Product, ...] = field(repr=False)

    def cdf(self, y: Any) -> FloatArray:
        """Raise NotImplementedError: it is compared with another one, and nothing is drawn from it."""
        raise NotImplementedError

    def quantile(self, p: Any) -> FloatArray:
        """Raise NotImplementedError, too."""
        raise NotImplementedError

    def draw(self, noise: NoiseSource) -> Answer:
        """Raise NotImplementedError, too."""
        raise NotImplementedError


def spread(law: Law) -> list[tuple[float, Law]]:
    """Return a law as a mixture of products without branches in them, each with its chance."""
    if isinstance(law, Branches):
        return [
            (chance, Branch(inner.parts, at))
            for at, (chance, inner) in enumerate(zip(law.weights, law.laws, strict=True))
        ]
    if not isinstance(law, Product) or not any(isinstance(part, (Branches, Product)) for part in law.parts):
        return [(1.0, law)]
    each = product(*map(spread, law.parts))
    return [(math.prod(w for w, _ in parts), replace(law, parts=tuple(part for _, part in parts))) for parts in each]
