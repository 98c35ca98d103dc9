"""Views: the same history under other accountings, for comparison; the ledger's rule decides."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from discreet.budget.account import total_rdp
from discreet.budget.conversions import advanced_epsilon, equal_epsilon, least, rdp_to_epsilon, zcdp_to_epsilon
from discreet.budget.cost import DELTA_UNITS, EPSILON_UNITS, Number, delta_units
from discreet.budget.entry import Charge
from discreet.budget.guarantees import generic
from discreet.budget.losses import loss_to_epsilon
from discreet.budget.phrase import Phrase

FIXED_PLAN = Phrase("Valid had the plan been fixed in advance.")
MOST_EQUAL = 4096


@dataclass(frozen=True)
class Total:
    """What a history amounts to: epsilon at a chosen delta, infinite where delta is too small.

    `adaptive` says whether it also holds when each release was chosen after seeing earlier ones
    and the accounting was chosen last; `note` says it in words.
    """

    name: str
    epsilon: float
    delta: float
    adaptive: bool
    note: str


def basic(charges: Sequence[Charge], delta: Number) -> Total:
    """Add up the costs (Dwork, Kenthapadi, McSherry, Mironov and Naor 2006)."""
    room = _room((charge.cost.delta_units for charge in charges), delta)
    total = sum(charge.cost.nano_epsilon for charge in charges) / EPSILON_UNITS
    epsilon = total if room >= 0 else math.inf
    note = Phrase("Valid for charges chosen in any way.")
    return Total("Basic", epsilon, delta_units(delta) / DELTA_UNITS, True, note)


def advanced(charges: Sequence[Charge], delta: Number) -> Total:
    """Advanced composition: the exact optimum for one epsilon, else the bound for different ones.

    Dwork, Rothblum and Vadhan 2010, "Boosting and differential privacy"; Kairouz, Oh and
    Viswanath 2015, "The composition theorem for differential privacy".
    """
    room = _room((charge.cost.delta_units for charge in charges), delta)
    return _fixed("Advanced", delta, room, lambda left: _advanced(charges, left))


def zcdp(charges: Sequence[Charge], delta: Number) -> Total:
    """Add up rho and convert once (Bun and Steinke 2016; Canonne, Kamath and Steinke 2020)."""
    accounts = [charge.account or generic(charge.cost) for charge in charges]
    room = _room((account.delta_units for account in accounts), delta)
    rho = math.fsum(account.rho for account in accounts)
    return _fixed("zCDP", delta, room, lambda left: zcdp_to_epsilon(rho, left))


def renyi(charges: Sequence[Charge], delta: Number) -> Total:
    """Add up the Rényi curves and convert at the best α (Mironov 2017; Canonne et al. 2020)."""
    accounts = [charge.account or generic(charge.cost) for charge in charges]
    room = _room((account.delta_units for account in accounts), delta)

    def epsilon(left: float) -> float:
        return least(lambda order: rdp_to_epsilon(total_rdp(accounts, order), order, left))

    return _fixed("Rényi", delta, room, epsilon)


def losses(charges: Sequence[Charge], delta: Number) -> Total:
    """Compose the privacy loss distributions: for what is known exactly nothing is lost but rounding."""
    accounts = [charge.account or generic(charge.cost) for charge in charges]
    return _fixed(Phrase("Loss distributions"), delta, delta_units(delta), lambda left: loss_to_epsilon(accounts, left))


View = Callable[[Sequence[Charge], Number], Total]
BY_HAND = (basic, advanced, zcdp, renyi)
ALL = (*BY_HAND, losses)


def all_views(charges: Sequence[Charge], delta: Number, views: Iterable[View] = ALL) -> tuple[Total, ...]:
    """Return several views of one history at one delta."""
    return tuple(view(charges, delta) for view in views)


def best(charges: Sequence[Charge], delta: Number) -> Total:
    """Return the view with the smallest epsilon; the plain sum wins a tie."""
    return min(all_views(charges, delta), key=lambda view: view.epsilon)


def basic_lasts(charge: Charge, delta: Number) -> int:
    """Return up to how many equal charges the plain sum is no worse than rho, the adaptive rival.

    About 25 for small epsilon: it takes that many before the square root of zCDP pays off.
    """
    rivals = (
        count
        for count in range(1, MOST_EQUAL)
        if zcdp([charge] * count, delta).epsilon < basic([charge] * count, delta).epsilon
    )
    return next(rivals, MOST_EQUAL) - 1


def _advanced(charges: Sequence[Charge], left: float) -> float:
    epsilons = np.array([charge.cost.epsilon for charge in charges if charge.cost.nano_epsilon])
    if not epsilons.size:
        return 0.0
    if (epsilons == epsilons[0]).all():
        return equal_epsilon(float(epsilons[0]), epsilons.size, left)
    return advanced_epsilon(epsilons, left)


def _room(own: Iterable[int], delta: Number) -> int:
    """Return what delta leaves for a conversion after the charges' own parts, in whole units."""
    return delta_units(delta) - sum(own)


def _fixed(name: str, delta: Number, room: int, epsilon: Callable[[float], float]) -> Total:
    value = epsilon(room / DELTA_UNITS) if room > 0 else math.inf
    return Total(name, value, delta_units(delta) / DELTA_UNITS, False, FIXED_PLAN)
