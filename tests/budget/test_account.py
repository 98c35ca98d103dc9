"""Accounts: every curve against a divergence computed here in another way."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from discreet.budget import (
    Approximate,
    BoundedRange,
    Cost,
    GaussianAccount,
    LaplaceAccount,
    ParameterError,
    Pure,
    Together,
)
from discreet.budget.accounts import Account, generic

ORDERS = [1.01, 1.5, 2.0, 3.7, 10.0, 64.0]
epsilons = st.floats(1e-6, 50)
orders = st.floats(1.001, 1e6)


def two_outcomes(p: float, q: float, alpha: float) -> float:
    """Rényi divergence of two laws on two outcomes, with fifty digits."""
    with localcontext() as context:
        context.prec = 50
        a, b, order = Decimal(p), Decimal(q), Decimal(alpha)
        total = a**order * b ** (1 - order) + (1 - a) ** order * (1 - b) ** (1 - order)
        return float(total.ln() / (order - 1))


def integrated(density: Callable[[float], float], alpha: float, corners: list[float]) -> float:
    """Rényi divergence of a density and the same moved by one, by quadrature."""
    ratio = [
        quad(lambda x: density(x) ** alpha * density(x - 1) ** (1 - alpha), low, high, limit=200)[0]
        for low, high in zip(corners, corners[1:], strict=False)
    ]
    return math.log(math.fsum(ratio)) / (alpha - 1)


@pytest.mark.parametrize("alpha", ORDERS)
@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.1, 1.0, 4.0])
def test_the_curve_of_pure_is_that_of_randomized_response(epsilon: float, alpha: float) -> None:
    """Fifty-digit arithmetic on the two outcomes agrees, for tiny epsilon as well."""
    with localcontext() as context:
        context.prec = 50
        odds = Decimal(epsilon).exp()
        total = odds ** Decimal(alpha) + odds ** (1 - Decimal(alpha))
        expected = float((total / (1 + odds)).ln() / (Decimal(alpha) - 1))
    assert Pure(epsilon).rdp(alpha) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("alpha", ORDERS[:5])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_curve_of_laplace_is_its_divergence(epsilon: float, alpha: float) -> None:
    """Quadrature over the two Laplace densities agrees."""

    def density(x: float) -> float:
        return epsilon / 2 * math.exp(-epsilon * abs(x))

    far = 40 / epsilon
    expected = integrated(density, alpha, [-far, 0.0, 1.0, far])
    assert LaplaceAccount(epsilon).rdp(alpha) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("alpha", ORDERS[:4])
@pytest.mark.parametrize("sigma", [0.7, 1.0, 5.0])
def test_the_curve_of_gaussian_is_its_divergence(sigma: float, alpha: float) -> None:
    """Quadrature over the two normal densities agrees, and rho is the slope."""

    def density(x: float) -> float:
        return math.exp(-(x**2) / (2 * sigma**2)) / (sigma * math.sqrt(2 * math.pi))

    far = 12 * sigma + alpha
    expected = integrated(density, alpha, [-12 * sigma - alpha, 1 - alpha, alpha, far + 1])
    assert GaussianAccount(sigma).rdp(alpha) == pytest.approx(expected, rel=1e-6)
    assert GaussianAccount(sigma).rho == pytest.approx(expected / alpha, rel=1e-6)


def bounded_range_exceeds(share: float) -> bool:
    """Say whether a pair with losses t and t - ε exceeds a share of the curve, or of rho·α."""
    for epsilon in (0.1, 1.0, 3.0):
        for high in np.linspace(0.01, 0.99, 99) * epsilon:
            low = high - epsilon
            q = (1 - math.exp(low)) / (math.exp(high) - math.exp(low))
            for alpha in (1.01, 2.0, 8.0):
                curve, rho = BoundedRange(epsilon).rdp(alpha), BoundedRange(epsilon).rho
                claimed = share * min(float(curve), rho * alpha)
                if two_outcomes(q * math.exp(high), q, alpha) > claimed + 1e-12:
                    return True
    return False


def test_an_eighth_holds_for_every_bounded_range_pair_and_nothing_much_smaller_does() -> None:
    """No pair of losses (t, t - ε) exceeds the curve or ε²/8 per order; 0.99 of it is exceeded."""
    assert not bounded_range_exceeds(1.0)
    assert bounded_range_exceeds(0.99)


@given(epsilons, orders)
def test_curves_stay_below_epsilon_below_rho_and_in_their_order(eps: float, alpha: float) -> None:
    """A pure account is at most ε and ρα; Laplace and bounded range are at most pure."""
    pure = float(Pure(eps).rdp(alpha))
    for account in (Pure(eps), LaplaceAccount(eps), BoundedRange(eps)):
        value = float(account.rdp(alpha))
        assert 0 <= value <= min(eps, account.rho * alpha) * (1 + 1e-9)
        assert value <= pure * (1 + 1e-9)
        assert value <= float(account.rdp(alpha * 1.1)) * (1 + 1e-9)


@given(st.floats(0, 1e6), st.floats(1.0001, 1e9))
def test_no_curve_overflows(eps: float, alpha: float) -> None:
    """Every curve is a finite number from 0 up, at the ends of its range too."""
    for account in (Pure(eps), LaplaceAccount(eps), BoundedRange(eps), GaussianAccount(max(eps, 0.01))):
        assert 0 <= float(account.rdp(alpha)) < math.inf


def test_parts_add_up_whatever_the_grouping() -> None:
    """Curve, rho and own delta of accounts together are the sums of the single ones."""
    parts: tuple[Account, ...] = (
        *(LaplaceAccount(0.3), LaplaceAccount(0.3), GaussianAccount(2.0), Pure(0.1), BoundedRange(0.5)),
        Approximate(Cost.of("0.2", "1e-9")),
    )
    nested = Together((Together(parts[:3]), *parts[3:]))
    grid = np.array([[1.5, 2.0], [7.0, 40.0]])
    np.testing.assert_allclose(nested.rdp(grid), sum(part.rdp(grid) for part in parts), rtol=1e-12)
    assert nested.rho == pytest.approx(sum(part.rho for part in parts))
    assert nested.delta_units == 10**6


def test_a_bare_cost_is_worth_no_more_than_it_says() -> None:
    """Without delta it is pure; with delta the curve is the same and delta stands apart."""
    assert generic(Cost.of("0.5")) == Pure(0.5)
    account = generic(Cost.of("0.5", "1e-9"))
    assert account == Approximate(Cost.of("0.5", "1e-9"))
    assert account.delta_units == 10**6 and account.rho == Pure(0.5).rho == 0.125
    assert (account.rdp(ORDERS) == Pure(0.5).rdp(ORDERS)).all()


@pytest.mark.parametrize("size", [-1.0, math.nan, math.inf, 1e7])
def test_a_size_out_of_range_is_refused(size: float) -> None:
    """No account is made of NaN, infinity or a negative number."""
    for kind in (Pure, LaplaceAccount, GaussianAccount, BoundedRange):
        with pytest.raises(ParameterError, match="from 0 to 1000000"):
            kind(size)
    with pytest.raises(ParameterError, match="σ must be between 0"):
        GaussianAccount(0.0)


@pytest.mark.parametrize("alpha", [1.0, 0.5, -2.0, math.nan, math.inf, [2.0, 1.0]])
def test_an_order_of_one_or_less_is_refused(alpha: float) -> None:
    """The curve exists for finite orders above one."""
    with pytest.raises(ParameterError, match="above 1"):
        Pure(1.0).rdp(alpha)
