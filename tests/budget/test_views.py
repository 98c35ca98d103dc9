"""Views: one history, several accountings, and honest words beside each."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.budget import (
    BoundedRange,
    Charge,
    Cost,
    GaussianAccount,
    LaplaceAccount,
    ParameterError,
    SessionLedger,
    Together,
    all_views,
    basic_lasts,
    best,
    charges,
)
from discreet.budget.accounts import generic, rdp_to_epsilon, total_rdp
from discreet.budget.composition import advanced, basic, renyi, zcdp

TENTH = Charge(Cost.of("0.1"))
ROUNDING = 1 + 1e-6


def test_every_view_but_the_plain_sum_says_when_it_is_valid() -> None:
    """Only basic composition holds for charges and accounting chosen along the way."""
    validity = {view.name: (view.adaptive, view.note) for view in all_views([TENTH] * 5, "1e-6")}
    assert list(validity) == ["Basic", "Advanced", "zCDP", "Rényi", "Privacy loss distributions (PLD)"]
    assert validity.pop("Basic") == (True, "Valid for adaptively chosen queries.")
    assert set(validity.values()) == {(False, "Valid only if the cost of every query was fixed in advance.")}


def test_the_plain_sum_beats_rho_for_up_to_about_25_equal_releases() -> None:
    """At ε = 0.1: to 18, 23 and 38 releases for delta 1e-5, 1e-6 and 1e-9; later rho wins."""
    assert [basic_lasts(TENTH, delta) for delta in ("1e-5", "1e-6", "1e-9")] == [18, 23, 38]
    for count, winner in ((23, "Basic"), (24, "zCDP")):
        history = [TENTH] * count
        both = (basic(history, "1e-6"), zcdp(history, "1e-6"))
        assert min(both, key=lambda view: view.epsilon).name == winner
    assert 16 <= basic_lasts(Charge(Cost.of("0.01")), "1e-6") <= 25


def test_for_few_releases_no_view_is_worth_more_than_a_percent() -> None:
    """Up to ten releases of ε = 0.1 even the exact optimum stays within 1% of the sum."""
    for count in (1, 2, 5, 10):
        epsilon = best([TENTH] * count, "1e-6").epsilon
        assert 0.99 * 0.1 * count < epsilon <= 0.1 * count * ROUNDING


def test_for_many_releases_the_other_views_win_in_their_known_order() -> None:
    """A thousand of ε = 0.1 at delta 1e-6: optimum < Rényi < zCDP < plain sum, about 20 to 100."""
    history = [TENTH] * 1000
    plain, optimum, rho, curve, losses = (view.epsilon for view in all_views(history, "1e-6"))
    assert optimum == pytest.approx(losses, rel=1e-4)
    assert optimum < curve < rho < plain == 100.0
    assert optimum == pytest.approx(19.345, abs=0.001) and rho == pytest.approx(20.552, abs=0.001)
    assert best(history, "1e-6").name == "Advanced"


def test_different_releases_are_not_taken_for_equal_ones() -> None:
    """The optimum for equal releases is left where one differs, wherever it stands."""
    mixed = [Charge(Cost.of("0.01")), *[Charge(Cost.of(1))] * 3]
    both = [advanced(history, "1e-6").epsilon for history in (mixed, mixed[::-1])]
    assert both == pytest.approx([3.01, 3.01])


def test_accounts_make_the_views_sharper() -> None:
    """Laplace, Gaussian and the exponential mechanism are worth less than their bare costs."""
    for account in (LaplaceAccount(0.1), GaussianAccount(30.75), BoundedRange(0.1)):
        accounted, bare = Charge(Cost.of("0.1"), account), TENTH
        assert renyi([accounted] * 200, "1e-6").epsilon < renyi([bare] * 200, "1e-6").epsilon
    assert zcdp([Charge(Cost.of("0.1"), BoundedRange(0.1))] * 200, "1e-6").epsilon < (
        0.6 * zcdp([TENTH] * 200, "1e-6").epsilon
    )


def test_the_deltas_of_charges_come_off_the_chosen_delta_first() -> None:
    """Where they use it up no epsilon is claimed; Gaussian accounts have none to come off."""
    history = [Charge(Cost.of("0.1", "1e-7"))] * 10
    assert [view.epsilon for view in all_views(history, "1e-6")] == [1.0] + [math.inf] * 4
    assert [view.epsilon for view in all_views(history, "9e-7")] == [math.inf] * 5
    assert all(view.epsilon < 1.1 for view in all_views(history, "1.1e-6") if view.name != "zCDP")
    gaussians = [Charge(Cost.of("0.1", "1e-6"), GaussianAccount(50.0))] * 10
    assert zcdp(gaussians, "1e-6").epsilon < 0.3
    assert advanced(gaussians, "1e-6").epsilon == math.inf


def test_an_empty_history_is_worth_nothing() -> None:
    """No charge, and charges of nothing, have epsilon 0 under every view."""
    for history in ([], [Charge(Cost.zero())] * 3):
        assert [view.epsilon for view in all_views(history, "1e-6")] == [0.0] * 5
        assert best(history, "1e-6").name == "Basic"


@pytest.mark.parametrize("delta", ["-1", "nan", "0.5", "", "1e-300"])
def test_a_delta_out_of_range_is_refused(delta: str) -> None:
    """The same range as everywhere, named."""
    with pytest.raises(ParameterError, match="δ must be 0, or between 1e-15 and 0.4999"):
        all_views([TENTH], delta)


def test_delta_zero_leaves_the_plain_sum_alone() -> None:
    """Without delta only basic composition has something to say."""
    assert [view.epsilon for view in all_views([TENTH] * 3, 0)] == [0.3] + [math.inf] * 4


accounts = st.one_of(
    st.none(),
    st.builds(LaplaceAccount, st.floats(0.001, 3)),
    st.builds(BoundedRange, st.floats(0.001, 3)),
    st.builds(GaussianAccount, st.floats(0.5, 100)),
    st.builds(lambda eps: Together((LaplaceAccount(eps), GaussianAccount(2 / eps))), st.floats(0.01, 2)),
)
histories = st.lists(
    st.builds(Charge, st.builds(Cost, st.integers(0, 3 * 10**9), st.integers(0, 10**6)), accounts), max_size=12
)


def test_the_curve_is_searched_around_each_of_its_dips() -> None:
    """A bounded range has the less of two curves, so a sum of several dips twice: here at α = 2.25 and 39.6."""
    history = [
        Charge(Cost.zero(), LaplaceAccount(1.0)),
        *(Charge(Cost.zero(), BoundedRange(e)) for e in (2.25, 2.25, 2.875)),
    ]
    orders = 1 + np.geomspace(1e-2, 1e8, 200_001)
    every = rdp_to_epsilon(total_rdp([each.account for each in history if each.account], orders), orders, 0.01)
    walls = np.pad(every, 1, constant_values=np.inf)
    dips = every[(every < walls[:-2]) & (every < walls[2:])]
    assert np.sort(dips)[:2] == pytest.approx([8.27977, 8.34918], abs=1e-5)
    assert renyi(history, "0.01").epsilon == pytest.approx(every.min(), rel=1e-7)


@given(histories, st.sampled_from(["1e-9", "1e-6", "0.01"]))
def test_views_are_numbers_that_grow_with_every_charge(history: list[Charge], delta: str) -> None:
    """No view is NaN or negative, Rényi is never above zCDP, and one more charge never costs less.

    Growth is tested where the optimum for equal releases does not give way to a bound, and up to
    the 200th of all losses by which the grid of the loss distributions may round.
    """
    grid = {
        "Privacy loss distributions (PLD)": sum(
            part.loss for each in history for part in (each.account or generic(each.cost)).parts
        )
        / 200
    }
    now, then = all_views(history, delta), all_views([*history, TENTH], delta)
    for before, after in zip(now, then, strict=True):
        assert before.epsilon >= 0 and after.epsilon >= 0
        if before.name != "Advanced":
            assert before.epsilon <= after.epsilon * ROUNDING + grid.get(before.name, 0.0)
    if now[2].epsilon > 1e-3:
        assert now[3].epsilon <= now[2].epsilon * 1.01
    assert best(history, delta).epsilon == min(view.epsilon for view in now)


def test_a_ledgers_own_history_can_be_viewed() -> None:
    """A freed part is gone from every view; what is held still counts."""
    ledger = SessionLedger(Cost.of(2, "1e-6"))
    for name, taken in (("a", True), ("b", False)):
        ledger.charge(name, Cost.of("0.1"), Cost.of("0.2"))
        ledger.settle(name, taken)
    ledger.charge("c", Cost.of("0.1"), Cost.of("0.2"))
    assert basic(charges(ledger.entries), "1e-6").epsilon == 0.7 == ledger.spent.epsilon
