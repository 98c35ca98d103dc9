"""Our answers to the benchmark's queries, drawn from the release source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import Numbers
from benchmarks.peers import BINS
from discreet.mechanisms import Mechanism
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.mechanisms.smooth import SmoothCoreTail, best_tail
from discreet.noise.source import ReleaseNoise
from discreet.queries import Column, Relation
from discreet.queries.column import Bins, Scores
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum

Key = tuple[str, str]
Sampler = Callable[[], Any]


def numbers(data: Numbers, epsilon: float, noise: ReleaseNoise) -> dict[Key, Sampler]:
    """Return samplers by (statistic, relation) of one numeric column."""
    column = Column.from_values(data.bounds, data.values)
    sized = Relation(size=column.n)
    tail = best_tail(epsilon, column.n // 3)  # a low guess of n
    total = Geometric if data.whole else GlobalLaplace
    edges = tuple(np.linspace(data.bounds.lower, data.bounds.upper, BINS + 1).tolist())
    asked: dict[Key, Mechanism] = {
        ("mean", "a/r"): SmoothCoreTail(Mean(), epsilon, m=tail),
        ("mean", "c/o"): GlobalLaplace(Mean(sized), epsilon),
        ("sum", "a/r"): total(Sum(), epsilon),
        ("sum", "c/o"): total(Sum(sized), epsilon),
    }
    for name, q in (("median", "0.5"), ("quantile 0.9", "0.9")):
        asked[name, "a/r"] = QuantileExponential(q=float(q), epsilon=epsilon)
        asked[name, "c/o"] = QuantileExponential(q=float(q), epsilon=epsilon, relation=sized)
    samplers = {key: sampler(mechanism, column, noise) for key, mechanism in asked.items()}
    above = Column.from_values(data.bounds, data.values[data.values > data.cut])
    samplers["count", "a/r"] = sampler(Geometric(Count(), epsilon), above, noise)
    scores = Bins(edges).scores(column)
    samplers["histogram", "a/r"] = sampler(CountsGeometric(epsilon=epsilon), scores, noise)
    return samplers


def sampler(mechanism: Mechanism, view: Any, noise: ReleaseNoise) -> Sampler:
    """Return a function that draws one answer of the mechanism's law."""
    law = mechanism.law(view)
    return lambda: law.draw(noise)


def category(rows: NDArray[np.str_], levels: list[str], epsilon: float, noise: ReleaseNoise) -> Sampler:
    """Return a sampler of the most common category."""
    counts = np.array([np.sum(rows == level) for level in levels], dtype=np.int64)
    return sampler(PermuteAndFlip(epsilon=epsilon), Scores(tuple(levels), counts), noise)
