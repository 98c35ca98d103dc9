"""A durable ledger keeps its rule with what was fixed when it was opened."""

from __future__ import annotations

import pytest

from discreet.budget import RENYI, RULES, ZCDP, Cost, GaussianAccount, ParameterError, SessionLedger
from discreet.budget.durable import Store, open_budget, verify
from discreet.budget.rules import rule_of
from discreet.budget.rules.renyi import ORDERS

LIMIT = Cost.of(1, "1e-6")


def test_the_order_is_fixed_with_the_limit_and_kept_with_the_ledger(store: Store) -> None:
    """Small limits look at high orders; a durable ledger writes the order down and reads it back."""
    orders = [RENYI.opened(Cost.of(epsilon, "1e-6")).order for epsilon in ("0.1", 1, 10)]
    assert orders == sorted(orders, reverse=True) and set(orders) <= set(ORDERS)
    durable = open_budget(store, "b", LIMIT, RENYI)
    assert durable.rule == RENYI.opened(LIMIT) == SessionLedger(LIMIT, RENYI).rule
    assert (
        rule_of(RENYI.opened(LIMIT).written) == durable.rule
        and open_budget(store, "b", LIMIT, RENYI).rule.name == "Rényi"
    )
    durable.charge("a", Cost.of("0.1", "1e-7"), account=GaussianAccount(20.0))
    with pytest.raises(ParameterError, match="This budget is already open with another"):
        open_budget(store, "b", LIMIT, ZCDP)
    assert verify(store, "b").holds and durable.spent.fits_in(LIMIT)
    assert [rule_of(rule.opened(LIMIT).written).name for rule in RULES.values()] == list(RULES)
