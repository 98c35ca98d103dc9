"""Composition: the total of several charges, by their loss distributions and under each accounting."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import ceil, inf
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.budget.accounts import (
    ROUND_UP,
    advanced_epsilon,
    equal_epsilon,
    generic,
    least,
    rdp_to_epsilon,
    total_rdp,
    zcdp_to_epsilon,
)
from discreet.budget.cost import DELTA_UNITS, EPSILON_UNITS, Cost, Number, delta_units
from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.ledger import Charge

# --- Loss distributions: the total of releases, rounded up at every step ---

if TYPE_CHECKING:
    from discreet.budget.accounts import Account, Single

FEWEST, EACH, MOST = 1000, 200, 10**6  # cells in the sum of all losses: rounding adds at most a 200th of it
MOST_KINDS = 64  # of different distributions: if there are more, neighbours are replaced by the worst of them
MARGIN = 1e-10


def loss_to_epsilon(accounts: Iterable[Account], delta: float) -> float:
    """Return the epsilon that the losses prove together at this delta; infinite where delta is too small.

    Valid where every release was fixed before any answer: then the joint law of all of them is
    covered by the sum of independent losses of pairs that cover each (Sommer, Meiser and Mohammadi
    2019, "Privacy loss classes"; Doroshenko et al. 2022, "Connect the dots").
    """
    counted: dict[type[Single], Counter[Single]] = {}
    for account in accounts:
        for part in account.parts:
            if part.loss or part.delta_units:
                counted.setdefault(type(part), Counter())[part] += 1
    members = [pair for kind, parts in counted.items() for pair in _few(kind, parts)]
    return _epsilon(tuple(sorted(members, key=repr)), delta) if members else 0.0


def _few(kind: type[Single], parts: Counter[Single]) -> list[tuple[Single, int]]:
    """Return at most MOST_KINDS different parts: merged into one, or neighbours in size replaced by their worst."""
    merged = kind.merged(parts)
    if merged is not None:
        return [(merged, 1)]
    ordered = sorted(parts, key=lambda part: (part.delta_units, part.loss))
    width = -(-len(ordered) // MOST_KINDS)
    runs = [ordered[at : at + width] for at in range(0, len(ordered), width)]
    return [(kind.worst(run), sum(parts[part] for part in run)) for run in runs]


@lru_cache(maxsize=256)
def _epsilon(members: tuple[tuple[Single, int], ...], delta: float) -> float:
    room = delta * (1 - 1e-6) - MARGIN
    if room <= 0:
        return inf
    epsilon: float = _composed(members).get_epsilon_for_delta(room)
    return max(0.0, epsilon) * ROUND_UP


@lru_cache(maxsize=2)  # several deltas per query; an entry may take 16 MiB, and any user can create new ones
def _composed(members: tuple[tuple[Single, int], ...]) -> Any:
    """Return the distribution of the sum of all losses."""
    total = sum(part.loss * times for part, times in members)
    rounded = sum(times for part, times in members if part.rounded)
    step = total / min(MOST, max(FEWEST, EACH * rounded)) or 1.0
    each = (part.distribution(step).self_compose(times, 0) for part, times in members)  # few cells: no truncation
    return reduce(lambda joint, more: joint.compose(more, 0), each)


# --- Views: one history under other accountings, for comparison; the ledger's rule decides ---

FIXED_PLAN = Phrase("Valid only if the cost of every query was fixed in advance.")
MOST_EQUAL = 4096


@dataclass(frozen=True)
class Total:
    """The total of a history: epsilon at a chosen delta, infinite where delta is too small.

    `adaptive` states whether it is also valid when each release was chosen after seeing earlier ones and the accounting
    was chosen last; `note` states it in words.
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
    note = Phrase("Valid for adaptively chosen queries.")
    return Total("Basic", epsilon, delta_units(delta) / DELTA_UNITS, True, note)


def advanced(charges: Sequence[Charge], delta: Number) -> Total:
    """Advanced composition: the exact optimum for equal epsilons, otherwise the bound for different ones.

    Dwork, Rothblum and Vadhan 2010, "Boosting and differential privacy"; Kairouz, Oh and Viswanath 2015, "The
    composition theorem for differential privacy".
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
    """Compose the privacy loss distributions: where they are known exactly, only rounding is lost."""
    accounts = [charge.account or generic(charge.cost) for charge in charges]
    return _fixed(
        Phrase("Privacy loss distributions (PLD)"),
        delta,
        delta_units(delta),
        lambda left: loss_to_epsilon(accounts, left),
    )


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
    """Return up to how many equal charges the plain sum is no worse than rho, the adaptive alternative.

    About 25 for small epsilon: only with more charges does the square root of zCDP pay off.
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
    """Return what is left of delta for a conversion after the charges' own parts, in units."""
    return delta_units(delta) - sum(own)


def _fixed(name: str, delta: Number, room: int, epsilon: Callable[[float], float]) -> Total:
    value = epsilon(room / DELTA_UNITS) if room > 0 else math.inf
    return Total(name, value, delta_units(delta) / DELTA_UNITS, False, FIXED_PLAN)


# --- Plans: the least proven total of charges that were all fixed before any answer ---


MOST_ROWS = 1000
DIGITS = 4  # significant digits of a total that is not a plain sum
WORTH = 0.99  # a proof that needs a delta must save more than a hundredth of epsilon


def check_rows(rows: Sized) -> None:
    """Raise ParameterError for a plan with no rows or too many to account for."""
    if not 1 <= len(rows) <= MOST_ROWS:
        raise ParameterError(
            "A plan must have between 1 and {most:,} queries. Got {number}.", most=MOST_ROWS, number=len(rows)
        )


@dataclass(frozen=True)
class Proven:
    """The least proven total: its cost, the name of the proof, and the plain sum."""

    cost: Cost
    proof: str
    plain: Cost


def sums(costs: Sequence[Cost]) -> Proven:
    """Return the plain sum, which is valid for costs that were chosen in any way."""
    plain = Cost(sum(cost.nano_epsilon for cost in costs), sum(cost.delta_units for cost in costs))
    return Proven(plain, basic((), 0).name, plain)


def proven(charges: Sequence[Charge], delta: Number, views: Sequence[View] = ALL) -> Proven:
    """Return the least valid total of charges that were fixed in advance.

    Every view of the ledger is valid for them, so the smallest one is; the plain sum is returned if no other view is
    worth the delta that it needs.
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
    """Return epsilon rounded up to DIGITS significant digits, in units."""
    units = ceil(epsilon * EPSILON_UNITS)
    digits: int = 10 ** max(0, len(str(units)) - DIGITS)
    return -(-units // digits) * digits
