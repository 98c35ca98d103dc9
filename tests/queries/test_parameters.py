"""Parameters of statistics: refused with a sentence where senseless, exact where they are not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from discreet.budget.errors import ParameterError
from discreet.queries import Bounds, Column, Relation
from discreet.queries.column import Bins
from discreet.queries.extremes import Largest, Smallest
from discreet.queries.quantile import Quantile
from discreet.queries.sum import Sum
from discreet.queries.trimmed import TrimmedMean
from discreet.queries.variance import Variance

REFUSED: dict[str, Callable[[], object]] = {
    "share above 1": lambda: Quantile(q="1.1"),
    "share below 0": lambda: Quantile(q=-0.1),
    "share of text": lambda: Quantile(q="half"),
    "share of nothing": lambda: Quantile(q="1/0"),
    "NaN share": lambda: Quantile(q=float("nan")),
    "share too fine": lambda: Quantile(q="0.12345678901"),
    "rank 0": lambda: Largest(j=0),
    "rank of text": lambda: Smallest(j="1"),  # type: ignore[arg-type]
    "rank above a public size": lambda: Largest(Relation(size=3), 4),
    "trimmed mean of unknown size": TrimmedMean,
    "trimmed mean of two sizes": lambda: TrimmedMean(Relation(size=5), resize=5),
    "trimmed mean of no rows": lambda: TrimmedMean(resize=0),
    "trimmed mean of a fractional size": lambda: TrimmedMean(resize=2.5),  # type: ignore[arg-type]
    "everything trimmed": lambda: TrimmedMean(cut="0.5", resize=10),
    "size 0": lambda: Relation(size=0),
    "half a row of a size": lambda: Relation(size=1.5),  # type: ignore[arg-type]
    "a size that is a truth": lambda: Relation(size=True),
    "no rows per person": lambda: Relation(rows=0),
    "too many rows per person": lambda: Relation(rows=10**6),
    "half a row per person": lambda: Relation(rows=1.5),  # type: ignore[arg-type]
    "rows per person as text": lambda: Relation(rows="2"),  # type: ignore[arg-type]
    "variance of a range too wide": lambda: Variance().global_sensitivity(Bounds(0, 1e200)),
    "variance of a range too narrow": lambda: Variance().global_sensitivity(Bounds(0, 1e-200)),
    "sum of a range too wide": lambda: Sum().global_sensitivity(Bounds(0, 1e300)),
    "one edge": lambda: Bins((1.0,)),
    "edges that fall": lambda: Bins((1.0, 0.0)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_sentence(name: str) -> None:
    """The message is a sentence that says what is allowed or needed."""
    with pytest.raises(ParameterError, match=r"(between|need|must).*\.$"):
        REFUSED[name]()


@pytest.mark.parametrize("q", ["0.9", 0.9, "9/10", Fraction(9, 10)])
def test_shares_are_read_as_decimals(q: Fraction | str | float) -> None:
    """0.9 means nine tenths however it is written, so that ranks are exact."""
    assert Quantile(q=q) == Quantile(q=Fraction(9, 10))
    assert int(Quantile(q=q).rank(10)) == 9


def test_ranks_are_exact_for_many_rows() -> None:
    """Ranks of billions of rows are whole-number arithmetic: no rounding moves them."""
    for n in (10**9 + 7, 2**32):
        exact = -(-n * 123_456_789 // 10**9)
        assert int(Quantile(q="0.123456789").rank(n)) == exact


def test_quantile_on_no_rows_is_a_bound() -> None:
    """Without rows a quantile is the lower bound up to one half, and the upper one above."""
    bounds = Bounds(3, 8, integer=True)
    empty = Column.from_values(bounds, [])
    assert [Quantile(q=q).value(empty) for q in ("0.1", "0.5", "0.51")] == [3, 3, 8]


def test_sum_is_rounded_once() -> None:
    """A sum of many rows is the correctly rounded exact sum, not a sum of roundings."""
    bounds = Bounds(0.1, 0.7, step=0.1)
    column = Column.from_counts(bounds, np.array([10**6, 10**6, 3]))
    rows = [Fraction(0.1) + t * Fraction(0.1) for t in range(3)]
    assert Sum().value(column) == float(10**6 * (rows[0] + rows[1]) + 3 * rows[2])


def test_sum_of_one_signed_values_is_bounded_on_one_side() -> None:
    """A sum of non-negative values is never below 0, and one of negative values never above."""
    assert Sum().low(Bounds(0, 9, integer=True)) == 0
    assert Sum().high(Bounds(-9, -1, integer=True)) == 0
    assert Sum().high(Bounds(0, 9, integer=True)) == np.inf
    assert Sum(Relation(size=4)).high(Bounds(0, 9, integer=True)) == 36


def test_trimmed_mean_is_total() -> None:
    """Columns of any size have a trimmed mean within the bounds."""
    bounds = Bounds(0, 9, integer=True)
    query = TrimmedMean(cut="0.25", resize=8)
    for n in (0, 1, 2, 3, 6, 7, 8, 20):
        assert 0 <= query.value(Column.from_values(bounds, [5] * n)) <= 9
    assert query.value(Column.from_values(bounds, [0, 0, 3, 3, 5, 5, 9, 9])) == 4


def test_bins_count_every_row_once() -> None:
    """Each row is in exactly one bin, those outside all edges in the nearest."""
    column = Column.from_values(Bounds(0, 9, integer=True), [0, 1, 2, 3, 3, 5, 9])
    scores = Bins((1.0, 3.0, 5.0)).scores(column)
    assert scores.counts.tolist() == [3, 4]
    assert scores.n == 7
    assert scores.labels == ("1 to 3", "3 to 5")
