"""Desk: where an analyst asks of one registered dataset. It holds no rows and no way to them."""

from __future__ import annotations

from discreet.budget import Cost
from discreet.budget.durable import DurableLedger
from discreet.curator.released import Release
from discreet.curator.request import Request
from discreet.curator.terms import Declared, Terms, fitting
from discreet.office import duties, inbox, registry, submissions
from discreet.office.asked import LIVE, Inquiry, spent_by
from discreet.office.house import House
from discreet.office.registry import Registered
from discreet.office.roles import Member, require


class Desk:
    """One analyst in front of one registered dataset."""

    def __init__(self, house: House, who: Member, dataset: str) -> None:
        """Sit down; only analysts can."""
        self._house, self.who = house, require(who, "analyst")
        self.registered: Registered = registry.find(house, dataset)

    @property
    def declared(self) -> Declared:
        """The declaration."""
        return Declared(self.registered.registration.schema, self.registered.id)

    @property
    def ledger(self) -> DurableLedger:
        """The budget of the dataset."""
        return registry.ledger(self._house, self.registered.id)

    @property
    def requests(self) -> list[Inquiry]:
        """The analyst's own requests of this dataset, newest first."""
        return inbox.own(self._house, self.who, self.registered.id)

    @property
    def releases(self) -> tuple[Release, ...]:
        """The analyst's own answers, oldest first."""
        return tuple(asked.release for asked in self.requests[::-1] if asked.release is not None)

    @property
    def share(self) -> tuple[float, Cost] | None:
        """What the analyst may spend in all and has spent; None if there is no share."""
        most = self.registered.policy.share_of(self.who.login)
        if most is None:
            return None
        return most, spent_by(self._house, self.registered.id, self.who.id)

    def check(self) -> None:
        """Refuse whoever keeps these data or has decided about them."""
        with self._house.store.reading() as connection:
            duties.may_ask(connection, self.who, self.registered.id, self.registered.name)

    def latest(self, request: Request) -> Inquiry | None:
        """Return the newest request of the same question."""
        return next((asked for asked in self.requests if asked.request == request), None)

    def stored(self, request: Request, nonce: str = "") -> Release | None:
        """Return the newest answer of the same question."""
        latest = self.latest(request)
        return None if latest is None else latest.release

    def terms(self, request: Request) -> Terms:
        """Say what the policy does with a question, or refuse one that it does not allow."""
        request.check(self.registered.registration.schema)
        policy, cost = self.registered.policy, request.cost()
        policy.check(request, cost, self._house.now.date().isoformat())
        self.check()
        return fitting(cost, self.ledger.left, policy.waits(cost))

    def ask(self, request: Request, nonce: str = "", purpose: str = "", seen: str | None = None) -> Release | None:
        """Send a question; its nonce is its round. None while it waits for somebody."""
        dataset, draw = self.registered.id, int(nonce or 0)
        return submissions.submit(self._house, self.who, dataset, request, purpose, draw, seen).release

    def next_round(self, request: Request) -> int:
        """Return the round of a new draw, or the round that is under way."""
        latest = self.latest(request)
        if latest is None:
            return 0
        ended = latest.release is not None or latest.state not in LIVE
        return latest.round + ended
