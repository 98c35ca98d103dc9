"""Speed as ratios in one run: preparing a column, laws, simulation, draws, a comparison."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd

from benchmarks import textbook
from benchmarks.data import ages
from benchmarks.report import median_seconds, table, verdict
from discreet.lab.experiment import compare
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.global_mean import SumOverCount, TextbookMean, TwoCounts
from discreet.mechanisms.histogram_bounds import HistogramBounds
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.private_bounds import PrivateUpperBound
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.ptr_grid import ProposeGrid
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian, BlocksSmoothMedian
from discreet.mechanisms.selection import ExponentialMechanism, NoisyMax, PermuteAndFlip
from discreet.mechanisms.several_gaussian import SeveralGaussian
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.mechanisms.smooth_laplace import SmoothLaplace
from discreet.mechanisms.smooth_student import SmoothStudent
from discreet.mechanisms.sparse import AboveThreshold
from discreet.noise.source import ReleaseNoise
from discreet.queries import Bounds, Column
from discreet.queries.column import Blocks, Scores
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile

INCOME = Bounds(0, 500_000)
MEAN_BOUNDS = Bounds(0, 100, integer=True)
LAWS: dict[str, tuple[Mechanism, float]] = {
    "mean, smooth": (SmoothCoreTail(Mean(), m=64), 1.0),
    "mean, two counts": (TwoCounts(), 1.0),
    "median, smooth": (SmoothCoreTail(Median()), 1.0),
    "median, exponential": (QuantileExponential(), 1.0),
    "quantile 0.9, smooth": (SmoothCoreTail(Quantile(q="0.9")), 50.0),
    "quantile 0.9, smooth, epsilon 0.2": (SmoothCoreTail(Quantile(q="0.9"), 0.2), 50.0),
    "quantile 0.9, exponential": (QuantileExponential(q=0.9), 50.0),
}


def incomes(n: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return n lognormal incomes."""
    return np.exp(10.5 + 0.7 * np.random.default_rng(1).standard_normal(n))


def preparing(values: Any) -> None:
    """Print how long a column takes compared with a sort, alternating on one array."""
    sorts, columns = [], []
    for _ in range(7):
        start = time.perf_counter()
        np.sort(values)
        middle = time.perf_counter()
        Column.from_values(INCOME, values)
        sorts.append(middle - start)
        columns.append(time.perf_counter() - middle)
    ratio = float(np.median(columns) / np.median(sorts))
    table(
        "Preparing a column of 10^7 doubles with 2^20 ticks, beside np.sort of the same array",
        ("np.sort", "column", "ratio", "<= 1.0"),
        [(f"{np.median(sorts):.3f} s", f"{np.median(columns):.3f} s", f"{ratio:.2f}", verdict(ratio, 1.0))],
    )


def laws(columns: dict[int, Column]) -> None:
    """Print how long a law takes at 10^6 and 10^7 rows."""
    rows = []
    for name, (mechanism, limit) in LAWS.items():
        taken = [1e3 * median_seconds(lambda m=mechanism, c=c: m.law(c)) for c in columns.values()]
        flat = f"{taken[1] / taken[0]:.2f}"
        rows.append((name, *(f"{t:.2f} ms" for t in taken), flat, f"{limit:g} ms", verdict(taken[1], limit)))
    head = ("law", *(f"{n:,} rows" for n in columns), "growth", "limit", "")
    table("Laws on a prepared column", head, rows)


def draws(column: Column) -> None:
    """Print 10^4 simulated answers and one released draw of every kind of law."""
    scores = Scores(tuple("abcdefghij"), np.arange(10) * 37)
    estimates = Blocks(0.0, 100.0, 30 + 20 * SimulationNoise(3).uniforms(1, 100)[0])
    kinds: dict[str, tuple[Mechanism, Any]] = {
        **{name: (mechanism, column) for name, (mechanism, _) in LAWS.items()},
        "median, Student": (SmoothStudent(), column),
        "mean, Laplace": (GlobalLaplace(), column),
        "mean, Gaussian": (AnalyticGaussian(), column),
        "mean, propose-test-release": (ProposeTestRelease(b=1.0), column),
        "mean, grid of proposals": (ProposeGrid(), column),
        "count, geometric": (Geometric(Count()), column),
        "ten counts": (CountsGeometric(), scores),
        "most common of ten": (PermuteAndFlip(), scores),
        "100 blocks": (BlocksMedian(k=100, lower=0.0, upper=100.0), estimates),
        "100 blocks, mean": (BlocksMean(k=100, lower=0.0, upper=100.0), estimates),
        "100 blocks, smooth": (BlocksSmoothMedian(k=100, lower=0.0, upper=100.0), estimates),
        "most common, exponential": (ExponentialMechanism(), scores),
        "most common, noisy counts": (NoisyMax(), scores),
        "stream of ten": (AboveThreshold(), scores),
        "private upper bound": (PrivateUpperBound(), column),
        "bounds by histogram": (HistogramBounds(), column),
        "two statistics": (SeveralGaussian(), column),
    }
    noise, simulation, rows = ReleaseNoise(), SimulationNoise(2), []
    for name, (mechanism, view) in kinds.items():
        law = mechanism.law(view)
        many = 1e3 * median_seconds(lambda la=law: la.simulate(simulation.uniforms(la.draws, 10**4)))
        single = 1e3 * median_seconds(lambda la=law: [la.draw(noise) for _ in range(100)]) / 100
        rows.append((name, f"{many:.2f} ms", verdict(many, 10), f"{single:.3f} ms", verdict(single, 1)))
    head = ("law", "10^4 simulated", "<= 10 ms", "one released draw", "<= 1 ms")
    table("Simulated answers and released draws (10^6 rows)", head, rows)


def comparison() -> None:
    """Print a comparison of eight mechanisms with the textbook's loops on the same rows."""
    values = ages().values
    eight: dict[str, Mechanism] = {
        "textbook mean": TextbookMean(),
        "sum over count": SumOverCount(),
        "two counts": TwoCounts(),
        "Laplace": GlobalLaplace(),
        "Gaussian": AnalyticGaussian(),
        "core-tail": SmoothCoreTail(m=64),
        "smooth Laplace": SmoothLaplace(),
        "propose-test-release": ProposeTestRelease(b=0.005),
    }
    draws_each = 1000

    def ours() -> None:
        column = Column.from_values(MEAN_BOUNDS, values)
        compare(eight, column, Mean().value(column), draws_each, 1)

    series, rng = pd.Series(values), np.random.default_rng(1)
    mine = median_seconds(ours)
    theirs = median_seconds(lambda: textbook.every(series, rng), 20)
    each, loop = mine / (draws_each * len(eight)), theirs / 4
    table(
        "Comparison of eight mechanisms, 10^3 draws each, 32,561 rows, beside the textbook's loops",
        ("ours", "<= 0.3 s", "per answer", "textbook per answer", "ratio", ">= 1000"),
        [
            (
                f"{mine * 1e3:.1f} ms",
                verdict(mine, 0.3),
                f"{each * 1e6:.2f} us",
                f"{loop * 1e6:.0f} us",
                f"{loop / each:.0f}",
                verdict(1000, loop / each),
            )
        ],
    )


def run() -> None:
    """Print all tables."""
    values = incomes(10**7)
    preparing(values)
    columns = {n: Column.from_values(INCOME, values[:n]) for n in (10**6, 10**7)}
    laws(columns)
    draws(columns[10**6])
    comparison()


if __name__ == "__main__":
    run()
