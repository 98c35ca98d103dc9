"""Selecting: the exact probability with which each selection mechanism picks each candidate."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy import special

from discreet.mechanisms.laws.law import runs_of
from discreet.queries.bounds import FloatArray, IntArray

MOST_NODES = 128
FAR = 80.0  # exp(-80) is negligible beside 1 in double precision
DEEP = 100.0  # winning from this many scales below the best has a probability below exp(-100)
CELLS = 2**21  # how many numbers one pass processes at once


@lru_cache
def gauss_legendre(size: int) -> tuple[FloatArray, FloatArray]:
    """Return nodes in [-1, 1] and weights."""
    nodes, weights = special.roots_legendre(size)
    return nodes, weights


def exponential(scores: IntArray, rate: float) -> FloatArray:
    """Return weights exp(rate score), normalised: the exponential mechanism."""
    return runs_of(rate * (scores - scores.max()))


def permute_and_flip(scores: IntArray, rate: float) -> FloatArray:
    """Return p_r times the integral over t in [0, 1] of the product of 1 - p_s t over s != r.

    p_s = exp(rate (score - best)). The integrand is a polynomial of degree m - 1, so that m/2 + 1 Gauss-Legendre nodes
    are exact. From 256 candidates on, let P be the sum of p_s: the integrand is below exp(-t (P - 1)), so the part
    beyond t = 80/P is below exp(-79), while the integral is at least 1/m; on the rest it is an entire function of
    growth exp(80 |t|), for which the error of 128 nodes is below exp(-300) (Bernstein ellipse of radius 12).
    """
    levels, which, counts = np.unique(scores, return_inverse=True, return_counts=True)
    p = np.exp(rate * (levels - levels[-1]))
    size = min(scores.size // 2 + 1, MOST_NODES)
    end = min(1.0, FAR / float(counts @ p)) if size == MOST_NODES else 1.0
    nodes, weights = gauss_legendre(size)
    t, weights = (nodes + 1) / 2 * end, weights / 2 * end
    parts = np.array_split(np.arange(p.size), 1 + p.size * size // CELLS)
    logs = sum(np.log1p(-np.outer(t, p[part])) @ counts[part] for part in parts)
    chances = [p[i] * (weights @ np.exp(logs[:, None] - np.log1p(-np.outer(t, p[i])))) for i in parts]
    return np.asarray(np.concatenate(chances)[which])


def rule(breaks: FloatArray, low: float, high: float, step: float) -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights of an integral whose integrand is smooth between the breaks."""
    inner = breaks[(breaks > low) & (breaks < high)]
    pieces = math.ceil((high - low) / step)
    edges = np.unique(np.concatenate((inner, np.linspace(low, high, pieces + 1))))
    half = np.diff(edges)[:, None] / 2
    nodes, weights = gauss_legendre(16)
    return (edges[:-1, None] + half + half * nodes).ravel(), (half * weights).ravel()


def log_below(d: FloatArray) -> FloatArray:
    """Return ln P(Z <= d) of Laplace noise of scale 1."""
    inside = np.log1p(-np.exp(-np.maximum(d, 0)) / 2)
    return np.asarray(np.where(d < 0, d - math.log(2), inside))


def noisy_max(scores: IntArray, scale: float) -> FloatArray:
    """Return the integral of f(z - q_r) times the product of F(z - q_s) over s != r.

    f and F belong to Laplace noise. Piecewise Gauss-Legendre between the scores; candidates of equal score share one
    integral.
    """
    levels, which, counts = np.unique(scores, return_inverse=True, return_counts=True)
    x = (levels - levels[-1]) / scale
    low = max(x[0], -DEEP) - FAR / 2
    high = math.log(scores.size) + FAR / 2
    nodes, weights = rule(x, low, high, 1.0)
    total = np.zeros(x.size)
    for part in np.array_split(np.arange(nodes.size), 1 + nodes.size * x.size // CELLS):
        d = nodes[part, None] - x
        below = log_below(d)
        share = -np.abs(d) - math.log(2) - below
        total += weights[part] @ np.exp(share + (below @ counts)[:, None])
    return np.asarray(total[which])
