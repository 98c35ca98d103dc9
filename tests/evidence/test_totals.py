"""Totals: whatever adds up charges says no less than they lose together, and hardly more."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from support.evidence.composing import Together, delta_of_curve, divergence
from support.soak import SOAKS, times

from discreet.budget import (
    BoundedRange,
    BudgetExceeded,
    Charge,
    Cost,
    GaussianAccount,
    LaplaceAccount,
    Pure,
    SessionLedger,
    all_views,
)
from discreet.budget.accounts import Approximate
from discreet.budget.composition import loss_to_epsilon, proven
from discreet.budget.rules import RULES, Amount
from discreet.budget.rules.renyi import UNITS
from discreet.budget.rules.zcdp import RHO_UNITS

LIMITS = (Cost.of(1, "1e-6"), Cost.of("0.2", "1e-3"), Cost.of(4, "1e-9"), Cost.of(12, "1e-5"))
ORDERS = 1 + np.geomspace(1e-2, 1e6, 400_000)
MADE: dict[str, Any] = {
    "pure": Pure,
    "laplace": LaplaceAccount,
    "normal": lambda size: GaussianAccount(2 / size),
    "range": BoundedRange,
    "approximate": lambda size: Approximate(Cost.of(size, "1e-9")),
}
MIXES = (*((name,) for name in MADE), ("pure", "normal"), ("laplace", "range", "approximate"), tuple(MADE))


def drawn(names: tuple[str, ...], number: int, rng: np.random.Generator, spread: float) -> list[Any]:
    """Return so many accounts of some kinds, of sizes that are all different."""
    sizes = 0.4 * spread ** rng.random(number) / math.sqrt(number)
    different = [MADE[names[at % len(names)]](round(float(size), 9)) for at, size in enumerate(sizes)]
    return different + different[: number // 8]  # and some twice


def cost_of(account: Any) -> Cost:
    """Return what a charge with this account costs: of normal noise, more than it loses."""
    if isinstance(account, Approximate):
        return account.cost
    return Cost.of(6 / account.sigma, "1e-9") if isinstance(account, GaussianAccount) else Cost.of(account.epsilon)


CASES = [
    *((names, number, 1.01) for names in MIXES for number in (2, 9, 50)),
    *(((name,), number, 1.02) for name in MADE for number in (70, 130)),
    *((tuple(MADE), number, 1.02) for number in ((400,) if SOAKS else ())),
]


def narrowed(account: Any) -> Any:
    """Return what certainly happens: of a range of losses, that they lie as far above 0 as below."""
    return Pure(account.epsilon / 2) if isinstance(account, BoundedRange) else account


@pytest.mark.parametrize(("names", "number", "more"), CASES, ids=str)
def test_no_total_is_below_what_is_lost_nor_far_above(names: tuple[str, ...], number: int, more: float) -> None:
    """Few parts and more different ones than are composed one by one, of each kind and of all together."""
    rng = np.random.default_rng(number)
    for delta in (1e-6, 1e-3)[: times(1 + (number < 50), 2)]:
        accounts = drawn(names, number, rng, 3.0)
        truth = Together(accounts)
        least = truth.epsilon(delta)
        most = (least + number * truth.step) * more + 1e-6
        assert least * (1 - 1e-6) <= loss_to_epsilon(accounts, delta) <= most
        charges = [Charge(cost_of(account), account) for account in accounts]
        least = Together(map(narrowed, accounts)).epsilon(delta) * (1 - 1e-6)
        for view in all_views(charges, delta):
            assert view.epsilon >= least, view
        total = proven(charges, delta)
        assert least <= total.cost.epsilon <= max(most * 1.012, 0.0)


def test_no_delta_of_its_own_is_lost() -> None:
    """Of few parts and of many whose deltas are all different: at less than their sum nothing is proven."""
    for number in (3, 50, 130, 400):
        parts = [
            Approximate(Cost(10_000_000 + 7 * (number - at), round(10**4 * 10 ** (3 * at / number))))
            for at in range(number)
        ]
        every = sum(part.delta_units for part in parts) / 10**15
        assert loss_to_epsilon(parts, 0.98 * every) == math.inf


def test_a_total_that_is_a_hundredth_too_low_is_seen() -> None:
    """The measure has that power: both bounds lie close together."""
    accounts = drawn(("pure",), 130, np.random.default_rng(1), 3.0)
    truth = Together(accounts)
    least = truth.epsilon(1e-6)
    assert number_apart(truth) < 0.01 * least
    assert loss_to_epsilon([Pure(account.epsilon * 0.98) for account in accounts], 1e-6) < least


def number_apart(truth: Together) -> float:
    """Return how far below the truth a total may be."""
    return truth.number * truth.step


PROVES: dict[str, Any] = {  # of a rule that is no sum: the Rényi curve that an amount stands for, and its orders
    "zCDP": lambda rule, loss: ((lambda order: order * loss / RHO_UNITS), ORDERS),
    "Rényi": lambda rule, loss: ((lambda order: loss / UNITS), np.array([rule.order])),
}


def conversion(rule: Any, loss: int, epsilon: float) -> float:
    """Return the delta that an amount proves at an epsilon, computed anew."""
    curve, orders = PROVES[rule.name](rule, loss)
    return delta_of_curve(curve, epsilon, orders)


@pytest.mark.parametrize("limit", LIMITS, ids=str)
@pytest.mark.parametrize("name", sorted(RULES))
def test_a_full_budget_is_its_limit_and_no_more(name: str, limit: Cost) -> None:
    """What a filter holds when it is full of losses and of deltas, turned into delta anew: all of it, no more."""
    rule = RULES[name].opened(limit)
    full = rule.capacity(limit)
    if name not in PROVES:
        assert (full.loss, full.delta_units) == (limit.nano_epsilon, limit.delta_units)
        return
    delta = conversion(rule, full.loss, limit.epsilon) + full.delta_units / 10**15
    assert 0.999 * limit.delta <= delta <= limit.delta * (1 + 1e-6)
    for share in (0.9, 0.5, 0.1, 0.01):
        total = Amount(int(full.loss * share), full.delta_units // 3)
        spent = rule.spent(total, limit)
        proves = conversion(rule, total.loss, spent.epsilon) + total.delta_units / 10**15
        assert proves <= spent.delta * (1 + 1e-6) and spent.fits_in(limit)
        less = conversion(rule, total.loss, spent.epsilon * 0.999 - 2e-9) + total.delta_units / 10**15
        assert less > spent.delta


@pytest.mark.parametrize("names", MIXES, ids="+".join)
@pytest.mark.parametrize("name", sorted(RULES))
def test_a_ledger_that_is_filled_to_the_brim_has_lost_no_more_than_its_limit(name: str, names: tuple[str, ...]) -> None:
    """Charges of some kinds until none fits, large ones first; then exactly what all of them lose."""
    limit = Cost.of(2, "1e-4")
    rng, ledger, taken = np.random.default_rng(5), SessionLedger(limit, RULES[name]), list[Any]()
    for size in (0.5, 0.2, 0.1, 0.05):
        for kind in names:
            for at in range(times(60, 400)):
                account = MADE[kind](round(size * float(rng.uniform(0.9, 1.1)), 6))
                try:
                    ledger.charge(f"{size} {kind} {at}", cost_of(account), account=account)
                except BudgetExceeded:
                    break
                taken.append(account)
    if ledger.left.delta_units and limit.delta_units:  # the rest of delta goes as well
        rest = Cost(1000, ledger.left.delta_units)
        ledger.charge("rest", rest)
        taken.append(Approximate(rest))
    assert len(taken) >= 3 and ledger.spent.fits_in(limit)
    assert Together(taken).delta(limit.epsilon) <= limit.delta * (1 + 1e-6)


@pytest.mark.parametrize("kind", sorted(MADE))
@pytest.mark.parametrize("size", [0.01, 0.3, 1.0, 5.0])
def test_a_curve_is_no_less_than_the_divergence_and_hardly_more(kind: str, size: float) -> None:
    """Of every kind at low orders and high ones, against sums over a fine grid; a range is looked at where it lies."""
    account = MADE[kind](size)
    for order in (1.01, 1.5, 2.0, 8.0, 40.0):
        exact = _of_range(size, order) if kind == "range" else divergence(account, order)
        curve = float(account.rdp(order))
        assert exact * (1 - 1e-9) - 1e-12 <= curve <= account.rho * order * (1 + 1e-9)
        if kind != "range":
            assert curve <= exact * 1.002 + 2e-5 * size


def _of_range(epsilon: float, order: float) -> float:
    """Return the largest Rényi divergence of two outcomes whose losses lie this far apart."""
    best = 0.0
    for share in np.linspace(0.02, 0.98, 49):
        high = share * epsilon
        q = -math.expm1(high - epsilon) / (math.exp(high) - math.exp(high - epsilon))
        p = q * math.exp(high)
        best = max(
            best, math.log(p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)) / (order - 1)
        )
    return best
