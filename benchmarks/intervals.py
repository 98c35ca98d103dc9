"""Intervals: their width and coverage, compared with the best peer's.

OpenDP turns a noise scale into an accuracy; for a mean over an unknown number of rows it releases a sum and a count,
whose two accuracies at 97.5 % give an interval. (Its noise is drawn here by NumPy at its scale: only widths and
accuracies are its own.) It has none for a median, and diffprivlib has none at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.data import Numbers, ages, incomes
from benchmarks.report import table, verdict
from discreet.budget import Cost
from discreet.lab.contest import Ground, contenders
from discreet.lab.sweeps import by_width
from discreet.mechanisms import Public
from discreet.noise.source import ReleaseNoise
from discreet.queries import Column, Query
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum

EPSILONS, DRAWS = (0.1, 1.0), 400
STATISTICS: dict[str, Query] = {"mean": Mean(), "median": Median(), "sum": Sum(), "count": Count()}
NO_WIDER = 1.02  # the mean of 400 half widths, most of which do not vary
Spans = list[tuple[float, float]]


def ours(data: Numbers, query: Query, epsilon: float) -> tuple[str, Spans]:
    """Return the method that is recommended for its interval, and many intervals."""
    ground = Ground(data.name, Column.from_values(data.bounds, data.values))
    best = by_width(contenders(query, Cost.of(epsilon), ground, intervals=True), ground)[0].contender
    law, noise = best.mechanism.law(ground.column), ReleaseNoise()
    public = Public(data.bounds)
    return best.slug, [best.mechanism.interval(law.draw(noise), public) for _ in range(DRAWS)]


def opendp(data: Numbers, statistic: str, epsilon: float) -> Spans:
    """Return many intervals of the peer; empty if it has no accuracy for the statistic."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    noise = np.random.default_rng(5)
    largest = max(abs(float(data.bounds.lower)), abs(float(data.bounds.upper)))
    exact = {"sum": float(data.values.sum()), "count": float(data.values.size)}
    moved = {"sum": largest, "count": 1.0}

    def spans(name: str, share: float, alpha: float) -> Spans:
        scale = moved[name] / (epsilon * share)
        width = dp.laplacian_scale_to_accuracy(scale, alpha)
        drawn = exact[name] + noise.laplace(scale=scale, size=DRAWS)
        return [(float(y - width), float(y + width)) for y in drawn]

    if statistic in exact:
        return spans(statistic, 1.0, 0.05)
    if statistic != "mean":
        return []
    pairs = zip(spans("sum", 0.5, 0.025), spans("count", 0.5, 0.025), strict=True)
    return [(a / d if a > 0 else a / c, b / c if b > 0 else b / d) for (a, b), (c, d) in pairs if c > 0]


def _width(spans: Spans) -> float:
    return float(np.mean([high - low for low, high in spans])) / 2 if spans else float("nan")


def _held(spans: Spans, truth: float) -> float:
    return float(np.mean([low <= truth <= high for low, high in spans])) if spans else float("nan")


def lines() -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield a line for every query, and its width relative to the peer's."""
    sources: tuple[Callable[[], Numbers], ...] = (ages, incomes)
    for data in (source() for source in sources):
        for name, query in STATISTICS.items():
            truth = float(query.value(Column.from_values(data.bounds, data.values)))
            for epsilon in EPSILONS:
                slug, mine = ours(data, query, epsilon)
                peer = opendp(data, name, epsilon)
                ratio = _width(mine) / _width(peer)
                ratio_text = "-" if np.isnan(ratio) else f"{ratio:.2f}"
                texts = f"{_width(mine):.4g}", f"{_held(mine, truth):.1%}", f"{_width(peer):.4g}", ratio_text, slug
                yield (f"{data.name}, {name}", f"{epsilon:g}", *texts), ratio


def run() -> None:
    """Print half widths, coverage, and those of the peer."""
    measured = list(lines())
    head = ("question", "epsilon", "half width", "holds", "OpenDP", "ratio", "method")
    table(
        f"Intervals, 19 times in 20: means of {DRAWS}; an empty place of a peer is an interval it has not",
        head,
        [t for t, _ in measured],
    )
    worst = float(np.nanmax([ratio for _, ratio in measured]))
    print(f"\nwidest against the peer: {worst:.2f} (promised {NO_WIDER}): {verdict(worst, NO_WIDER)}")


if __name__ == "__main__":
    run()
