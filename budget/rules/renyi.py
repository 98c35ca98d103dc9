"""Rényi: the divergence of one order adds up; the order is chosen with the limit and stays fixed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from discreet.budget.accounts import ROUND_UP, Account, generic, rdp_to_epsilon
from discreet.budget.cost import DELTA_UNITS, EPSILON_UNITS, Cost
from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.rules.rule import Amount, Rule

UNITS = 10**15  # of a divergence, in nats
ORDERS = tuple(1 + step * 2.0**power / 4 for power in range(-4, 27) for step in (4, 5, 6, 7))  # exact as doubles
HIGHEST = 1000 * EPSILON_UNITS


@dataclass(frozen=True)
class Renyi(Rule):
    """A filter of one order: the divergences D_α of all charges stay within what the limit is at α.

    With the order fixed, and each charge within D_i of it whatever came before, the mean of (P/Q)^α times exp(-(α-1)
    times the sum of D_i so far) never increases under Q. As the sum stays within B, P and Q end within D_α ≤ B, however
    charges were chosen (Feldman and Zrnic 2021, "Individual privacy accounting via a Rényi filter"). B is what the
    tight conversion allows at half of δ; the other half is for charges that have a delta of their own. The order is the
    one of the list at which the limit allows most Gaussian work. A charge of which only the cost is known counts as
    randomized response.
    """

    name: ClassVar[str] = "Rényi"
    composition: ClassVar[Phrase] = Phrase(
        "Each release counts its Rényi divergence of one order, which is fixed with the budget. "
        "The sum is converted to ε at half of the budget's δ."
    )
    suits: ClassVar[Phrase] = Phrase("Rényi suits many releases of several kinds.")
    order: float = 0.0

    @property
    def written(self) -> str:
        """The name and the order, as a durable ledger stores them."""
        return f"{self.name} {self.order!r}"

    def opened(self, limit: Cost) -> Renyi:
        """Return the filter of the order at which the limit allows most Gaussian work."""
        if limit.delta_units < 2 or limit.nano_epsilon == 0:
            raise ParameterError(
                "The Rényi rule needs a limit with ε above 0 and δ of 2e-15 or more. Got {limit}. "
                "Increase it, or open the ledger with the basic rule.",
                limit=limit,
            )
        return replace(self, order=max(ORDERS, key=lambda order: _most(limit, order) / order))

    def read(self, written: str) -> Renyi:
        """Return the filter that a durable ledger was opened with."""
        return replace(self, order=float(written.removeprefix(self.name)))

    def capacity(self, limit: Cost) -> Amount:
        """Return the divergence that the limit allows, rounded down, and half of delta."""
        return Amount(max(0, math.floor(Fraction(_most(limit, self.order)) * UNITS)), limit.delta_units // 2)

    def amount(self, cost: Cost, account: Account | None, room: Amount) -> Amount | None:
        """Return divergence and delta by the account, or by the cost alone if only that fits, or None."""
        if not self.takes(account):
            return None
        accounts = (generic(cost),) if account is None else (account, generic(cost))
        amounts = (Amount(_loss(each, self.order), each.delta_units) for each in accounts)
        return next((amount for amount in amounts if amount.fits_in(room)), None)

    def spent(self, total: Amount, limit: Cost) -> Cost:
        """Return the conversion of the divergence so far, with all of its delta."""
        if not total.loss:
            return Cost(0, total.delta_units)
        converted = limit.delta_units - limit.delta_units // 2
        epsilon = float(rdp_to_epsilon(total.loss / UNITS, self.order, converted / DELTA_UNITS))
        return Cost(min(limit.nano_epsilon, math.ceil(epsilon * EPSILON_UNITS)), total.delta_units + converted)

    def left(self, room: Amount) -> Cost:
        """Return the largest epsilon that fits for a charge without an account, and the delta that is left."""
        return Cost(_largest(self.order, room.loss), room.delta_units)


def _most(limit: Cost, order: float) -> float:
    """Return the largest divergence of an order whose conversion stays within the limit; below 0 there is none."""
    delta = (limit.delta_units - limit.delta_units // 2) / DELTA_UNITS
    slack = math.log1p(-1 / order) - math.log(order * delta) / (order - 1)
    return limit.epsilon / ROUND_UP**2 - slack - 1e-12


def _loss(account: Account, order: float) -> int:
    return math.ceil(Fraction(float(account.rdp(order)) * ROUND_UP) * UNITS)


@lru_cache(maxsize=256)
def _largest(order: float, room: int) -> int:
    """Return the largest epsilon, in its units, whose randomized response fits the room."""
    fits = 0
    above = HIGHEST + 1
    while above - fits > 1:
        middle = (fits + above) // 2
        if _loss(generic(Cost(middle)), order) <= room:
            fits = middle
        else:
            above = middle
    return fits


RENYI = Renyi()
