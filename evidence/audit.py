"""Audit: the worst pair of a mechanism, exactly, and claims refuted from samples alone.

`divergence` and `loss` compare two laws without sampling; `worst` searches for the pair of private views that a
mechanism's own cost covers least; `black_box` judges independent answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from discreet.mechanisms import Mechanism
from discreet.mechanisms.laws.anatomy import anatomy
from discreet.mechanisms.laws.divergence import difference, divergence, divergences, loss
from discreet.mechanisms.laws.law import Law
from discreet.queries.bounds import FloatArray, IntArray

# --- Black box: refute a privacy claim from samples alone, with a certified probability of error ---

MOST_ATOMS = 256
LEAST_REPEATS = 10
BINS = 24


@dataclass(frozen=True, eq=False)
class Partition:
    """Answers cut into events: a refusal, single repeated values, and intervals between edges."""

    atoms: FloatArray = field(repr=False)
    edges: FloatArray = field(repr=False)

    @classmethod
    def of(cls, p: FloatArray, q: FloatArray) -> Partition:
        """Choose events from both samples."""
        both = np.concatenate((p, q))
        values, counts = np.unique(both[~np.isnan(both)], return_counts=True)
        often = np.argsort(-counts, kind="stable")[:MOST_ATOMS]
        atoms = np.sort(values[often[counts[often] >= LEAST_REPEATS]])
        shares = np.concatenate(([0.002, 0.01], np.linspace(0, 1, BINS + 1)[1:-1], [0.99, 0.998]))
        rest = [s[~np.isnan(s) & ~np.isin(s, atoms)] for s in (p, q)]
        cuts = [np.quantile(s, shares) for s in rest if s.size]
        return cls(atoms, np.unique(np.concatenate(cuts)) if cuts else np.empty(0))

    @property
    def size(self) -> int:
        """The number of events."""
        return 2 + self.atoms.size + self.edges.size

    def codes(self, sample: FloatArray) -> IntArray:
        """Return the number of each answer's event."""
        codes = 1 + self.atoms.size + np.searchsorted(self.edges, sample)
        if self.atoms.size:
            near = np.minimum(np.searchsorted(self.atoms, sample), self.atoms.size - 1)
            codes = np.where(self.atoms[near] == sample, 1 + near, codes)
        return np.where(np.isnan(sample), 0, codes)

    def counts(self, sample: FloatArray) -> IntArray:
        """Return how many answers are in each event."""
        return np.bincount(self.codes(sample), minlength=self.size)

    def event(self, chosen: IntArray) -> Event:
        """Return a union of events as ranges of answers."""
        codes = np.sort(chosen)
        first = 1 + self.atoms.size
        atoms = [float(self.atoms[code - 1]) for code in codes if 0 < code < first]
        bins = codes[codes >= first] - first
        ends = np.concatenate(([-np.inf], self.edges, [np.inf]))
        runs = np.split(bins, np.flatnonzero(np.diff(bins) > 1) + 1) if bins.size else []
        spans = [(float(ends[run[0]]), float(ends[run[-1] + 1])) for run in runs]
        return Event(0 in codes, (*((atom, atom) for atom in atoms), *spans))


@dataclass(frozen=True)
class Event:
    """A set of answers: whether it contains a refusal, single values (low is high), and intervals (low, high]."""

    refusal: bool = False
    spans: tuple[tuple[float, float], ...] = ()

    def __str__(self) -> str:
        """Describe the answers in words."""
        parts = [f"= {low:.6g}" if low == high else f"({low:.6g}, {high:.6g}]" for low, high in self.spans]
        return " or ".join(["refused"] * self.refusal + parts)


@dataclass(frozen=True)
class Finding:
    """What samples prove: with the stated confidence the true epsilon and delta are no smaller.

    `epsilon` is the certified loss at the claimed delta, `delta` the certified delta at the claimed epsilon, `event`
    the set of answers that proves it, `hits` the numbers of answers in it among the second half of each sample.
    """

    epsilon: float
    delta: float
    event: Event
    refuted: bool
    hits: tuple[int, int] = (0, 0)


def lower(count: int, size: int, alpha: float) -> float:
    """Return the Clopper-Pearson lower bound of a proportion."""
    return float(special.betaincinv(count, size - count + 1, alpha)) if count else 0.0


