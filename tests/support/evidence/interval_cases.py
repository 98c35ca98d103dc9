"""What intervals are asked of."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from discreet.mechanisms import Mechanism
from discreet.mechanisms.base.view import BinCounts, InBlocks, Levels, Reports, TwoColumns
from discreet.mechanisms.blocks_interval import BlocksSmoothInterval
from discreet.mechanisms.blocks_median_interval import BlocksMedianInterval
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.mechanisms.several_gaussian import SeveralGaussian
from discreet.mechanisms.several_quantiles import SeveralQuantiles
from discreet.queries import Bounds, Column, Query
from discreet.queries.column import Blocks, Pairs, Scores
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile

HUNDRED = Bounds(0, 100, integer=True)


SHAPES: dict[str, Callable[[np.ndarray[Any, Any]], Any]] = {  # of n rows, at places from 0 to 1
    "nobody": lambda p: p[:0],
    "one row": lambda p: p[:1],
    "all at the lower end": lambda p: 0 * p,
    "all at the upper end": lambda p: 0 * p + 1,
    "all inside": lambda p: 0 * p + 0.37,
    "alternating": lambda p: np.arange(p.size) % 2,
    "half and half": lambda p: p > 0.5,
    "nearly half": lambda p: p > 0.5 + 0.6 / p.size,
    "one outlier": lambda p: p >= p.max(),
    "all but one": lambda p: p > p.min(),
    "heavy tail": lambda p: 0.01 * ((1 - 0.999 * p) ** -0.66 - 1),
    "even": lambda p: p,
    "two hills": lambda p: np.where(p < 0.7, 0.2 + 0.1 * p, 0.8 + 0.1 * p),
    "close together": lambda p: 0.5 + 0.01 * (p > 0.3) + 0.01 * (p > 0.8),
}


@cache
def columns(size: int) -> list[tuple[str, Column]]:
    """Return every dataset of about a size, the same ones to all."""
    places = (np.arange(size) + 0.5) / size
    datasets = []
    for name, shape in SHAPES.items():
        ticks = np.rint(100 * np.clip(np.asarray(shape(places), dtype=np.float64), 0, 1)).astype(np.int64)
        datasets.append((name, Column.from_ticks(HUNDRED, ticks)))
    return datasets


def seen(mechanism: Mechanism, column: Column) -> tuple[Any, Any]:
    """Return what a mechanism sees of a dataset, and what its interval should hold."""
    view = mechanism.view
    if isinstance(view, Levels):
        counts = np.bincount(column.values().astype(int) // 26, minlength=4)
        scores = Scores(("a", "b", "c", "d"), counts)
        return scores, min(counts[0] / view.people, 1.0) if isinstance(view, Reports) else counts.astype(float)
    if isinstance(view, InBlocks):
        blocks = Blocks(0.0, 100.0, np.resize(column.values() if column.n else [50.0], mechanism.k))  # type: ignore[attr-defined]
        inner = MIDDLES[type(mechanism)]
        return blocks, float(inner(mechanism.changed).value(mechanism.column(blocks)))  # type: ignore[attr-defined]
    if isinstance(view, TwoColumns):
        pairs = beside(column)
        return pairs, view.truth(pairs) or 0.0
    if isinstance(mechanism, SeveralGaussian):
        return column, np.array([float(query.value(column)) for query in mechanism.queries])
    if isinstance(view, BinCounts):
        values, ends = column.values(), np.array(view.joined(HUNDRED))
        top = ends.max()
        inside = (values[:, None] >= ends[:, 0]) & ((values[:, None] < ends[:, 1]) | (ends[:, 1] == top))
        return column, inside.sum(axis=0).astype(float)
    if isinstance(mechanism, SeveralQuantiles):
        return column, np.array([float(Quantile(q=share).value(column)) for share in mechanism.shares])
    return column, float((getattr(view, "query", None) or Mean()).value(column))


def beside(column: Column) -> Pairs:
    """Return a column beside another one, half of which follows it."""
    ticks = np.repeat(column.levels, column.counts)
    return Pairs.from_ticks(HUNDRED, HUNDRED, ticks, (ticks + np.arange(ticks.size) * 61 % 101) // 2)


MIDDLES: dict[type[Any], type[Query]] = {BlocksMean: Mean, BlocksSmoothInterval: Median, BlocksMedianInterval: Median}
