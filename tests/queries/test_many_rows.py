"""Ladders on larger columns: windows, exact integers and no overflow, against slow exact forms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from brute.cases import Grid, every_case

from discreet.queries import ADD_REMOVE, Bounds, Column, Query, Relation, registry
from discreet.queries.gaps import MOST_RUNGS
from discreet.queries.mean import Mean
from discreet.queries.quantile import Quantile
from discreet.queries.trimmed import TrimmedMean
from discreet.queries.variance import StandardDeviation, Variance, farthest, tightest

FAR = Bounds(0, 2**31 - 1, integer=True)
NEAR = Bounds(0, 60, integer=True)


def by_distance_table(x: list[int], q: Fraction, top: int, rungs: int) -> list[int]:
    """A(k) of a quantile over all gaps and all states with the right number of rows beside it."""
    n, rows = len(x), np.array([0, *sorted(x), top])
    states = np.arange(2 * n + rungs)
    rank = np.maximum(1, [-int(-q * s // 1) for s in range(states.size + 1)])
    rank[0] = q > Fraction(1, 2)
    allowed = {(rank[s + 1] - 1, s - rank[s + 1] + 1) for s in states.tolist()}
    allowed |= {(rank[s - 1], s - rank[s - 1]) for s in states[1:].tolist()}
    left, right = np.array(sorted(allowed)).T
    best = [0] * rungs
    for i in range(n + 1):
        for j in range(i + 1, n + 2):
            cost = j - i - 1 + int((np.abs(left - i) + np.abs(right - (n + 1 - j))).min())
            if cost < rungs:
                best[cost] = max(best[cost], int(rows[j] - rows[i]))
    return np.maximum.accumulate(best).tolist()


@pytest.mark.parametrize("share", ["0", "0.03", "1/4", "0.4", "0.5", "0.55", "2/3", "0.9", "1"])
@pytest.mark.parametrize("n", [3, 17, 40])
def test_quantile_equals_the_distance_table(n: int, share: str) -> None:
    """The one-sided form is the table over every gap and every state, on rows with many ties."""
    rows = np.random.default_rng(n).integers(0, 13, n) ** 2 // 3
    column = Column.from_ticks(NEAR, rows)
    rungs = Quantile(q=share).ladder(column, np.arange(n + 3))
    assert rungs.tolist() == by_distance_table(rows.tolist(), Fraction(share), 60, n + 3)


def least_by_fractions(rows: list[int], dropped: int) -> Fraction:
    """The least sum of squared deviations over consecutive rows, in exact fractions."""
    size, spreads = len(rows) - dropped, []
    for first in range(dropped + 1):
        part = rows[first : first + size]
        spreads.append(Fraction(size * sum(t * t for t in part) - sum(part) ** 2, size))
    return min(spreads)


DATA = {
    "even": lambda r, top: r.integers(0, top + 1, 90),
    "far rows": lambda r, top: np.append(np.full(80, top // 3), r.integers(0, top + 1, 10)),
    "two heaps": lambda r, top: np.append(np.full(50, top), r.integers(0, 3, 41)),
    "one value": lambda r, top: np.full(90, top),
    "narrow": lambda r, top: top // 2 + r.integers(0, 2, 90),
}


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("top", [9, 2**20, 2**31 - 1])
def test_tightest_rows_are_exact_to_a_billionth(top: int, data: str) -> None:
    """Around the median and in integers the least spread is right; where not computed it is 0."""
    rows = np.sort(DATA[data](np.random.default_rng(3), top))
    column = Column.from_ticks(Bounds(0, top, integer=True), rows)
    dropped = np.array([0, 1, 2, 7, 21, 22, 23, 40, 60, column.n - 1, column.n])
    for k, spread in zip(dropped.tolist(), tightest(column, dropped), strict=True):
        exact = least_by_fractions(rows.tolist(), k) if k < column.n else 0
        if spread or 4 * k < column.n or 3 * k * top < 2**32:
            assert spread == pytest.approx(float(exact), rel=1e-9, abs=0)


def test_tightest_rows_never_grow() -> None:
    """The least spread falls with every row dropped, across the three ways of computing it."""
    rows = np.random.default_rng(8).integers(0, 2**22, 6000)
    column = Column.from_ticks(Bounds(0, 2**22, integer=True), rows)
    spreads = tightest(column, np.arange(2600))
    assert np.all(np.diff(spreads) <= 1e-9 * spreads[:-1])
    assert spreads[300] > 0
    assert spreads[2000] == 0


def test_farthest_mean_is_the_replaced_mean() -> None:
    """Replacing the rows nearest to a bound by the other bound moves the mean the farthest."""
    column = Column.from_ticks(NEAR, np.array([1, 5, 30, 30, 59]))
    assert farthest(column, np.array([5, 3]), 5).tolist() == [60 - 125 / 5, 60 - 36 / 5]


@pytest.mark.parametrize("rows", [2**20, 2**31])
def test_huge_counts_do_not_overflow(rows: int) -> None:
    """Billions of rows on the largest tick give the ladders of exact fractions."""
    top = FAR.top
    column = Column(FAR, np.array([0, top]), np.array([rows // 2, rows // 2]))
    n = column.n
    assert Mean().value(column) == top / 2
    assert Variance().value(column) == pytest.approx(top**2 / 4, rel=1e-12)
    leaving = Fraction(top * n, 2 * (n - 4) * (n - 3))  # three go from the top, and one more
    assert Mean().ladder(column, np.array([3]))[0] == pytest.approx(float(leaving), rel=1e-12)
    for query in (Variance(), StandardDeviation()):
        rungs = query.ladder(column, np.arange(50))
        assert np.all(rungs > 0)
        assert np.all(np.diff(rungs) >= 0)
        assert rungs[-1] < query.global_sensitivity(FAR)


def test_every_ladder_is_finite_on_extreme_bounds() -> None:
    """Huge, tiny and far-off ranges give finite, non-decreasing ladders up to the sensitivity."""
    for lower, upper in ((-1e100, 1e100), (0, 1e-100), (1e9, 1e9 + 1e-3), (-3, -2)):
        bounds = Bounds(lower, upper)
        column = Column.from_ticks(bounds, np.array([0, 5, 2**19, 2**19, bounds.top]))
        for query in (q for q in queries() if q.relation.size is None):
            rungs = query.ladder(column, np.arange(9))
            assert np.all(np.isfinite(rungs)), query.name
            assert np.all(np.diff(rungs) >= 0), query.name
            assert rungs[-1] <= query.global_sensitivity(bounds) * (1 + 1e-9), query.name


def queries() -> list[Query]:
    """One query of every registered statistic."""
    return [TrimmedMean(resize=5) if kind is TrimmedMean else kind() for kind in registry.values()]


def test_every_statistic_is_registered() -> None:
    """The registry holds each statistic under its name."""
    assert set(registry) >= {
        *("count", "sum", "mean", "variance", "standard-deviation", "median", "lower-median"),
        *("quantile", "largest", "smallest", "interquartile-range", "trimmed-mean"),
    }


def test_rungs_beyond_the_last_are_the_sensitivity() -> None:
    """Beyond 2^14 rungs a ladder of ranks says its maximum, which keeps memory and time bounded."""
    column = Column.from_counts(NEAR, np.full(61, 1000))
    for relation in (ADD_REMOVE, Relation(size=61_000)):
        for name in ("quantile 0.9", "largest 2", "median"):
            query, _ = every_case_of(relation)[name]
            last, beyond = query.ladder(column, np.array([MOST_RUNGS - 1, MOST_RUNGS + 10**6]))
            assert last <= beyond == query.global_sensitivity(NEAR)


def every_case_of(relation: Relation) -> dict[str, tuple[Query, object]]:
    """The exact cases over the near bounds."""
    return every_case(Grid(NEAR, (0, 60)), relation)


def test_the_squares_of_a_public_number_of_rows_stay_exact() -> None:
    """2^40 rows on few levels: more than 64 bits, and still whole numbers."""
    bounds = Bounds(0, 2**20 - 1, integer=True)
    column = Column(bounds, np.array([0, 3, 2**20 - 1]), np.array([2**39, 5, 2**39]))
    assert column.squares == 5 * 9 + 2**39 * (2**20 - 1) ** 2
    assert column.total == 15 + 2**39 * (2**20 - 1)
