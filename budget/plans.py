"""Plans: what charges that were all fixed before any answer amount to at least, and by which proof."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from math import ceil, inf

from discreet.budget.cost import EPSILON_UNITS, Cost, Number, delta_units
from discreet.budget.entry import Charge
from discreet.budget.errors import ParameterError
from discreet.budget.views import ALL, View, basic

MOST_ROWS = 1000
DIGITS = 4  # of a total that is no sum
WORTH = 0.99  # a proof that needs a delta must save more than a hundredth of epsilon


def check_rows(rows: Sized) -> None:
    """Refuse a plan that nobody can account for."""
    if not 1 <= len(rows) <= MOST_ROWS:
        raise ParameterError(
            "A plan must have between 1 and {most:,} rows. Got {number}.", most=MOST_ROWS, number=len(rows)
        )


@dataclass(frozen=True)
class Proven:
    """The least total that is proven: its cost, the name of the proof, and what the plain sum is."""

    cost: Cost
    proof: str
    plain: Cost


def sums(costs: Sequence[Cost]) -> Proven:
    """Return the plain sum, which holds for costs that were chosen in any way."""
    plain = sum(costs, Cost.zero())
    return Proven(plain, basic((), 0).name, plain)


def proven(charges: Sequence[Charge], delta: Number, views: Sequence[View] = ALL) -> Proven:
    """Return the least valid total of charges that were fixed in advance.

    Every view of the ledger is valid for them, so the smallest is; the plain sum is taken where no
    other is worth the delta that it needs.
    """
    added = sums([charge.cost for charge in charges])
    plain = added.cost
    if not delta_units(delta):
        return added
    least = min((view(charges, delta) for view in views), key=lambda total: total.epsilon)
    fits = plain.delta_units <= delta_units(delta)
    if least.epsilon == inf or (fits and least.epsilon >= plain.epsilon * WORTH):
        return added
    return Proven(Cost(_rounded_up(least.epsilon), delta_units(delta)), least.name, plain)


def _rounded_up(epsilon: float) -> int:
    """Return whole units of no more digits than people read."""
    units = ceil(epsilon * EPSILON_UNITS)
    digits: int = 10 ** max(0, len(str(units)) - DIGITS)
    return -(-units // digits) * digits
