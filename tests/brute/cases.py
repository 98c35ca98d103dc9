"""Statistics in plain Python, beside the query that must agree with them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from discreet.queries import Bounds, Column, Query, Relation
from discreet.queries.count import Count
from discreet.queries.extremes import Largest, Smallest
from discreet.queries.interquartile import InterquartileRange
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.quantile import LowerMedian, Quantile
from discreet.queries.sum import Sum
from discreet.queries.trimmed import TrimmedMean
from discreet.queries.variance import StandardDeviation, Variance

Values = list[float]


@dataclass(frozen=True)
class Grid:
    """Bounds and some of their ticks, the first and the last among them."""

    bounds: Bounds
    ticks: tuple[int, ...]

    def value(self, tick: float) -> float:
        """The value of a tick by its definition."""
        step = self.bounds.step
        assert step is not None
        return self.bounds.lower + tick * step

    def column(self, dataset: tuple[int, ...]) -> Column:
        """The column of some ticks."""
        return Column.from_ticks(self.bounds, [*dataset])

    @property
    def ends(self) -> tuple[float, float]:
        """The values of the first and the last tick."""
        return self.value(0), self.value(self.ticks[-1])


GRIDS = {
    "whole": Grid(Bounds(0, 9, integer=True), (0, 1, 2, 5, 9)),
    "negative": Grid(Bounds(-9, -1, integer=True), (0, 1, 3, 8)),
    "offset": Grid(Bounds(100, 103, step=0.5), (0, 1, 4, 6)),
    "uneven": Grid(Bounds(-1, 1, step=0.3), (0, 3, 5, 6)),
    "coarse": Grid(Bounds(-10, 35, step=5, integer=True), (0, 2, 9)),
}


@dataclass(frozen=True)
class Case:
    """A query and the same statistic of a list of values, with its value on no rows."""

    make: Callable[[Relation], Query]
    plain: Callable[[Values], float]
    empty: Callable[[float, float], float]

    def function(self, grid: Grid) -> Callable[[tuple[int, ...]], float]:
        """The statistic as a plain function of ticks."""
        return lambda x: self.plain([grid.value(t) for t in x]) if x else self.empty(*grid.ends)


def middle(low: float, high: float) -> float:
    """The middle of the bounds."""
    return (low + high) / 2


def lowest(low: float, high: float) -> float:
    """The lower bound."""
    return low


def highest(low: float, high: float) -> float:
    """The upper bound."""
    return high


def nothing(low: float, high: float) -> float:
    """Zero."""
    return 0.0


def ranked(share: str) -> Callable[[Values], float]:
    """The row at rank ceil(q n), at least 1."""
    q = Fraction(share)
    return lambda x: x[max(1, math.ceil(q * len(x))) - 1]


def quantile_case(share: str) -> Case:
    """The quantile at a decimal share."""
    end = lowest if Fraction(share) <= Fraction(1, 2) else highest
    return Case(lambda relation: Quantile(relation, share), ranked(share), end)


SHARES = ("0", "0.05", "1/4", "1/3", "0.5", "0.51", "0.7", "3/4", "0.9", "1")
EXACT = {
    "count": Case(Count, len, nothing),
    "mean": Case(Mean, statistics.fmean, middle),
    "median": Case(Median, statistics.median, middle),
    "lower median": Case(LowerMedian, statistics.median_low, lowest),
    **{f"quantile {share}": quantile_case(share) for share in SHARES},
}
SUM = Case(Sum, math.fsum, nothing)
BOUNDED = {
    "variance": Case(Variance, lambda x: float(statistics.pvariance(x)), nothing),
    "standard deviation": Case(StandardDeviation, lambda x: float(statistics.pstdev(x)), nothing),
    "interquartile range": Case(InterquartileRange, lambda x: ranked("0.75")(x) - ranked("0.25")(x), nothing),
}


def largest_of(j: int, grid: Grid) -> Callable[[tuple[int, ...]], float]:
    """The j-th largest value, the lower bound if there are fewer."""
    return lambda x: grid.value(x[-j] if len(x) >= j else 0)


def smallest_of(j: int, grid: Grid) -> Callable[[tuple[int, ...]], float]:
    """The j-th smallest value, the upper bound if there are fewer."""
    return lambda x: grid.value(x[j - 1] if len(x) >= j else grid.ticks[-1])


def trimmed_of(cut: str, grid: Grid) -> Callable[[tuple[int, ...]], float]:
    """The mean without the given share of values on both sides."""

    def trimmed(x: tuple[int, ...]) -> float:
        drop = int(Fraction(cut) * len(x))
        return statistics.fmean([grid.value(t) for t in x[drop : len(x) - drop]])

    return trimmed


def every_case(grid: Grid, relation: Relation) -> dict[str, tuple[Query, Callable[..., float]]]:
    """All queries whose ladder is exact, with their plain functions on this grid."""
    cases = {name: (case.make(relation), case.function(grid)) for name, case in EXACT.items()}
    for j in range(1, min(relation.size or 3, 3) + 1):
        cases[f"largest {j}"] = (Largest(relation, j), largest_of(j, grid))
        cases[f"smallest {j}"] = (Smallest(relation, j), smallest_of(j, grid))
    cases["sum"] = (SUM.make(relation), SUM.function(grid))
    for cut in ("0", "0.2", "0.25", "0.4") if relation.size else ():
        cases[f"trimmed mean {cut}"] = (TrimmedMean(relation, cut), trimmed_of(cut, grid))
    return cases


__all__ = ["BOUNDED", "EXACT", "GRIDS", "Case", "Grid", "TrimmedMean", "every_case", "trimmed_of"]
