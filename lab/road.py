"""Road: the protocol of everything that answers queries."""

from __future__ import annotations

from typing import Protocol

from discreet.budget import Cost, Ledger
from discreet.budget.ledger import Terms
from discreet.curator.plan import Answers, FixedPlan
from discreet.curator.request import Finer, Request
from discreet.curator.result import Release


class Road(Protocol):
    """Where a query is asked: a curator, or a desk where an officer may decide first."""

    @property
    def ledger(self) -> Ledger:
        """The budget that pays."""

    @property
    def releases(self) -> tuple[Release, ...]:
        """The answers of the current user, oldest first."""

    @property
    def share(self) -> tuple[float, Cost] | None:
        """What the user may spend in all and has spent; None if there is no share."""

    def terms(self, request: Request | FixedPlan) -> Terms:
        """Return what would happen to a query; raise ParameterError for one that may not be asked at all."""

    def stored(self, request: Request, nonce: str = "") -> Release | None:
        """Return the stored answer of a query, or None."""

    def run(self, plan: FixedPlan, nonce: str = "", purpose: str = "") -> Answers | None:
        """Answer all rows of a plan together; None if an officer must decide first."""

    def ask(self, request: Request | Finer, nonce: str = "", purpose: str = "") -> Release | None:
        """Ask; None where somebody has to decide first. The same nonce is the same draw."""

    def check_finer(self, question: Finer) -> None:
        """Raise ParameterError where an answer cannot be refined here."""