def upper(count: int, size: int, alpha: float) -> float:
    """Return the Clopper-Pearson upper bound of a proportion."""
    return float(special.betaincinv(count + 1, size - count, 1 - alpha)) if count < size else 1.0


def black_box(
    sample_p: FloatArray, sample_q: FloatArray, epsilon: float, delta: float = 0.0, confidence: float = 0.999
) -> Finding:
    """Try to refute (epsilon, delta)-DP from independent answers of two neighbours; NaN is a refusal.

    Half of the samples choose one event per direction, the other half measures it; both directions and both bounds
    share the error, so a true claim is refuted with probability at most 1 - confidence.
    """
    alpha = (1 - confidence) / 4
    p = np.asarray(sample_p, dtype=np.float64)
    q = np.asarray(sample_q, dtype=np.float64)
    there, back = (_one_way(a, b, epsilon, delta, alpha) for a, b in ((p, q), (q, p)))
    ways = there, replace(back, hits=back.hits[::-1])
    return max(ways, key=lambda finding: (finding.delta, finding.epsilon))


def _one_way(p: FloatArray, q: FloatArray, epsilon: float, delta: float, alpha: float) -> Finding:
    partition = Partition.of(p[::2], q[::2])
    chosen = _chosen(partition.counts(p[::2]), partition.counts(q[::2]), delta, alpha)
    fresh_p = p[1::2]
    fresh_q = q[1::2]
    hits_p = int(partition.counts(fresh_p)[chosen].sum())
    hits_q = int(partition.counts(fresh_q)[chosen].sum())
    least = lower(hits_p, fresh_p.size, alpha)
    most = upper(hits_q, fresh_q.size, alpha)
    certified = max(0.0, math.log((least - delta) / most)) if least > delta else 0.0
    missing = max(0.0, least - math.exp(epsilon) * most)
    return Finding(certified, missing, partition.event(chosen), missing > delta, (hits_p, hits_q))


def _chosen(in_p: IntArray, in_q: IntArray, delta: float, alpha: float) -> IntArray:
    """Choose events in order of their ratio, as many as certify the largest loss."""
    order = np.argsort(-(in_p + 0.5) / (in_q + 0.5), kind="stable")
    hits_p = np.cumsum(in_p[order])
    hits_q = np.cumsum(in_q[order])
    size_p = int(hits_p[-1])
    size_q = int(hits_q[-1])
    least = np.array([lower(int(k), size_p, alpha) for k in hits_p])
    most = np.array([upper(int(k), size_q, alpha) for k in hits_q])
    scores = np.maximum(least - delta, 1e-300) / most
    return np.asarray(order[: int(np.argmax(scores)) + 1])


__all__ = ["Event", "Finding", "Worst", "black_box", "divergence", "divergences", "loss", "worst"]


ROUNDING = 2e-11  # a cdf is exact to 1e-15, times exp(8) and the pieces of a law
NEAR = 8  # anatomies that are cached: pairs are ordered by their first views


@dataclass(frozen=True, eq=False)
class Worst:
    """The worst pair found, and its distance from the claim."""

    delta: float
    claimed: float
    pair: Any = field(repr=False)

    @property
    def holds(self) -> bool:
        """Whether the claim is valid on every pair, up to floating-point error."""
        return self.delta <= self.claimed * (1 + 1e-6) + ROUNDING


def worst(mechanism: Mechanism, pairs: Iterable[tuple[Any, Any]]) -> Worst:
    """Return the pair of private views that the mechanism's own cost covers least, in both directions."""
    cost = mechanism.cost()
    taken = lru_cache(maxsize=NEAR)(anatomy)
    largest = Worst(0.0, cost.delta, None)
    laws = dict[int, Law]()
    seen = set[object]()
    for pair in tuple(pairs):
        p, q = (_law(mechanism, view, laws) for view in pair)
        apart = difference(p, q)
        if apart in seen:
            continue
        seen |= {apart, difference(q, p)}
        delta = max(divergences(p, q, cost.epsilon, taken))
        if delta > largest.delta:
            largest = Worst(delta, cost.delta, pair)
    return largest


def _law(mechanism: Mechanism, view: Any, laws: dict[int, Law]) -> Law:
    if id(view) not in laws:
        laws[id(view)] = mechanism.law(view).everything
    return laws[id(view)]
