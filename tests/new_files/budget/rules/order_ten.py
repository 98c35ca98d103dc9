"""Ten: the Rényi divergence of order 10 adds up, whatever the limit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from discreet.budget.accounts import ROUND_UP, Account, rdp_to_epsilon
from discreet.budget.cost import DELTA_UNITS, EPSILON_UNITS, Cost
from discreet.budget.errors import Phrase
from discreet.budget.rules.rule import Amount, Rule

ORDER = 10.0
UNITS = 10**15


@dataclass(frozen=True)
class OrderTen(Rule):
    """A filter of one order (Feldman and Zrnic 2021): what is converted is fixed beforehand."""

    name: ClassVar[str] = "Ten"
    composition: ClassVar[Phrase] = Phrase("Every release counts its Rényi divergence of order 10.")
    suits: ClassVar[Phrase] = Phrase("Order ten suits a lesson.")
    variant: ClassVar[str] = "Rényi DP"

    def capacity(self, limit: Cost) -> Amount:
        """Return the largest divergence that half of delta turns into the limit."""
        own = limit.delta_units // 2
        free = float(rdp_to_epsilon(0.0, ORDER, (limit.delta_units - own) / DELTA_UNITS))
        return Amount(max(0, math.floor((limit.epsilon - free) * UNITS)), own)

    def amount(self, cost: Cost, account: Account | None, room: Amount) -> Amount | None:
        """Return the divergence of the account, or of the cost alone."""
        by_cost = min(cost.epsilon, ORDER * cost.epsilon**2 / 2) * ROUND_UP
        amounts = [Amount(math.ceil(by_cost * UNITS), cost.delta_units)]
        if account is not None:
            divergence = float(account.rdp(ORDER)) * ROUND_UP
            amounts.insert(0, Amount(math.ceil(divergence * UNITS), account.delta_units))
        return next((amount for amount in amounts if amount.fits_in(room)), None)

    def spent(self, total: Amount, limit: Cost) -> Cost:
        """Return what the divergence so far is turned into."""
        if not total.loss:
            return Cost(0, total.delta_units)
        converted = limit.delta_units - limit.delta_units // 2
        epsilon = float(rdp_to_epsilon(total.loss / UNITS, ORDER, converted / DELTA_UNITS))
        return Cost(min(limit.nano_epsilon, math.ceil(epsilon * EPSILON_UNITS)), total.delta_units + converted)

    def left(self, room: Amount) -> Cost:
        """Return the largest epsilon of which nothing else is known that fits."""
        return Cost(math.floor(math.sqrt(2 * room.loss / UNITS / ORDER) * EPSILON_UNITS), room.delta_units)
