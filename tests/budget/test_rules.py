"""Rules: what fits, in exact units, and that a limit means what it says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_ndtr
from scipy.stats import binom

from discreet.budget import (
    BASIC,
    ZCDP,
    Approximate,
    BudgetExceeded,
    Cost,
    GaussianAccount,
    ParameterError,
    Pure,
    SessionLedger,
)
from discreet.budget.rules.zcdp import RHO_UNITS

LIMIT = Cost.of(1, "1e-6")
limits = st.builds(Cost, st.integers(1000, 5 * 10**10), st.integers(2, 4 * 10**14))


def filled(limit: Cost, cost: Cost, account: GaussianAccount | None = None) -> int:
    """Return how many equal charges a ledger with the zCDP rule takes."""
    ledger = SessionLedger(limit, ZCDP)
    for number in range(10**4):
        try:
            ledger.charge(f"{number}", cost, account=account)
        except BudgetExceeded:
            return number
    raise AssertionError("The limit never ends.")


def test_a_full_zcdp_ledger_of_gaussians_keeps_its_limit_exactly() -> None:
    """As many Gaussian answers as fit have, by the exact formula, at most the limit's delta."""
    sigma = 30.0
    count = filled(LIMIT, Cost.of("0.1", "1e-6"), GaussianAccount(sigma))
    total = sigma / math.sqrt(count)
    near, far = 0.5 / total - total, -0.5 / total - total
    assert math.exp(log_ndtr(near)) - math.exp(1 + log_ndtr(far)) <= LIMIT.delta
    assert count > 30


def test_a_full_zcdp_ledger_of_pure_charges_keeps_its_limit_exactly() -> None:
    """As many randomized responses as fit have at most the limit's delta, outcome by outcome."""
    count = filled(Cost.of(1, "1e-6"), Cost.of("0.02"))
    lies = np.arange(count + 1)
    law = binom.pmf(lies, count, 1 / (1 + math.exp(0.02)))
    delta = float((law * -np.expm1(-np.maximum(0, (count - 2 * lies) * 0.02 - 1))).sum())
    assert delta <= LIMIT.delta
    assert count > 1 / 0.02  # more than basic composition would have taken


@given(limits)
def test_what_is_left_is_exactly_what_still_fits(limit: Cost) -> None:
    """Under both rules all of `left` can be charged at once, and one unit more cannot."""
    for rule in (BASIC, ZCDP):
        ledger = SessionLedger(limit, rule)
        ledger.charge("some", Cost(ledger.left.nano_epsilon // 3, ledger.left.delta_units // 3))
        left = ledger.left
        for more in (Cost(left.nano_epsilon + 1), Cost(0, left.delta_units + 1)):
            with pytest.raises(BudgetExceeded):
                ledger.charge("too much", more)
        ledger.charge("all", left)
        assert ledger.spent.fits_in(limit)
        assert ledger.left.delta_units == 0 and ledger.left.nano_epsilon < left.nano_epsilon


def test_a_full_zcdp_ledger_shows_no_more_than_its_limit() -> None:
    """Where two searches over α differ in the ninth digit, the shown cost is still the limit."""
    limit = Cost.of(2, "1e-6")
    ledger = SessionLedger(limit, ZCDP)
    ledger.charge("all", ledger.left)
    assert ledger.spent == limit


@given(limits, st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), max_size=8))
def test_spent_only_grows_and_stays_within_the_limit(limit: Cost, asked: list[tuple[int, int]]) -> None:
    """Under the zCDP rule the shown cost never shrinks, never exceeds, and starts at nothing."""
    ledger = SessionLedger(limit, ZCDP)
    assert ledger.spent == Cost.zero()
    for number, parts in enumerate(asked):
        before = ledger.spent
        try:
            ledger.charge(f"{number}", Cost(*parts))
        except BudgetExceeded:
            assert ledger.spent == before
        assert before.fits_in(ledger.spent) and ledger.spent.fits_in(limit)


def test_a_charge_counts_its_own_rho_and_brings_its_own_delta() -> None:
    """Gaussian: 1/(2σ²) and no delta; pure: ε²/2; approximate: ε²/2 and delta. All rounded up."""
    room = ZCDP.capacity(Cost.of(50, "1e-3"))
    counted = [
        ZCDP.amount(Cost.of(1, "1e-5"), GaussianAccount(4.0), room),
        ZCDP.amount(Cost.of("0.5"), None, room),
        ZCDP.amount(Cost.of("0.5", "1e-9"), None, room),
        ZCDP.amount(Cost.of("0.000001001"), Pure(0.000001001), room),
        ZCDP.amount(Cost.of("0.5", "1e-6"), Approximate(Cost.of("0.4", "1e-9")), room),
    ]
    assert None not in counted
    losses = [amount.loss for amount in counted if amount]
    assert losses[0] == pytest.approx(RHO_UNITS / 32, rel=1e-8) and losses[0] > RHO_UNITS / 32
    assert losses[1:3] == [RHO_UNITS // 8, RHO_UNITS // 8]
    assert 501 < losses[3] <= 502
    assert [amount.delta_units for amount in counted if amount] == [0, 0, 10**6, 0, 10**6]


def test_an_account_that_does_not_fit_falls_back_on_the_cost() -> None:
    """A mechanism that states a worse account than its cost is counted by its cost."""
    ledger = SessionLedger(LIMIT, ZCDP)
    ledger.charge("a", Cost.of("0.1"), account=GaussianAccount(0.5))
    assert ledger.entries[0].amount.loss == 5 * RHO_UNITS // 1000


def test_a_freed_part_gives_back_no_more_than_it_counted() -> None:
    """The cost alone stays spent, or the whole where the account was smaller than the cost."""
    ledger = SessionLedger(LIMIT, ZCDP)
    ledger.charge("ptr", Cost.of("0.1"), Cost.of("0.1"))
    ledger.settle("ptr", False)
    assert ledger.entries[-1].total.loss == 5 * RHO_UNITS // 1000
    ledger.charge("small", Cost.of("0.1"), Cost.of("0.1"), GaussianAccount(100.0))
    before = ledger.entries[-1].total
    ledger.settle("small", False)
    assert ledger.entries[-1].total == before


@pytest.mark.parametrize("limit", [Cost.of(1), Cost(10**9, 1), Cost(0, 10**9), Cost.zero()])
def test_the_zcdp_rule_needs_a_delta_to_convert_at(limit: Cost) -> None:
    """Without epsilon, or without a delta that can be halved, it says what to do."""
    with pytest.raises(ParameterError, match="zCDP rule needs a limit"):
        SessionLedger(limit, ZCDP)


def test_the_basic_rule_ignores_accounts() -> None:
    """Under basic composition a Gaussian costs its (ε, δ), whatever else is known."""
    ledger = SessionLedger(LIMIT)
    ledger.charge("a", Cost.of("0.5", "1e-7"), account=GaussianAccount(100.0))
    assert ledger.left == Cost.of("0.5", "9e-7")
    assert [rule.name for rule in (BASIC, ZCDP)] == ["Basic", "zCDP"]
