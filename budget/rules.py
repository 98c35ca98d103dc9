"""Rules: how a ledger adds up what was charged. One is chosen when the ledger is opened."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol

from discreet.budget.account import Account
from discreet.budget.conversions import ROUND_UP, epsilon_to_zcdp, zcdp_to_epsilon
from discreet.budget.cost import DELTA_UNITS, EPSILON_UNITS, Cost
from discreet.budget.errors import ParameterError

RHO_UNITS = 10**15
_SQUARES_PER_RHO_UNIT = 2 * EPSILON_UNITS**2 // RHO_UNITS  # of nano-epsilon, in rho = ε²/2


@dataclass(frozen=True)
class Amount:
    """What a rule counts: a loss in the rule's own exact units, and the delta that adds up."""

    loss: int = 0
    delta_units: int = 0

    def fits_in(self, other: Amount) -> bool:
        """Say whether neither part is larger than the other's."""
        return self.loss <= other.loss and self.delta_units <= other.delta_units

    def __add__(self, other: Amount) -> Amount:
        """Add exactly."""
        return Amount(self.loss + other.loss, self.delta_units + other.delta_units)

    def __sub__(self, other: Amount) -> Amount:
        """Subtract exactly; only ever of a part from its whole."""
        return Amount(self.loss - other.loss, self.delta_units - other.delta_units)


class Rule(Protocol):
    """A filter: it says which charges fit a limit, even if chosen after seeing earlier answers."""

    @property
    def name(self) -> str:
        """The name that a screen shows."""

    def capacity(self, limit: Cost) -> Amount:
        """Return the limit in the rule's own units, rounded down."""

    def amount(self, cost: Cost, account: Account | None, room: Amount) -> Amount | None:
        """Return what a charge counts for, rounded up, or None where it does not fit the room."""

    def spent(self, total: Amount, limit: Cost) -> Cost:
        """Return the cost that all charges together amount to, never above the limit."""

    def left(self, room: Amount) -> Cost:
        """Return the largest cost of which nothing else is known that still fits."""


@dataclass(frozen=True)
class Basic:
    """Costs add up: the default.

    Valid even if every charge is chosen after seeing the earlier answers (Rogers, Roth, Ullman and
    Vadhan 2016, "Privacy odometers and filters: pay-as-you-go composition"), and cheaper than the
    zCDP account up to about 25 equal releases (23 of epsilon 0.1 at delta 1e-6).
    """

    name: ClassVar[str] = "Basic"

    def capacity(self, limit: Cost) -> Amount:
        """Return the limit itself."""
        return Amount(limit.nano_epsilon, limit.delta_units)

    def amount(self, cost: Cost, account: Account | None, room: Amount) -> Amount | None:
        """Return the cost itself, where it fits; an account does not make it cheaper."""
        asked = Amount(cost.nano_epsilon, cost.delta_units)
        return asked if asked.fits_in(room) else None

    def spent(self, total: Amount, limit: Cost) -> Cost:
        """Return the sum."""
        return Cost(total.loss, total.delta_units)

    def left(self, room: Amount) -> Cost:
        """Return the difference."""
        return Cost(room.loss, room.delta_units)


@dataclass(frozen=True)
class Zcdp:
    """Rho adds up, and the deltas of approximate charges add up beside it: for Gaussian work.

    The limit (ε, δ) is turned once into the largest rho that the tight conversion allows at δ/2;
    the other half of δ is there for charges that bring a delta of their own. Valid when charges are
    chosen adaptively (Feldman and Zrnic 2021, "Individual privacy accounting via a Rényi filter";
    Whitehouse, Ramdas, Rogers and Wu 2023, "Fully-adaptive composition in differential privacy").
    A charge of which only the cost is known counts ε²/2.
    """

    name: ClassVar[str] = "zCDP"

    def capacity(self, limit: Cost) -> Amount:
        """Return rho in units of 1e-15, rounded down, and half of delta."""
        if limit.delta_units < 2 or limit.nano_epsilon == 0:
            raise ParameterError(
                "The zCDP rule needs a limit with epsilon above 0 and delta of 2e-15 or more. "
                "Got {limit}. Raise it, or open the ledger with the basic rule.",
                limit=limit,
            )
        own = limit.delta_units // 2
        rho = epsilon_to_zcdp(limit.epsilon, (limit.delta_units - own) / DELTA_UNITS)
        return Amount(math.floor(Fraction(rho) * RHO_UNITS), own)

    def amount(self, cost: Cost, account: Account | None, room: Amount) -> Amount | None:
        """Return rho and delta by the account, or by the cost alone where only that one fits."""
        known = [] if account is None else [_told(account)]
        known.append(_untold(cost))
        return next((amount for amount in known if amount.fits_in(room)), None)

    def spent(self, total: Amount, limit: Cost) -> Cost:
        """Return the tight conversion of the rho so far, with all of its delta."""
        if not total.loss:
            return Cost(0, total.delta_units)
        converted = limit.delta_units - limit.delta_units // 2
        epsilon = zcdp_to_epsilon(total.loss / RHO_UNITS, converted / DELTA_UNITS)
        nano = min(limit.nano_epsilon, math.ceil(epsilon * EPSILON_UNITS))
        return Cost(nano, total.delta_units + converted)

    def left(self, room: Amount) -> Cost:
        """Return the largest epsilon whose ε²/2 fits, exactly, and the delta that is left."""
        return Cost(math.isqrt(room.loss * _SQUARES_PER_RHO_UNIT), room.delta_units)


def _untold(cost: Cost) -> Amount:
    """Return ε²/2 in units of rho, exactly rounded up, and delta."""
    return Amount(-(-(cost.nano_epsilon**2) // _SQUARES_PER_RHO_UNIT), cost.delta_units)


def _told(account: Account) -> Amount:
    return Amount(math.ceil(Fraction(account.rho * ROUND_UP) * RHO_UNITS), account.delta_units)


BASIC: Rule = Basic()
ZCDP: Rule = Zcdp()
