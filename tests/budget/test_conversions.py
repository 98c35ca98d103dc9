"""Conversions: no claim may fall below the exact loss of a mechanism that is known exactly."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import log_ndtr
from scipy.stats import binom

from discreet.budget import BoundedRange, Cost, LaplaceAccount, Pure
from discreet.budget.accounts import (
    ORDERS,
    advanced_epsilon,
    epsilon_to_zcdp,
    equal_epsilon,
    rdp_to_epsilon,
    zcdp_to_epsilon,
)

Claim = Callable[[float, int, float], float]
DELTAS = (1e-3, 1e-6, 1e-9)
ROUNDING = 1 + 1e-6


def gaussian_delta(epsilon: float, sigma: float) -> float:
    """The exact delta of Gaussian noise (Balle and Wang 2018)."""
    near, far = 0.5 / sigma - epsilon * sigma, -0.5 / sigma - epsilon * sigma
    return math.exp(log_ndtr(near)) - math.exp(epsilon + log_ndtr(far))


def response_delta(epsilon: float, eps: float, count: int) -> float:
    """The exact delta of `count` answers by randomized response, from the number of lies."""
    lies = np.arange(count + 1)
    law = binom.pmf(lies, count, 1 / (1 + math.exp(eps)))
    above = np.maximum(0, (count - 2 * lies) * eps - epsilon)
    return float((law * -np.expm1(-above)).sum())


def listed_delta(epsilon: float, ones: list[float]) -> float:
    """The exact delta of randomized responses of different epsilon, outcome by outcome."""
    truths = [1 / (1 + math.exp(-eps)) for eps in ones]
    total = 0.0
    for lies in itertools.product((False, True), repeat=len(ones)):
        here = math.prod(1 - t if lie else t for t, lie in zip(truths, lies, strict=True))
        there = math.prod(t if lie else 1 - t for t, lie in zip(truths, lies, strict=True))
        total += max(0.0, here - math.exp(epsilon) * there)
    return total


def laplace_deltas(epsilon: float, eps: float, count: int, cells: int) -> tuple[float, float]:
    """A lower and an upper bound of the delta of `count` Laplace answers, by convolution.

    The loss of one answer is ±eps with the noise's mass beyond the two centres and falls in between
    with density e^((loss - eps)/2)/4; each cell of losses is moved down or up to its end.
    """
    edges = np.linspace(-eps, eps, cells + 1)
    inside = np.diff(np.exp((edges - eps) / 2)) / 2
    bounds = []
    for part in (slice(0, cells), slice(1, cells + 1)):
        single = np.zeros(cells + 1)
        single[part] += inside
        single[0] += math.exp(-eps) / 2
        single[-1] += 0.5
        law = single
        for _ in range(count - 1):
            law = np.convolve(law, single)
        losses = np.linspace(-count * eps, count * eps, law.size)
        bounds.append(float((law * np.maximum(0, -np.expm1(epsilon - losses))).sum()))
    return bounds[0], bounds[1]


def renyi(account: Pure, count: int, delta: float) -> float:
    """The Rényi claim for equal releases."""
    return float(rdp_to_epsilon(count * account.rdp(ORDERS), ORDERS, delta).min())


def understates(claim: Claim) -> bool:
    """Say whether a claim is below the exact loss of equal randomized responses somewhere."""
    return any(
        response_delta(claim(eps, count, delta), eps, count) > delta * ROUNDING
        for eps in (0.05, 0.3, 1.0, 2.0)
        for count in (1, 2, 3, 10, 40, 300)
        for delta in DELTAS
    )


def test_the_tests_own_gaussian_reference_gives_the_published_deviations() -> None:
    """Deviations known from the analytic Gaussian mechanism have exactly their delta."""
    for epsilon, delta, sigma in [
        (1, 1e-5, 3.7306316348),
        (1, 1e-9, 5.4952661572),
        (8, 1e-5, 0.6002290722),
        (0.1, 1e-5, 30.7495661320),
    ]:
        assert gaussian_delta(epsilon, sigma) == pytest.approx(delta, rel=1e-6)


@pytest.mark.parametrize("sigma", [0.5, 1.0, 3.73, 30.0, 1000.0])
@pytest.mark.parametrize("count", [1, 10, 500])
def test_zcdp_never_claims_less_than_the_exact_gaussian(sigma: float, count: int) -> None:
    """k Gaussian answers are one of deviation σ/√k; its exact delta is at most the claimed one."""
    for delta in DELTAS:
        claimed = zcdp_to_epsilon(count * 0.5 / sigma**2, delta)
        assert gaussian_delta(claimed, sigma / math.sqrt(count)) <= delta * ROUNDING


def test_the_tight_conversion_is_within_a_few_percent_and_a_tighter_one_is_caught() -> None:
    """For one Gaussian the exact epsilon is above 80% of the claim, so 80% of it is a lie."""
    for delta in DELTAS:
        claimed = zcdp_to_epsilon(0.5, delta)
        assert gaussian_delta(0.8 * claimed, 1.0) > delta
        assert claimed < 0.5 + 2 * math.sqrt(0.5 * math.log(1 / delta))


def precise(rdp: float, alpha: float, delta: float) -> Decimal:
    """The conversion with fifty digits."""
    with localcontext(prec=50):
        order = Decimal(alpha)
        return Decimal(rdp) + (1 - 1 / order).ln() - (order * Decimal(delta)).ln() / (order - 1)


def understated(claim: Callable[[float, float, float], float]) -> int:
    """Count where a claim is below the conversion with fifty digits: at divergences whose terms cancel almost."""
    draw = np.random.default_rng(20)
    count = 0
    for alpha, delta in zip(1 + 10 ** draw.uniform(-2, 8, 500), 10 ** draw.uniform(-15, -0.31, 500), strict=True):
        slack = precise(0.0, float(alpha), float(delta))
        rdp = float(max(Decimal(0), -slack) + Decimal(10 ** draw.uniform(-12, -3)))
        count += Decimal(claim(rdp, float(alpha), float(delta))) < precise(rdp, float(alpha), float(delta))
    return count


def test_no_conversion_is_below_itself_with_fifty_digits() -> None:
    """Where terms cancel their rounding is more than a billionth of what is left; the plain formula is caught."""

    def plain(rdp: float, alpha: float, delta: float) -> float:
        exact = rdp + math.log1p(-1 / alpha) - math.log(alpha * delta) / (alpha - 1)
        return max(0.0, exact) * (1 + 1e-9)

    assert understated(lambda rdp, alpha, delta: float(rdp_to_epsilon(rdp, alpha, delta))) == 0
    assert understated(plain) > 0


@given(st.floats(1e-9, 20), st.floats(1e-15, 0.4))
def test_the_grid_of_orders_finds_the_best_order(rho: float, delta: float) -> None:
    """A continuous search over α does not beat the grids by more than a hundred-millionth."""

    def at(log_order: float) -> float:
        order = 1 + math.exp(log_order)
        slack = math.log1p(-1 / order) - math.log(order * delta) / (order - 1)
        return max(0.0, rho * order + slack)

    optimum = minimize_scalar(at, bounds=(-4.6, 18.4), method="bounded", options={"xatol": 1e-6})
    assert zcdp_to_epsilon(rho, delta) <= float(optimum.fun) * (1 + 1e-8) + 1e-11


@given(st.floats(1e-6, 50), st.floats(1e-15, 0.49))
@example(0.001953125, 0.352335618969998)  # terms that cancel but for a two-hundredth
@example(1e-6, 0.49)
def test_the_rho_of_a_limit_stays_within_the_limit(epsilon: float, delta: float) -> None:
    """Converting there and back never gives more epsilon than the limit had, and rho is above 0."""
    rho = epsilon_to_zcdp(epsilon, delta)
    assert rho > 0
    assert zcdp_to_epsilon(rho, delta) <= epsilon * (1 + 1e-9)
    if epsilon > 0.01 and delta < 0.1:
        assert zcdp_to_epsilon(rho * 1.01, delta) > epsilon


@pytest.mark.parametrize("count", [1, 2, 3, 7, 30, 200])
@pytest.mark.parametrize("eps", [0.01, 0.1, 0.5, 1.0, 3.0])
def test_the_optimum_for_equal_releases_is_exactly_that_of_randomized_response(eps: float, count: int) -> None:
    """At the claimed epsilon the exact delta is the chosen one, not above and not below it."""
    for delta in DELTAS:
        claimed = equal_epsilon(eps, count, delta)
        assert claimed <= eps * count * ROUNDING
        if claimed > 0:
            exact = response_delta(claimed / (1 + 1e-9), eps, count)
            assert exact == pytest.approx(delta, rel=1e-4)


def test_no_claim_understates_equal_randomized_responses() -> None:
    """Optimum, advanced bound, zCDP and Rényi all hold for the worst pure mechanism."""
    claims: list[Claim] = [
        equal_epsilon,
        lambda eps, count, delta: advanced_epsilon(np.full(count, eps), delta),
        lambda eps, count, delta: zcdp_to_epsilon(count * Pure(eps).rho, delta),
        lambda eps, count, delta: renyi(Pure(eps), count, delta),
    ]
    assert [understates(claim) for claim in claims] == [False] * 4


def without_linear_term(eps: float, count: int, delta: float) -> float:
    """Advanced composition as it is often misremembered: the square root alone."""
    return min(eps * count, math.sqrt(2 * count * eps**2 * math.log(1 / delta)))


def bounded_range_for_all(eps: float, count: int, delta: float) -> float:
    """The constant of the exponential mechanism, used where only purity is known."""
    return zcdp_to_epsilon(count * BoundedRange(eps).rho, delta)


def laplace_for_all(eps: float, count: int, delta: float) -> float:
    """The curve of Laplace noise, used where only purity is known."""
    return renyi(LaplaceAccount(eps), count, delta)


def single_conversion_term(eps: float, count: int, delta: float) -> float:
    """The zCDP conversion with the square root halved."""
    rho = count * eps**2 / 2
    return min(eps * count, rho + math.sqrt(rho * math.log(1 / delta)))


@pytest.mark.parametrize("twin", [without_linear_term, bounded_range_for_all, laplace_for_all, single_conversion_term])
def test_broken_claims_are_caught(twin: Claim) -> None:
    """A lost term or a constant of another mechanism shows in the exact loss."""
    assert understates(twin)


@given(st.lists(st.floats(0.01, 4), min_size=1, max_size=9), st.sampled_from(DELTAS))
def test_the_advanced_bound_holds_for_releases_of_different_epsilon(ones: list[float], delta: float) -> None:
    """Outcome by outcome, the exact delta of different randomized responses is at most claimed."""
    claimed = advanced_epsilon(np.array(ones), delta)
    assert claimed <= sum(ones) * ROUNDING
    assert listed_delta(claimed, ones) <= delta * ROUNDING


def test_the_advanced_bound_is_the_published_formula() -> None:
    """Both logarithms, worked by hand: many large releases and a few small ones."""
    linear = 60 * 0.1 * math.tanh(0.05) + 40 * 0.2 * math.tanh(0.1)
    mixed = np.repeat([0.1, 0.2], [60, 40])
    expected = linear + math.sqrt(2 * 2.2 * math.log(1e6))
    assert advanced_epsilon(mixed, 1e-6) == pytest.approx(expected, rel=1e-8)
    small = np.full(100, 0.001)
    expected = 0.1 * math.tanh(0.0005) + math.sqrt(2e-4 * math.log(math.e + 0.01 / 1e-3))
    assert advanced_epsilon(small, 1e-3) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("count", [1, 2, 3, 6])
@pytest.mark.parametrize("eps", [0.1, 1.0, 2.0])
def test_no_claim_understates_laplace_answers(eps: float, count: int) -> None:
    """The convolution of Laplace losses, rounded up, stays within every claim made for them."""
    cells = 1000
    claims = {
        delta: (
            renyi(LaplaceAccount(eps), count, delta),
            zcdp_to_epsilon(count * LaplaceAccount(eps).rho, delta),
            equal_epsilon(eps, count, delta),
        )
        for delta in (1e-2, 1e-3)
    }
    for delta, claimed in claims.items():
        for epsilon in claimed:
            low, _ = laplace_deltas(epsilon, eps, count, cells)
            assert low <= delta
        _, high = laplace_deltas(max(claimed[:2]), eps, count, cells)
        assert high <= delta
    assert laplace_deltas(0.5, 1.0, 1, 4000)[1] == pytest.approx(1 - math.exp(-0.25), rel=1e-3)


def test_a_laplace_claim_that_is_too_small_is_caught() -> None:
    """Half of the Rényi claim is refuted by the lower bound of the same convolution."""
    claimed = renyi(LaplaceAccount(1.0), 3, 1e-3) / 2
    assert laplace_deltas(claimed, 1.0, 3, 1000)[0] > 1e-3


def test_no_loss_converts_to_no_epsilon() -> None:
    """Nothing spent is worth nothing under every conversion."""
    assert zcdp_to_epsilon(0.0, 1e-6) == 0.0
    assert equal_epsilon(1e-6, 1, 0.1) == 0.0
    assert advanced_epsilon(np.zeros(0), 1e-6) == 0.0
    assert (Pure(Cost.zero().epsilon).rdp(ORDERS) == 0).all()
