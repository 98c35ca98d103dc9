"""Divergence: how well two laws can be distinguished, computed from the laws themselves without sampling.

The hockey-stick divergence at epsilon is the smallest delta for which one pair of laws satisfies (epsilon, delta)-DP in
one direction.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.branches import Branches, spread
from discreet.mechanisms.laws.law import Answer, Gaussian, Law, Noisy, Product
from discreet.noise.protocol import NoiseSource
from discreet.queries.bounds import FloatArray

Apart = Callable[[Law], Anatomy]
Table = tuple[FloatArray, FloatArray]  # probabilities of the same events under P and under Q
ROOT_STEPS = 10
ROUNDING = 1e-12
LARGEST_TABLE = 2048
UNSEEN = 1e-17  # beyond this the tail of a discrete law is ignored


def divergence(p: Law, q: Law, epsilon: float) -> float:
    """Return the supremum over events E of P(E) - exp(epsilon) Q(E).

    Exact for one number. For independent components it is exact when one of them differs, when all are Gaussian, or
    when their losses add up to at most epsilon; otherwise fine events of each component are combined, which approaches
    the supremum from below.
    """
    return divergences(p, q, epsilon)[0]


def divergences(p: Law, q: Law, epsilon: float, taken: Apart = anatomy) -> tuple[float, float]:
    """Return the divergence of P from Q and that of Q from P, computed on the same events.

    `taken` decomposes a law; a caller that compares many pairs passes a cached version.
    """
    parts = _parts(p, q)
    if len(parts) == 1 and isinstance(parts[0][0], Branches):
        return _branched(parts[0][0], parts[0][1], epsilon, taken)
    pairs = [tuple(each if isinstance(each, Branches) else taken(each) for each in pair) for pair in parts]
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
    """Return the total by which first probabilities exceed exp(epsilon) times the second ones, where they do."""
    return float(np.maximum(first - math.exp(epsilon) * second, 0).sum())


def difference(p: Law, q: Law) -> frozenset[tuple[tuple[Law, Law], int]]:
    """Return the components in which two laws differ, in any order; they determine the divergence."""
    return frozenset(Counter(_parts(p, q)).items())


def loss(p: Law, q: Law) -> float:
    """Return the largest log-likelihood ratio of P over Q: the pure epsilon of the pair.

    Taken over all atoms and over the edges of the densities, which reach 1e-17 into both tails.
    """
    return sum((_losses(*map(_taken_apart, pair))[0] for pair in _parts(p, q)), 0.0)


def _taken_apart(law: Law) -> Any:
    return law if isinstance(law, Branches) else anatomy(law)


def _branched(p: Branches, q: Law, epsilon: float, taken: Apart) -> tuple[float, float]:
    """Add up the divergences of the branches: a branch is seen, and its own weight shifts epsilon."""
    there = back = 0.0
    for mine, its, law, other in _matched(p, q):
        if min(mine, its) <= UNSEEN:
            there, back = there + mine, back + its
            continue
        ratio = math.log(mine / its)
        there += mine * divergences(law, other, epsilon - ratio, taken)[0]
        back += its * divergences(law, other, epsilon + ratio, taken)[1]
    return there, back


def _matched(p: Branches, q: Law) -> list[tuple[float, float, Law, Law]]:
    """Return both weights and both laws of each branch that is ever seen."""
    assert isinstance(q, Branches)
    each = zip(p.weights, q.weights, p.laws, q.laws, strict=True)
    return [branch for branch in each if max(branch[:2]) > UNSEEN]


def _events(a: Any, b: Any, epsilon: float) -> Table:
    """Return events of two laws of one number, cut where the likelihood ratio crosses exp(epsilon), either way."""
    if isinstance(a, Branches):
        tables: list[Table] = []
        for mine, its, law, other in _matched(a, b):
            if min(mine, its) <= UNSEEN:
                tables.append((np.array([mine]), np.array([its])))
                continue
            each = [_events(anatomy(x), anatomy(y), 0.0) for x, y in _parts(law, other)]
            here, there = reduce(_combined, each) if each else (np.ones(1), np.ones(1))
            tables.append((mine * here, its * there))
        return np.concatenate([here for here, _ in tables]), np.concatenate([there for _, there in tables])
    atoms = _atoms(a, b)
    cells = _cells(a, b, epsilon)
    first = np.concatenate(([a.refusal], atoms[0], cells[0]))
    return first, np.concatenate(([b.refusal], atoms[1], cells[1]))


def _atoms(a: Anatomy, b: Anatomy) -> Table:
    if np.array_equal(a.points, b.points) and bool(np.all(a.points[1:] > a.points[:-1])):
        return a.masses, b.masses  # large tables of equal answers need not be sorted
    points = np.union1d(a.points, b.points)
    places = [np.searchsorted(points, law.points) for law in (a, b)]
    first, second = (np.bincount(at, law.masses, points.size) for at, law in zip(places, (a, b), strict=True))
    return np.asarray(first, np.float64), np.asarray(second, np.float64)


def _cells(a: Anatomy, b: Anatomy, epsilon: float) -> Table:
    edges = np.union1d(a.edges, b.edges)
    if not edges.size:
        return edges, edges
    edges = np.union1d(edges, _roots(a, b, edges, epsilon))
    low = np.append(-np.inf, edges)
    high = np.append(edges, np.inf)
    return a.mass(low, high), b.mass(low, high)


def _ratio(a: Anatomy, b: Anatomy, y: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore"):
        return a.log_density(y) - b.log_density(y)


def _roots(a: Anatomy, b: Anatomy, edges: FloatArray, epsilon: float) -> FloatArray:
    """Find where the log-ratio crosses epsilon or its negative by false position (Illinois), in all cells at once."""
    levels = np.array([[epsilon], [-epsilon]][: 2 if epsilon else 1])
    g = _ratio(a, b, edges) - levels
    with np.errstate(invalid="ignore"):
        which, cells = np.nonzero(np.isfinite(g[:, :-1]) & np.isfinite(g[:, 1:]) & (g[:, :-1] * g[:, 1:] < 0))
    low = edges[cells]
    high = edges[cells + 1]
    level = levels[which, 0]
    middle = low
    g_low = g[which, cells]
    g_high = g[which, cells + 1]
    for _ in range(ROOT_STEPS if cells.size else 0):
        middle = np.minimum(np.maximum((low * g_high - high * g_low) / (g_high - g_low), low), high)
        g_middle = _ratio(a, b, middle) - level
        if np.abs(g_middle).max() <= ROUNDING:  # the mass between here and the root is negligible
            break
        right = g_middle * g_low > 0
        g_high = np.where(right, g_high / 2, g_middle)
        g_low = np.where(right, g_middle, g_low / 2)
        low, high = np.where(right, middle, low), np.where(right, high, middle)
    return middle


def _losses(a: Any, b: Any) -> tuple[float, float]:
    """Return the largest log-likelihood ratio of the first law over the second, and of the second over the first."""
    if isinstance(a, Branches):
        most = [0.0, 0.0]
        for mine, its, law, other in _matched(a, b):
            if min(mine, its) <= UNSEEN:
                most[mine < its] = math.inf
                continue
            ratio = math.log(mine / its)
            inner = [_losses(anatomy(x), anatomy(y)) for x, y in _parts(law, other)]
            for way, sign in enumerate((1, -1)):
                most[way] = max(most[way], sign * ratio + sum(each[way] for each in inner))
        return most[0], most[1]
    atoms = _atoms(a, b)
    edges = np.union1d(a.edges, b.edges)
    first = np.append(atoms[0], a.refusal)
    second = np.append(atoms[1], b.refusal)
    with np.errstate(divide="ignore", invalid="ignore"):
        atom = np.log(first) - np.log(second)
        dense = a.log_density(edges)
        other = b.log_density(edges)
        at = dense - other
    there = max(atom[first > UNSEEN].max(initial=0.0), at[dense > -np.inf].max(initial=0.0))
    back = max((-atom)[second > UNSEEN].max(initial=0.0), (-at)[other > -np.inf].max(initial=0.0))
    return float(there), float(back)


def _parts(p: Law, q: Law) -> list[tuple[Law, Law]]:
    """Pair the independent components that differ; all Gaussian ones are merged into one."""
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
    """Multiply the events of two components; if there are too many, the most similar ones are merged."""
    both = np.stack([np.multiply.outer(mine, its).ravel() for mine, its in zip(table, other, strict=True)])
    first, second = similar_joined(np.eye(2), both[:, both.any(axis=0)], LARGEST_TABLE)
    return first, second


def similar_joined(weights: FloatArray, chances: FloatArray, most: int) -> FloatArray:
    """Merge events until at most `most` are left: those with similar probability ratios under two weighted mixtures."""
    if chances.shape[1] <= most:
        return chances
    first, second = weights @ chances
    order = np.argsort(np.arctan2(first, second), kind="stable")
    grown = np.cumsum((first + second)[order])
    starts = np.unique(np.searchsorted(grown, np.linspace(0, grown[-1], most, endpoint=False)))
    return np.add.reduceat(chances[:, order], starts, axis=1)


# --- Mixtures: what is shown when lots were drawn before, and how far apart two mixtures are ---

Weighted = list[tuple[float, Law]]
FAILURE = math.inf  # the atom of a failure: it is charged in full, a refusal may not be
CUTS = 48  # points between cells of one number where several are mixed
EVENTS = 2**22  # of all numbers together, times the laws that are mixed
HEAVY = 1e-3


@dataclass(frozen=True)
class Failed(Law):
    """The answer after a failure on the rows: none, and always the same."""

    def cdf(self, y: Any) -> FloatArray:
        """Return 0 below the failure."""
        return np.asarray(np.asarray(y, dtype=np.float64) >= FAILURE, dtype=np.float64)

    def quantile(self, p: Any) -> FloatArray:
        """Return the failure."""
        return np.full(np.shape(p), FAILURE)

    def draw(self, noise: NoiseSource) -> Answer:
        """Return None."""
        return None


@anatomy.register
def failed(law: Failed) -> Anatomy:
    """Decompose the law: one atom."""
    return Anatomy(points=np.array([FAILURE]), masses=np.ones(1))


@dataclass(frozen=True, eq=False)
class Mixture(Law):
    """One of several laws of one number, chosen at random."""

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
        """Raise NotImplementedError: an audit compares laws and draws nothing."""
        raise NotImplementedError

    def draw(self, noise: NoiseSource) -> Answer:
        """Raise NotImplementedError: an audit compares laws and draws nothing."""
        raise NotImplementedError


@anatomy.register
def mixture(law: Mixture) -> Anatomy:
    """Decompose the mixture: all atoms, all kinks, the sum of the densities."""
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
    """Return the divergences of two mixtures in both directions: exact for one number, else from below.

    Answers of different shapes, or with different names of groups, are always distinct.
    """
    if len(p) > 1 or len(q) > 1:
        p, q = ([(w * chance, part) for w, law in side for chance, part in spread(law)] for side in (p, q))
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
    """Compare mixtures of several numbers; a number with the same law everywhere gives no information and is ignored.

    A single remaining number is compared exactly; for several, fine events of all of them are combined.
    """
    parts = [*p, *q]
    numbers = zip(*(_numbers(law) for _, law in parts), strict=True)
    telling = [(laws, events) for laws in numbers if np.ptp(events := _mixed_events(laws), axis=0).any()]
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


def _mixed_events(laws: Sequence[Law]) -> FloatArray:
    """Cut laws of one number into common events, and return a row of probabilities for each law.

    Heavy atoms are events of their own; everything else is in cells.
    """
    anatomies = [anatomy(law) for law in laws]
    single = np.unique(np.concatenate([a.points[a.masses > HEAVY] for a in anatomies]))
    kinks = np.unique(np.concatenate([*(a.edges for a in anatomies), *(a.points for a in anatomies)]))
    if kinks.size > CUTS:
        kinks = kinks[np.linspace(0, kinks.size - 1, CUTS).astype(int)]
    return np.stack([_chances(a, kinks, single) for a in anatomies])


def _chances(a: Anatomy, kinks: FloatArray, single: FloatArray) -> FloatArray:
    low = np.append(-np.inf, kinks)
    high = np.append(kinks, np.inf)
    alone = np.isin(a.points, single)
    cells = np.bincount(np.searchsorted(kinks, a.points[~alone]), a.masses[~alone], minlength=kinks.size + 1)
    atoms = np.bincount(np.searchsorted(single, a.points[alone]), a.masses[alone], minlength=single.size)
    return np.concatenate((a.mass(low, high) + cells, atoms, [a.refusal]))
