"""Broken twins: each is caught by a named layer; the sparse-vector ones in test_sparse.py."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.budget.errors import ParameterError
from discreet.curator import ReleaseNoise
from discreet.evidence.audit import divergence
from discreet.mechanisms import Public
from discreet.mechanisms.base.distance_test import PureTest, Threshold, best_chances, pair_divergence
from discreet.mechanisms.exhibits.global_mean import TextbookGlobalMean
from discreet.mechanisms.exhibits.ptr import TextbookPTR
from discreet.mechanisms.global_mean import TextbookMean
from discreet.mechanisms.laws.law import CoreTail, Laplace, Noisy
from discreet.mechanisms.smooth import smooth_bound
from discreet.queries import Bounds, Column
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum

NINE = Bounds(0, 9, integer=True)
DEEP = np.arange(60)


def column(*rows: int, bounds: Bounds = NINE) -> Column:
    """Return a small column."""
    return Column.from_values(bounds, np.array(rows, dtype=int))


def test_a_laplace_of_half_the_scale_is_caught_by_the_exact_divergence() -> None:
    """Lost factor two: delta is far from 0; the right scale has exactly 0."""
    for factor, holds in ((1.0, True), (0.5, False)):
        laws = [Noisy(v, factor * 9.0, Laplace()) for v in (0.0, 9.0)]
        assert (divergence(*laws, 1.0) < 1e-12) == holds


@pytest.mark.parametrize("m", [1, 3, 16])
def test_a_core_tail_of_half_the_scale_is_caught_on_the_worst_pair(m: int) -> None:
    """Shift min(1, rho) S and dilation rho: the right scale is exactly epsilon-DP."""
    beta = 1.0 / m
    for factor, holds in ((1.0, True), (0.5, False)):
        delta = 0.0
        for ratio in (math.exp(-beta), math.exp(beta)):
            first = Noisy(0.0, factor, CoreTail(m))
            second = Noisy(min(1.0, ratio), factor * ratio, CoreTail(m))
            both = divergence(first, second, 1.0), divergence(second, first, 1.0)
            delta = max(delta, *both)
        assert (delta < 1e-12) == holds


def test_the_textbooks_propose_test_release_is_caught_at_distance_zero() -> None:
    """Both pass too often: its delta is sqrt(delta/2)/2, and at 2 epsilon no smaller one holds."""
    jump = Bounds(0, 10**6, integer=True)
    exhibit = TextbookPTR(query=Mean(), epsilon=1.0, delta=1e-5, b=1e-3)
    laws = [exhibit.law(column(*rows, bounds=jump)) for rows in ((0,), (0, 10**6))]
    guarantee = exhibit.true_guarantee(Public(jump))
    assert guarantee.delta == pytest.approx(math.sqrt(1e-5 / 2) / 2) and guarantee.epsilon == 2.0
    assert divergence(*laws, 1.0) > 100 * 1e-5
    assert divergence(*laws, 2.0) == pytest.approx(guarantee.delta, rel=1e-6)


def test_raw_local_sensitivity_as_a_scale_is_caught() -> None:
    """Two neighbours have very different scales, and ties would release the exact answer."""
    first, second = column(1, 2, 2, 5), column(1, 2, 2, 5, 5)
    scales = [float(Median().ladder(c, np.array([0]))[0]) for c in (first, second)]
    assert scales[0] == 0.0
    with pytest.raises(ParameterError):
        Noisy(2.0, scales[0], Laplace())
    pair = column(2, 2, 5, 9), column(2, 2, 5, 9, 9)
    laws = [Noisy(Median().value(c), float(Median().ladder(c, np.array([0]))[0]), Laplace()) for c in pair]
    assert max(divergence(*laws, 1.0), divergence(*laws[::-1], 1.0)) > 0.01


def test_leaving_k_zero_out_of_the_maximum_is_caught_by_the_certificate() -> None:
    """S would lie below the local sensitivity, which the certificate forbids."""
    data = column(1, 2, 2, 5)
    ladder = Mean().ladder(data, DEEP)
    without = float((np.exp(-2.0 * DEEP[1:]) * ladder[1:]).max())
    assert without < ladder[0] <= smooth_bound(Mean(), data, 2.0)


def test_the_textbooks_local_sensitivity_of_the_mean_is_caught_by_the_certificate() -> None:
    """u/(n+1) is below what removing one row does."""
    first, second = column(0, 0, 9), column(0, 0)
    moved = abs(Mean().value(first) - Mean().value(second))
    assert 9 / (first.n + 1) < moved <= float(Mean().ladder(first, np.array([0]))[0])


def test_integer_bounds_that_truncate_are_caught_by_the_certificate() -> None:
    """A ladder computed in whole numbers falls below what a neighbour does."""
    first, second = column(1, 2, 2, 5), column(1, 2, 2, 5, 9)
    moved = abs(Mean().value(first) - Mean().value(second))
    ladder = Mean().ladder(first, np.arange(3))
    assert ladder.astype(int)[0] < moved <= ladder[0]


def test_a_scale_of_zero_is_refused_by_law_and_by_noise() -> None:
    """S = 0 never reaches a sampler."""
    with pytest.raises(ParameterError):
        Noisy(1.0, 0.0, Laplace())
    with pytest.raises(ParameterError):
        ReleaseNoise().core_tail(1.0, 0.0, 3)


def test_a_refund_after_the_best_test_is_caught_by_the_exact_divergence() -> None:
    """Were only the test charged on a refusal, the refusal alone would have to keep to e1."""
    epsilon, rest, delta = 1.0, 0.5, 1e-6
    table = best_chances(epsilon, rest, delta)
    refusals = [max(0.0, (1 - p) - math.exp(epsilon - rest) * (1 - q)) for p, q in zip(table, table[1:], strict=False)]
    assert max(refusals) > 0.01
    pure = [PureTest(d, Threshold(rest, delta)).chance for d in range(60)]
    assert all((1 - p) <= math.exp(rest) * (1 - q) * (1 + 1e-9) + 1e-15 for p, q in zip(pure, pure[1:], strict=False))
    assert pair_divergence(pure[0], pure[0], epsilon, rest) <= delta


def test_a_sum_scaled_to_the_width_is_caught_by_the_global_sensitivity() -> None:
    """Years 1900 to 2000 move a sum by 2000, not by 100."""
    years = Bounds(1900, 2000, integer=True)
    assert Sum().global_sensitivity(years) == 2000
    laws = [Noisy(v, 100.0, Laplace()) for v in (0.0, 2000.0)]
    assert divergence(*laws, 1.0) > 0.99


def test_the_textbooks_global_mean_is_as_private_as_its_exhibit_says() -> None:
    """For bounds from -9 to 1 it loses five times its claim; the corrected form does not."""
    bounds = Bounds(-9, 1, integer=True)
    exhibit = TextbookGlobalMean(epsilon=1.0)
    guarantee = exhibit.true_guarantee(Public(bounds))
    assert guarantee.epsilon == pytest.approx(5.0)
    pairs = [(column(bounds=bounds), column(-9, bounds=bounds))]
    pairs += [(column(*[1] * 50, bounds=bounds), column(*[1] * 50, -9, bounds=bounds))]
    losses = []
    for pair in pairs:
        broken = [exhibit.law(c) for c in pair]
        right = [TextbookMean(epsilon=1.0).law(c) for c in pair]
        losses.append(max(divergence(*broken, 1.0), divergence(*broken[::-1], 1.0)))
        assert max(divergence(*right, 1.0), divergence(*right[::-1], 1.0)) < 2e-11
        assert max(divergence(*broken, 5.0), divergence(*broken[::-1], 5.0)) < 2e-10
    assert max(losses) > 0.01
