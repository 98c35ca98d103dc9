"""zCDP: rho adds up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from discreet.budget.accounts import ROUND_UP, Account, epsilon_to_zcdp, zcdp_to_epsilon
from discreet.budget.cost import DELTA_UNITS, EPSILON_UNITS, Cost
from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.rules.rule import Amount, Rule

RHO_UNITS = 10**15
_SQUARES_PER_RHO_UNIT = 2 * EPSILON_UNITS**2 // RHO_UNITS  # of nano-epsilon, in rho = ε²/2


@dataclass(frozen=True)
class Zcdp(Rule):
    """Rho adds up, and the deltas of approximate charges add up separately: for Gaussian work.

    The limit (ε, δ) is converted once into the largest rho that the tight conversion allows at δ/2; the other half of δ
    is for charges that have a delta of their own. Valid when charges are chosen adaptively (Feldman and Zrnic 2021,
    "Individual privacy accounting via a Rényi filter"; Whitehouse, Ramdas, Rogers and Wu 2023, "Fully-adaptive
    composition in differential privacy"). A charge of which only the cost is known counts ε²/2.
    """

    name: ClassVar[str] = "zCDP"
    composition: ClassVar[Phrase] = Phrase(
        "Each release counts its ρ of zero-concentrated differential privacy. The sum is "
        "converted to ε at half of the budget's δ."
    )
    suits: ClassVar[Phrase] = Phrase("zCDP suits many Gaussian releases.")
    variant: ClassVar[str] = "Zero-concentrated DP"

    def capacity(self, limit: Cost) -> Amount:
        """Return rho in units of 1e-15, rounded down, and half of delta."""
        if limit.delta_units < 2 or limit.nano_epsilon == 0:
            raise ParameterError(
                "The zCDP rule needs a limit with ε above 0 and δ of 2e-15 or more. Got {limit}. Increase "
                "it, or open the ledger with the basic rule.",
                limit=limit,
            )
        own = limit.delta_units // 2
        rho = epsilon_to_zcdp(limit.epsilon, (limit.delta_units - own) / DELTA_UNITS)
        return Amount(math.floor(Fraction(rho) * RHO_UNITS), own)

    def amount(self, cost: Cost, account: Account | None, room: Amount) -> Amount | None:
        """Return rho and delta by the account, or by the cost alone if only that fits, or None."""
        if not self.takes(account):
            return None
        amounts = [] if account is None else [_by_account(account)]
        amounts.append(_by_cost(cost))
        return next((amount for amount in amounts if amount.fits_in(room)), None)

    def spent(self, total: Amount, limit: Cost) -> Cost:
        """Return the tight conversion of the rho so far, with all of its delta."""
        if not total.loss:
            return Cost(0, total.delta_units)
        converted = limit.delta_units - limit.delta_units // 2
        epsilon = zcdp_to_epsilon(total.loss / RHO_UNITS, converted / DELTA_UNITS) * ROUND_UP  # as for the capacity
        nano = min(limit.nano_epsilon, math.ceil(epsilon * EPSILON_UNITS))
        return Cost(nano, total.delta_units + converted)

    def left(self, room: Amount) -> Cost:
        """Return the largest epsilon whose ε²/2 fits, exactly, and the delta that is left."""
        return Cost(math.isqrt(room.loss * _SQUARES_PER_RHO_UNIT), room.delta_units)

    def rho(self, counted: Amount) -> float:
        """Return the rho."""
        return counted.loss / RHO_UNITS


def _by_cost(cost: Cost) -> Amount:
    """Return ε²/2 in units of rho, exactly rounded up, and delta."""
    return Amount(-(-(cost.nano_epsilon**2) // _SQUARES_PER_RHO_UNIT), cost.delta_units)


def _by_account(account: Account) -> Amount:
    return Amount(math.ceil(Fraction(account.rho * ROUND_UP) * RHO_UNITS), account.delta_units)


ZCDP = Zcdp()
