"""The Rényi rule: one order, exact limits, adversaries who look at every answer, and twins that are caught."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_ndtr
from scipy.stats import binom

from discreet.budget import (
    RENYI,
    ZCDP,
    Account,
    BoundedRange,
    BudgetExceeded,
    Cost,
    GaussianAccount,
    LaplaceAccount,
    ParameterError,
    Pure,
    Rule,
    SessionLedger,
)
from discreet.budget.rules import Amount
from discreet.budget.rules.renyi import Renyi

LIMIT = Cost.of(1, "1e-6")
limits = st.builds(Cost, st.integers(1000, 5 * 10**10), st.integers(2, 4 * 10**14))


@dataclass(frozen=True)
class Halved(Renyi):
    """The broken twin: it counts half of what a charge loses. It is no rule that can be chosen."""

    def amount(self, cost: Cost, account: Account | None, room: Amount) -> Amount | None:
        """Count half."""
        whole = super().amount(cost, account, Amount(2 * room.loss, room.delta_units))
        return None if whole is None else Amount(-(-whole.loss // 2), whole.delta_units)


def filled(rule: Rule, limit: Cost, cost: Cost, account: Account | None = None) -> int:
    """Return how many equal charges a ledger takes."""
    ledger = SessionLedger(limit, rule)
    for number in count():
        try:
            ledger.charge(f"{number}", cost, account=account)
        except BudgetExceeded:
            assert ledger.spent.fits_in(limit)
            return number
    raise AssertionError("The limit never ends.")


def normal_delta(sigma: float, times: int, epsilon: float) -> float:
    """Return the exact delta of so many normal answers."""
    total = sigma / math.sqrt(times)
    near, far = 0.5 / total - epsilon * total, -0.5 / total - epsilon * total
    return math.exp(log_ndtr(near)) - math.exp(epsilon + log_ndtr(far))


def response_delta(each: float, times: int, epsilon: float) -> float:
    """Return the exact delta of so many randomized responses."""
    lies = np.arange(times + 1)
    law = binom.pmf(lies, times, 1 / (1 + math.exp(each)))
    return float((law * -np.expm1(-np.maximum(0, (times - 2 * lies) * each - epsilon))).sum())


def test_a_full_ledger_keeps_its_limit_exactly_and_the_twin_does_not() -> None:
    """Normal answers and randomized responses, by their exact formulas."""
    for rule, sound in ((RENYI, True), (Halved(), False)):
        normal = filled(rule, LIMIT, Cost.of("0.1", "1e-6"), GaussianAccount(30.0))
        responses = filled(rule, LIMIT, Cost.of("0.02"))
        assert (normal_delta(30.0, normal, 1.0) <= LIMIT.delta) is sound
        assert (response_delta(0.02, responses, 1.0) <= LIMIT.delta) is sound
        assert normal > 28 and responses > 1 / 0.02


def test_it_holds_as_much_normal_work_as_rho_and_more_of_everything_else() -> None:
    """Of a list of orders the best loses a hundredth; what is smaller at its order than on the line of rho gains."""
    limit = Cost.of(3, "1e-6")
    kinds: dict[str, tuple[Cost, Account]] = {
        "normal": (Cost.of("0.1", "1e-6"), GaussianAccount(40.0)),
        "laplace": (Cost.of("0.5"), LaplaceAccount(0.5)),
        "pure": (Cost.of("0.5"), Pure(0.5)),
        "choice": (Cost.of(1), BoundedRange(1.0)),
    }
    counts = {name: [filled(rule, limit, *kind) for rule in (ZCDP, RENYI)] for name, kind in kinds.items()}
    assert counts["normal"][1] >= 0.99 * counts["normal"][0]
    assert counts["laplace"][1] > 1.3 * counts["laplace"][0] and counts["choice"][1] >= counts["choice"][0]
    assert counts["pure"][1] >= counts["pure"][0]


def worst_of_all(rule: Rule, limit: Cost, sizes: tuple[int, ...]) -> float:
    """Return the largest delta that any adversary reaches who sees each answer before choosing the next charge.

    Randomized responses lose plus or minus what they cost, so all that matters of the past is the loss so far
    and what the ledger counts: the best choice is found from the end, over all adaptive plans there are.
    """
    opened = rule.opened(limit)
    capacity, unit = opened.capacity(limit), min(sizes)

    @cache
    def best(loss: int, counted: int) -> float:
        stop = max(0.0, -math.expm1(limit.epsilon - loss * unit * 1e-9))
        ways = [stop]
        for size in sizes:
            room = Amount(capacity.loss - counted, capacity.delta_units)
            amount = opened.amount(Cost(size), None, room)
            if amount is not None:
                truth, step = 1 / (1 + math.exp(-size * 1e-9)), size // unit
                after = counted + amount.loss
                ways.append(truth * best(loss + step, after) + (1 - truth) * best(loss - step, after))
        return max(ways)

    return best(0, 0)


def test_no_adversary_gets_beyond_the_limit_by_choosing_what_to_ask_next() -> None:
    """All adaptive plans of small and large charges, exactly; the twin is broken through."""
    limit, sizes = Cost.of(2, "1e-3"), (125_000_000, 500_000_000)
    assert worst_of_all(RENYI, limit, sizes) <= limit.delta
    assert worst_of_all(Halved(), limit, sizes) > limit.delta


@given(limits)
def test_what_is_left_is_exactly_what_still_fits(limit: Cost) -> None:
    """All of `left` can be charged at once, and one unit more cannot."""
    ledger = SessionLedger(limit, RENYI)
    ledger.charge("some", Cost(ledger.left.nano_epsilon // 3, ledger.left.delta_units // 3))
    left = ledger.left
    for more in (Cost(left.nano_epsilon + 1), Cost(0, left.delta_units + 1)):
        with pytest.raises(BudgetExceeded):
            ledger.charge("too much", more)
    ledger.charge("all", left)
    assert ledger.spent.fits_in(limit) and ledger.left.delta_units == 0


@pytest.mark.parametrize("limit", [Cost.of(1), Cost(10**9, 1), Cost(0, 10**9), Cost.zero()])
def test_it_needs_a_delta_to_convert_at(limit: Cost) -> None:
    """Without epsilon, or without a delta that can be halved, it says what to do."""
    with pytest.raises(ParameterError, match="Rényi rule needs a limit"):
        SessionLedger(limit, RENYI)
