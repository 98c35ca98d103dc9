"""Divergence: how much two laws tell apart, computed from the laws themselves without sampling.

The hockey-stick divergence at epsilon is the smallest delta for which one pair of laws satisfies
(epsilon, delta)-DP in one direction.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import reduce

import numpy as np

from discreet.mechanisms.anatomy import Anatomy, anatomy
from discreet.mechanisms.composed import Product
from discreet.mechanisms.laws import Law, Noisy
from discreet.mechanisms.shapes import Gaussian
from discreet.queries.bounds import FloatArray

Apart = Callable[[Law], Anatomy]
Table = tuple[FloatArray, FloatArray]  # probabilities of the same events under P and under Q
ROOT_STEPS = 10
ROUNDING = 1e-12
LARGEST_TABLE = 2048
UNSEEN = 1e-17  # beyond this the tail of a discrete law is not followed


def divergence(p: Law, q: Law, epsilon: float) -> float:
    """Return the supremum over events E of P(E) - exp(epsilon) Q(E).

    Exact for one number. For independent components it is exact when one of them differs, when
    all are Gaussian, or when their losses add up to at most epsilon; else fine events of each
    component are combined, which approaches the supremum from below.
    """
    return divergences(p, q, epsilon)[0]


def divergences(p: Law, q: Law, epsilon: float, taken: Apart = anatomy) -> tuple[float, float]:
    """Return the divergence of P from Q and that of Q from P, of the same events.

    Whoever compares many pairs remembers what a law looks like taken apart.
    """
    pairs = [(taken(a), taken(b)) for a, b in _parts(p, q)]
    most = epsilon * (1 + ROUNDING)
    losses = [sum(each) for each in zip(*(_losses(*pair) for pair in pairs), strict=True)] if len(pairs) > 1 else []
    if not pairs or (losses and max(losses) <= most):
        return 0.0, 0.0
    level = epsilon if len(pairs) == 1 else 0.0
    first, second = reduce(_combined, (_events(a, b, level) for a, b in pairs))
    each = excess(first, second, epsilon), excess(second, first, epsilon)
    there, back = (0.0 if losses and losses[at] <= most else delta for at, delta in enumerate(each))
    return there, back


def excess(first: FloatArray, second: FloatArray, epsilon: float) -> float:
    """Return by how much the first chances exceed exp(epsilon) times the second, where they do."""
    return float(np.maximum(first - math.exp(epsilon) * second, 0).sum())


def difference(p: Law, q: Law) -> frozenset[tuple[tuple[Law, Law], int]]:
    """Return in what two laws differ, in any order: where that is the same, so is the divergence."""
    return frozenset(Counter(_parts(p, q)).items())


def loss(p: Law, q: Law) -> float:
    """Return the largest log-likelihood ratio of P over Q: the pure epsilon of the pair.

    Taken over all atoms and over the edges of the densities, which reach 1e-17 into both tails.
    """
    return sum((_losses(anatomy(a), anatomy(b))[0] for a, b in _parts(p, q)), 0.0)


def _events(a: Anatomy, b: Anatomy, epsilon: float) -> Table:
    """Cut all answers of two laws of one number where the likelihood ratio crosses exp(epsilon), either way."""
    atoms, cells = _atoms(a, b), _cells(a, b, epsilon)
    first = np.concatenate(([a.refusal], atoms[0], cells[0]))
    return first, np.concatenate(([b.refusal], atoms[1], cells[1]))


def _atoms(a: Anatomy, b: Anatomy) -> Table:
    if np.array_equal(a.points, b.points) and bool(np.all(a.points[1:] > a.points[:-1])):
        return a.masses, b.masses  # large tables of the same answers need not be sorted
    points = np.union1d(a.points, b.points)
    places = [np.searchsorted(points, law.points) for law in (a, b)]
    first, second = (np.bincount(at, law.masses, points.size) for at, law in zip(places, (a, b), strict=True))
    return np.asarray(first, np.float64), np.asarray(second, np.float64)


def _cells(a: Anatomy, b: Anatomy, epsilon: float) -> Table:
    edges = np.union1d(a.edges, b.edges)
    if not edges.size:
        return edges, edges
    edges = np.union1d(edges, _roots(a, b, edges, epsilon))
    low, high = np.append(-np.inf, edges), np.append(edges, np.inf)
    return a.mass(low, high), b.mass(low, high)


def _ratio(a: Anatomy, b: Anatomy, y: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore"):
        return a.log_density(y) - b.log_density(y)


def _roots(a: Anatomy, b: Anatomy, edges: FloatArray, epsilon: float) -> FloatArray:
    """Find where the log-ratio crosses epsilon or its negative by false position (Illinois), all cells at once."""
    levels = np.array([[epsilon], [-epsilon]][: 2 if epsilon else 1])
    g = _ratio(a, b, edges) - levels
    with np.errstate(invalid="ignore"):
        which, cells = np.nonzero(np.isfinite(g[:, :-1]) & np.isfinite(g[:, 1:]) & (g[:, :-1] * g[:, 1:] < 0))
    low, high, level = edges[cells], edges[cells + 1], levels[which, 0]
    middle, g_low, g_high = low, g[which, cells], g[which, cells + 1]
    for _ in range(ROOT_STEPS if cells.size else 0):
        middle = np.minimum(np.maximum((low * g_high - high * g_low) / (g_high - g_low), low), high)
        g_middle = _ratio(a, b, middle) - level
        if np.abs(g_middle).max() <= ROUNDING:  # what lies between here and the root is nothing of nothing
            break
        right = g_middle * g_low > 0
        g_high = np.where(right, g_high / 2, g_middle)
        g_low = np.where(right, g_middle, g_low / 2)
        low, high = np.where(right, middle, low), np.where(right, high, middle)
    return middle


def _losses(a: Anatomy, b: Anatomy) -> tuple[float, float]:
    """Return the largest log-likelihood ratio of the first law over the second, and of the second over the first."""
    atoms, edges = _atoms(a, b), np.union1d(a.edges, b.edges)
    first, second = np.append(atoms[0], a.refusal), np.append(atoms[1], b.refusal)
    with np.errstate(divide="ignore", invalid="ignore"):
        atom, dense, other = np.log(first) - np.log(second), a.log_density(edges), b.log_density(edges)
        at = dense - other
    there = max(atom[first > UNSEEN].max(initial=0.0), at[dense > -np.inf].max(initial=0.0))
    back = max((-atom)[second > UNSEEN].max(initial=0.0), (-at)[other > -np.inf].max(initial=0.0))
    return float(there), float(back)


def _parts(p: Law, q: Law) -> list[tuple[Law, Law]]:
    """Pair the independent components that differ, all Gaussian ones as one."""
    if not (isinstance(p, Product) and isinstance(q, Product)):
        return [(p, q)]
    pairs = [pair for a, b in zip(p.parts, q.parts, strict=True) for pair in _parts(a, b)]
    pairs = [(a, b) for a, b in pairs if a != b]
    normal = [(a, b) for a, b in pairs if _plain(a) and _plain(b) and a.scale == b.scale]  # type: ignore[attr-defined]
    if len(normal) < 2:
        return pairs
    shift = math.hypot(*((a.centre - b.centre) / a.scale for a, b in normal))  # type: ignore[attr-defined]
    joined = (Noisy(shift, 1.0, Gaussian()), Noisy(0.0, 1.0, Gaussian()))
    return [pair for pair in pairs if pair not in normal] + [joined]


def _plain(law: Law) -> bool:
    bare = isinstance(law, Noisy) and isinstance(law.shape, Gaussian)
    return bare and not np.isfinite([law.low, law.high]).any()  # type: ignore[attr-defined]


def _combined(table: Table, other: Table) -> Table:
    """Multiply the events of two components; the most similar of too many are joined."""
    both = np.stack([np.multiply.outer(mine, its).ravel() for mine, its in zip(table, other, strict=True)])
    first, second = similar_joined(np.eye(2), both[:, both.any(axis=0)], LARGEST_TABLE)
    return first, second


def similar_joined(weights: FloatArray, chances: FloatArray, most: int) -> FloatArray:
    """Join events until there are few: those that two mixtures of the rows, with these weights, tell apart alike."""
    if chances.shape[1] <= most:
        return chances
    first, second = weights @ chances
    order = np.argsort(np.arctan2(first, second), kind="stable")
    grown = np.cumsum((first + second)[order])
    starts = np.unique(np.searchsorted(grown, np.linspace(0, grown[-1], most, endpoint=False)))
    return np.add.reduceat(chances[:, order], starts, axis=1)
