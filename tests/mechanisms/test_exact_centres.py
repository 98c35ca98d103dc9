"""The centre of a law is exact until the noise is on it, wherever the bounds lie.

Where bounds are far from 0 a double is coarser than what one person moves, so a centre that is
rounded before the noise moves by many sensitivities at once, or not at all.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from discreet.mechanisms.base.mechanism import Mechanism
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.global_mean import SumOverCount, TextbookMean, TwoCounts
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.laws.law import Laplace, Law, Noisy, Whole
from discreet.mechanisms.laws.ratio import Ratio
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Bounds, Column, Relation
from discreet.queries import registry as statistics
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum

THOUSAND = Relation(size=1000)
CLAIMED = 1 + 1e-9
FAR = Bounds(10**15, 10**15 + 1, integer=True)
TENS = Bounds(10**15, 10**15 + 10, integer=True)
GRID = Bounds(1e12, 1e12 + 1)


def counts(bounds: Bounds, *rows: tuple[int, int]) -> Column:
    """Return a column of `many` rows on each tick."""
    ticks = np.concatenate([np.full(many, tick) for tick, many in rows])
    return Column.from_ticks(bounds, ticks)


def shift(law: Law, other: Law) -> Fraction:
    """Return how many scales two laws of one scale lie apart, exactly: a Laplace pair's loss."""
    assert isinstance(law, Noisy | Whole) and isinstance(other, Noisy | Whole)
    scale = min(Fraction(law.scale), Fraction(other.scale))
    return abs(Fraction(law.centre) - Fraction(other.centre)) / scale


def rounded(law: Law) -> Law:
    """The broken twin: its centre becomes a double before the noise."""
    assert isinstance(law, Noisy)
    return replace(law, centre=float(law.centre))


PAIRS: dict[str, tuple[Mechanism, Column, Column]] = {
    "mean": (GlobalLaplace(Mean(THOUSAND)), counts(FAR, (0, 938), (1, 62)), counts(FAR, (0, 937), (1, 63))),
    "sum": (GlobalLaplace(Sum(THOUSAND)), counts(TENS, (0, 943), (10, 57)), counts(TENS, (0, 942), (10, 58))),
}


@pytest.mark.parametrize("name", PAIRS)
def test_far_bounds_lose_no_more_than_near_ones(name: str) -> None:
    """The exact loss of a pair stays within epsilon; with rounded centres it is many times it."""
    mechanism, column, other = PAIRS[name]
    laws = mechanism.law(column), mechanism.law(other)
    epsilon = Fraction(mechanism.epsilon)  # type: ignore[attr-defined]
    assert shift(*laws) <= epsilon * Fraction(CLAIMED)
    assert shift(*map(rounded, laws)) > 5 * epsilon


def test_a_sum_of_far_integers_is_a_whole_number_of_any_size() -> None:
    """Geometric noise around 10^18 and more: no double is on the way."""
    mechanism = Geometric(Sum(THOUSAND))
    laws = [mechanism.law(column) for column in PAIRS["sum"][1:]]
    assert [law.centre for law in laws] == [10**18 + 570, 10**18 + 580]  # type: ignore[attr-defined]
    assert shift(*laws) <= CLAIMED


def test_a_median_between_fine_ticks_of_far_bounds_moves_as_little_as_its_ladder_says() -> None:
    """10^12 is 2^-13 coarse as a double, the grid 2^-20: ties and neighbours differ by one tick."""
    mechanism = SmoothCoreTail(Median(), 1.0, 3)
    column = counts(GRID, (511, 500), (512, 500))
    other = counts(GRID, (511, 499), (512, 500))
    first, second = mechanism.law(column), mechanism.law(other)
    assert isinstance(first, Noisy) and isinstance(second, Noisy)
    moved = abs(Fraction(first.centre) - Fraction(second.centre))
    assert moved == Fraction(GRID.resolution) / 2
    assert moved <= min(first.scale, second.scale) * mechanism.epsilon * CLAIMED


@pytest.mark.parametrize("mechanism", [TwoCounts(), SumOverCount(), TextbookMean()], ids=str)
def test_the_two_numbers_of_a_mean_are_exact(mechanism: Mechanism) -> None:
    """A row moves both noisy numbers by what it must, however many rows there are."""
    bounds = Bounds(10**15, 10**15 + 3, integer=True)
    column = Column(bounds, np.array([1, 3]), np.array([10**12 + 1, 10**12 + 7]))
    other = Column(bounds, np.array([1, 3]), np.array([10**12, 10**12 + 7]))
    laws = mechanism.law(column), mechanism.law(other)
    assert isinstance(laws[0], Ratio) and isinstance(laws[1], Ratio)
    lost = shift(laws[0].first, laws[1].first) + shift(laws[0].second, laws[1].second)
    assert 0 < lost <= CLAIMED


@pytest.mark.parametrize("name", sorted(statistics))
def test_every_statistic_is_exact_and_its_value_is_the_nearest_double(name: str) -> None:
    """On a grid far from 0 the exact number is what plain fractions give, and value rounds it."""
    kind = statistics[name]
    query = kind(resize=9) if name == "trimmed-mean" else kind()  # type: ignore[call-arg]
    near, far = Bounds(0, 9, integer=True), Bounds(10**15, 10**15 + 9, integer=True)
    rows = [(0, 3), (2, 1), (7, 4), (9, 1)]
    moved = query.exact(counts(far, *rows)) - query.exact(counts(near, *rows))
    assert moved in (0, 10**15, 9 * 10**15)
    assert query.value(counts(far, *rows)) == float(query.exact(counts(far, *rows)))
    assert isinstance(query.exact(Column.from_values(near, [])), Fraction)


def test_a_law_with_an_exact_centre_has_a_consistent_cdf_and_quantile() -> None:
    """What the double of the centre leaves out is not lost between them."""
    centre = Fraction(10**15) + Fraction(3, 50)
    law = Noisy(centre, 0.01, Laplace())
    assert float(law.cdf(1e15)) == pytest.approx(math.exp(-6) / 2, rel=1e-9)
    assert float(Noisy(Fraction(1, 3), 2.0, Laplace()).quantile(0.5)) == pytest.approx(1 / 3)
    p = np.linspace(0.01, 0.99, 99)
    near = Noisy(Fraction(1, 3), 2.0, Laplace())
    assert np.allclose(near.cdf(near.quantile(p)), p, rtol=1e-12)


def test_the_gaussian_mechanism_keeps_an_exact_centre_too() -> None:
    """Sigma is public, the centre a fraction."""
    law = AnalyticGaussian(Mean(THOUSAND)).law(PAIRS["mean"][1])
    assert isinstance(law, Noisy) and law.centre == 10**15 + Fraction(62, 1000)
