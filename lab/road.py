"""Road: the protocol of everything that answers queries."""

from __future__ import annotations

from typing import Protocol

from discreet.budget import Cost, Ledger, Number
from discreet.budget.ledger import Terms
from discreet.curator.plan import Answers, FixedPlan
from discreet.curator.request import Request
from discreet.curator.result import Release
from discreet.mechanisms.base.refining import Difference


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

    def ask(self, request: Request, nonce: str = "", purpose: str = "") -> Release | None:
        """Ask a query; None if an officer must decide first. Repeating a nonce returns the stored answer."""

    def step(self, earlier: str, epsilon: Number) -> tuple[Request, Difference]:
        """Return the finer query and its extra cost; raise ParameterError for one that cannot be refined."""

    def refine(self, earlier: str, epsilon: Number) -> Release:
        """Release an answer again with less noise, for the difference."""
