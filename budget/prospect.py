"""Terms: what a question meets before it is asked: an answer, somebody who decides, or too little left."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.budget.cost import BudgetExceeded, Cost
from discreet.budget.phrase import Phrase


@dataclass(frozen=True)
class Now:
    """A question is answered at once; `left` is what is left then."""

    left: Cost


@dataclass(frozen=True)
class Waits:
    """Somebody decides about a question first, and its cost is reserved meanwhile."""

    why: Phrase
    left: Cost


@dataclass(frozen=True)
class TooMuch:
    """A question does not fit in what is left; `by` says by how much."""

    by: Phrase
    left: Cost


Terms = Now | Waits | TooMuch


def fitting(cost: Cost, left: Cost, after: Cost | None, waits: Phrase | None = None) -> Terms:
    """Return the terms of a cost: what is left, what would be after it (None where it does not fit), why it waits."""
    if after is None:
        return TooMuch(BudgetExceeded(cost, left).shortfall, left)
    return Now(after) if waits is None else Waits(waits, after)
