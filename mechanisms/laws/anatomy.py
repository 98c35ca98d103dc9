"""Anatomy: a law decomposed into atoms and a density, so that two laws can be compared exactly.

An audit needs more than a cdf: where the atoms are, where the density is smooth and what it is. A kind of law that is
not listed here registers its own anatomy with `@anatomy.register`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache, singledispatch
from typing import Any

import numpy as np

from discreet.mechanisms.laws.law import Gated, Law, Noisy, Picked, Runs, Whole
from discreet.queries.bounds import FloatArray

NOTHING: FloatArray = np.empty(0)
NEGLIGIBLE = 45.0  # exp(-45) of a discrete law's probability is beyond its window
LARGEST_WINDOW = 2**20


def no_density(y: Any) -> FloatArray:
    """Return minus infinity everywhere: no answer has a density."""
    return np.full(np.shape(y), -np.inf)


def no_mass(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return 0 for every interval."""
    return np.zeros(np.shape(low))


@dataclass(frozen=True, eq=False)
class Anatomy:
    """A law of one number: the probability of a refusal, atoms, and a density on the rest.

    Between adjacent `edges` the density is smooth; `mass(a, b)` is the probability of an interval under the continuous
    part, accurate in both tails.
    """

    refusal: float = 0.0
    points: FloatArray = field(default_factory=lambda: NOTHING)
    masses: FloatArray = field(default_factory=lambda: NOTHING)
    edges: FloatArray = field(default_factory=lambda: NOTHING)
    log_density: Callable[[Any], FloatArray] = no_density
    mass: Callable[[FloatArray, FloatArray], FloatArray] = no_mass


@singledispatch
def anatomy(law: Law) -> Anatomy:
    """Decompose a law."""
    raise TypeError(f"{type(law).__name__} has no anatomy yet: register one in its own file.")


@lru_cache(maxsize=64)
def grid(shape: Any) -> FloatArray:
    """Return symmetric points that cover a shape from its kinks far into both tails."""
    tail = shape.quantile(np.concatenate((np.logspace(-17, -2, 61), np.linspace(0.015, 0.495, 49))))
    return np.unique(np.concatenate((tail, -tail, [-1.0, 0.0, 1.0])))


@anatomy.register
def noisy(law: Noisy) -> Anatomy:
    """Decompose noise around a centre: the clipped tails are atoms at the bounds."""
    finite = np.isfinite([law.low, law.high])
    shape: Any = law.shape
    standard = law.standard(np.array([law.low, law.high])) * (1.0, -1.0)
    edges = law.at(grid(shape))

    def log_density(y: Any) -> FloatArray:
        inside = (y >= law.low) & (y <= law.high)
        density = law.shape.log_density(law.standard(y)) - math.log(law.scale)
        return np.asarray(np.where(inside, density, -np.inf))

    def mass(low: FloatArray, high: FloatArray) -> FloatArray:
        a, b = (law.standard(np.clip(end, law.low, law.high)) for end in (low, high))
        upper = a > 0
        return np.asarray(law.shape.cdf(np.where(upper, -a, b)) - law.shape.cdf(np.where(upper, -b, a)))

    points = np.array([law.low, law.high])[finite]
    return Anatomy(0.0, points, law.shape.cdf(standard)[finite], edges, log_density, mass)


@anatomy.register
def whole(law: Whole) -> Anatomy:
    """Decompose integer noise, up to where the rest is negligible."""
    reach = min(math.ceil(NEGLIGIBLE * law.scale) + 1, LARGEST_WINDOW)
    z = np.arange(-reach, reach + 1)
    masses = np.exp(-np.abs(z) / law.scale) * math.tanh(0.5 / law.scale)
    masses[[0, -1]] /= -math.expm1(-1 / law.scale)  # everything further out
    return Anatomy(points=law.at(z.astype(float)), masses=masses)


@anatomy.register
def gate(law: Gated) -> Anatomy:
    """Decompose an inner law behind a test."""
    inner = anatomy(law.inner)
    chance = law.test.chance
    log_chance = math.log(chance) if chance > 0 else -math.inf
    return replace(
        inner,
        refusal=1 - chance + chance * inner.refusal,
        masses=chance * inner.masses,
        log_density=lambda y: inner.log_density(y) + log_chance,
        mass=lambda low, high: chance * inner.mass(low, high),
    )


@anatomy.register
def runs(law: Runs) -> Anatomy:
    """Decompose a choice among grid points into a step density; each run is extended half a point to the left."""
    ends = np.append(law.starts, law.starts[-1] + law.widths[-1]) - 0.5
    edges = np.asarray(law.offset + law.unit * ends, dtype=np.float64)
    heights = np.log(law.probabilities) - np.log(law.widths * law.unit)

    def log_density(y: Any) -> FloatArray:
        run = np.searchsorted(edges, y, side="right") - 1
        inside = (run >= 0) & (run < heights.size)
        return np.where(inside, heights[np.clip(run, 0, heights.size - 1)], -np.inf)

    def mass(low: FloatArray, high: FloatArray) -> FloatArray:
        a = np.clip(low, edges[0], edges[-1])
        b = np.clip(high, edges[0], edges[-1])
        return np.asarray(np.where(b > a, np.exp(log_density((a + b) / 2)) * (b - a), 0.0))

    return Anatomy(edges=edges, log_density=log_density, mass=mass)


@anatomy.register
def picked(law: Picked) -> Anatomy:
    """Decompose a choice among candidates that have numbers."""
    return Anatomy(points=np.asarray(law.points, dtype=float), masses=law.probabilities)
