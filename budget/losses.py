"""Losses: what releases amount to by their privacy loss distributions, rounded up at every step.

The accounting library puts every distribution on one grid and composes them. It rounds losses up;
its Fourier transforms round both ways, by far less than the MARGIN that is taken from delta first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache, reduce
from math import inf
from typing import TYPE_CHECKING, Any

from discreet.budget.conversions import ROUND_UP

if TYPE_CHECKING:
    from discreet.budget.account import Account, Single

FEWEST, EACH, MOST = 1000, 200, 10**6  # cells in the sum of all losses: rounding adds a 200th of it at most
MOST_KINDS = 64  # of different distributions: more are taken for the worst of their neighbours
MARGIN = 1e-10


def loss_to_epsilon(accounts: Iterable[Account], delta: float) -> float:
    """Return the epsilon that the losses together prove at this delta; infinite where delta is too small.

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
    """Return at most MOST_KINDS different parts: all in one, or neighbours in size as the worst of them."""
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


@lru_cache(maxsize=2)  # several deltas are looked at; each may take 16 MiB, and anybody makes new ones
def _composed(members: tuple[tuple[Single, int], ...]) -> Any:
    """Return the distribution of the sum of all losses."""
    total = sum(part.loss * times for part, times in members)
    rounded = sum(times for part, times in members if part.rounded)
    step = total / min(MOST, max(FEWEST, EACH * rounded)) or 1.0
    each = (part.distribution(step).self_compose(times, 0) for part, times in members)  # few cells: nothing is cut off
    return reduce(lambda joint, more: joint.compose(more, 0), each)
