"""Mixtures: what is shown where chance has chosen before, and how far two of them are apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from discreet.mechanisms.anatomy import Anatomy, anatomy
from discreet.mechanisms.composed import Product
from discreet.mechanisms.divergence import divergences, excess, similar_joined
from discreet.mechanisms.laws import Answer, Law
from discreet.mechanisms.noise_source import NoiseSource
from discreet.queries.bounds import FloatArray

Weighted = list[tuple[float, Law]]
FAILURE = math.inf  # the atom on which a failure lies: it is charged in full, a refusal may not be
CUTS = 48  # between cells of one number where several are mixed together
EVENTS = 2**22  # of all of them together, times the laws that are mixed
HEAVY = 1e-3


@dataclass(frozen=True)
class Failed(Law):
    """What a failure on the rows shows: no answer, and always the same."""

    def cdf(self, y: Any) -> FloatArray:
        """Return 0 below the failure."""
        return np.asarray(np.asarray(y, dtype=np.float64) >= FAILURE, dtype=np.float64)

    def quantile(self, p: Any) -> FloatArray:
        """Return the failure."""
        return np.full(np.shape(p), FAILURE)

    def draw(self, noise: NoiseSource) -> Answer:
        """Return nothing."""
        return None


@anatomy.register
def failed(law: Failed) -> Anatomy:
    """Take apart: one atom."""
    return Anatomy(points=np.array([FAILURE]), masses=np.ones(1))


@dataclass(frozen=True, eq=False)
class Mixture(Law):
    """One of several laws of one number, by chance."""

    weights: tuple[float, ...]
    laws: tuple[Law, ...] = field(repr=False)

    @property
    def refusal(self) -> float:
        """The probability that there is no answer."""
        return sum(w * law.refusal for w, law in zip(self.weights, self.laws, strict=True))

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answered and answer <= y)."""
        parts = [w * law.cdf(y) for w, law in zip(self.weights, self.laws, strict=True)]
        return np.asarray(np.sum(parts, axis=0))

    def quantile(self, p: Any) -> FloatArray:
        """Refuse: an audit compares laws and draws nothing."""
        raise NotImplementedError

    def draw(self, noise: NoiseSource) -> Answer:
        """Refuse: an audit compares laws and draws nothing."""
        raise NotImplementedError


@anatomy.register
def mixture(law: Mixture) -> Anatomy:
    """Take apart: all atoms, all kinks, the densities together."""
    parts = [anatomy(inner) for inner in law.laws]
    weights = np.array(law.weights)
    atoms = np.concatenate([part.points for part in parts])
    heavy = [w * part.masses for w, part in zip(weights, parts, strict=True)]
    points, where = np.unique(atoms, return_inverse=True)
    masses = np.bincount(where, np.concatenate(heavy), minlength=points.size).astype(float)

    def log_density(y: Any) -> FloatArray:
        logs = np.stack([part.log_density(y) for part in parts])
        rows = weights.reshape(-1, *(1,) * np.ndim(y))
        return np.asarray(np.logaddexp.reduce(logs + np.log(rows), axis=0))

    def mass(low: FloatArray, high: FloatArray) -> FloatArray:
        shares = [w * part.mass(low, high) for w, part in zip(weights, parts, strict=True)]
        return np.asarray(sum(shares))

    edges = np.unique(np.concatenate([part.edges for part in parts]))
    refusal = float(weights @ [part.refusal for part in parts])
    return Anatomy(refusal, points, masses, edges, log_density, mass)


def apart(p: Weighted, q: Weighted, epsilon: float) -> tuple[float, float]:
    """Return how far two mixtures are apart, the first from the second and back: exact for one number, else from below.

    Answers of another shape, or with other names of groups, are never the same.
    """
    shapes = dict.fromkeys(_shape(law) for _, law in (*p, *q))
    each = [_of_one_shape(_only(p, shape), _only(q, shape), epsilon) for shape in shapes]
    return sum(there for there, _ in each), sum(back for _, back in each)


