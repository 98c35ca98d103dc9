"""Terms: what a question meets before it is asked, and what everybody who answers can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from discreet.budget import BudgetExceeded, Cost, Ledger, Phrase
from discreet.curator.released import Release
from discreet.curator.request import Request
from discreet.rows.schema import Schema


@dataclass(frozen=True)
class Declared:
    """What may be known of data before anything is asked: the declaration, and no rows."""

    schema: Schema
    digest: str
    protected: bool = True


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


def fitting(cost: Cost, left: Cost, waits: Phrase | None = None) -> Terms:
    """Return the terms of a cost, where so much is left and this is why it would wait."""
    if not cost.fits_in(left):
        return TooMuch(BudgetExceeded(cost, left).shortfall, left)
    return Now(left - cost) if waits is None else Waits(waits, left - cost)


class Road(Protocol):
    """Where a question is asked: of a curator, or at a desk where somebody may decide first."""

    @property
    def ledger(self) -> Ledger:
        """The budget that pays."""

    @property
    def releases(self) -> tuple[Release, ...]:
        """The answers of whoever asks here, oldest first."""

    @property
    def share(self) -> tuple[float, Cost] | None:
        """What whoever asks may spend in all and has spent; None if there is no share."""

    def terms(self, request: Request) -> Terms:
        """Say what would happen to a question, or refuse one that may not be asked at all."""

    def stored(self, request: Request, nonce: str = "") -> Release | None:
        """Return the answer of a question, if there is one."""

    def ask(self, request: Request, nonce: str = "", purpose: str = "") -> Release | None:
        """Ask; None where somebody has to decide first. The same nonce is the same draw."""