def _only(parts: Weighted, shape: tuple[Any, ...]) -> Weighted:
    return [(weight, law) for weight, law in parts if _shape(law) == shape]


def _shape(law: Law) -> tuple[Any, ...]:
    if not isinstance(law, Product):
        return ()
    return (getattr(law, "names", None), *(_shape(part) for part in law.parts))


def _of_one_shape(p: Weighted, q: Weighted, epsilon: float) -> tuple[float, float]:
    if not p or not q:
        return sum(weight for weight, _ in p), sum(weight for weight, _ in q)
    if len(p) == 1 and len(q) == 1 and p[0][0] == q[0][0] == 1:
        return divergences(p[0][1], q[0][1], epsilon)
    if not any(isinstance(law, Product) for _, law in (*p, *q)):
        return divergences(_mixed(p), _mixed(q), epsilon)
    return _together(p, q, epsilon)


def _mixed(parts: Weighted) -> Law:
    return Mixture(tuple(w for w, _ in parts), tuple(law for _, law in parts))


def _together(p: Weighted, q: Weighted, epsilon: float) -> tuple[float, float]:
    """Compare mixtures of several numbers, of which those that are the same everywhere tell nothing.

    A single one that is left is compared exactly; of several, fine events of all of them together.
    """
    parts = [*p, *q]
    numbers = zip(*(_numbers(law) for _, law in parts), strict=True)
    telling = [(laws, events) for laws in numbers if np.ptp(events := _events(laws), axis=0).any()]
    if len(telling) == 1:
        alone = [(weight, law) for (weight, _), law in zip(parts, telling[0][0], strict=True)]
        return divergences(_mixed(alone[: len(p)]), _mixed(alone[len(p) :]), epsilon)
    of_p = np.arange(len(parts)) < len(p)
    weights = np.array([weight for weight, _ in parts]) * [of_p, ~of_p]
    joint = np.ones((len(parts), 1))
    *others, last = [events for _, events in telling] or [joint]
    for events in others:
        joint = similar_joined(weights, joint, max(1, EVENTS // events.size))
        joint = (joint[:, :, None] * events[:, None, :]).reshape(len(joint), -1)
    joint = similar_joined(weights, joint, EVENTS // last.shape[1])
    first, second = ((joint.T * side) @ last for side in weights)
    return excess(first, second, epsilon), excess(second, first, epsilon)


def _numbers(law: Law) -> list[Law]:
    if isinstance(law, Product):
        return [number for part in law.parts for number in _numbers(part)]
    return [law]


def _events(laws: Sequence[Law]) -> FloatArray:
    """Cut laws of one number into the same events, and return a row of chances for each law.

    Heavy atoms are events of their own; everything else lies in cells.
    """
    anatomies = [anatomy(law) for law in laws]
    single = np.unique(np.concatenate([a.points[a.masses > HEAVY] for a in anatomies]))
    kinks = np.unique(np.concatenate([*(a.edges for a in anatomies), *(a.points for a in anatomies)]))
    if kinks.size > CUTS:
        kinks = kinks[np.linspace(0, kinks.size - 1, CUTS).astype(int)]
    return np.stack([_chances(a, kinks, single) for a in anatomies])


def _chances(a: Anatomy, kinks: FloatArray, single: FloatArray) -> FloatArray:
    low, high = np.append(-np.inf, kinks), np.append(kinks, np.inf)
    alone = np.isin(a.points, single)
    cells = np.bincount(np.searchsorted(kinks, a.points[~alone]), a.masses[~alone], minlength=kinks.size + 1)
    atoms = np.bincount(np.searchsorted(single, a.points[alone]), a.masses[alone], minlength=single.size)
    return np.concatenate((a.mass(low, high) + cells, atoms, [a.refusal]))
