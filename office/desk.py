"""Desk: where an analyst asks of one registered dataset. It holds no rows and no way to them."""

from __future__ import annotations

from discreet.budget import Cost
from discreet.budget.durable import DurableLedger
from discreet.curator.released import Release
from discreet.curator.request import Request
from discreet.curator.terms import Declared, Terms, fitting
from discreet.office import duties, registry
from discreet.office import requests as asking
from discreet.office.asked import LIVE, Asked, spent_by
from discreet.office.house import House
from discreet.office.people import Person, require
from discreet.office.registry import Registered


class Desk:
    """One analyst in front of one registered dataset."""

    def __init__(self, house: House, who: Person, dataset: str) -> None:
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
    def requests(self) -> list[Asked]:
        """The analyst's own requests of this dataset, newest first."""
        return asking.own(self._house, self.who, self.registered.id)

    @property
    def releases(self) -> tuple[Release, ...]:
        """The analyst's own answers, oldest first."""
        return tuple(one.release for one in self.requests[::-1] if one.release is not None)

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

    def latest(self, request: Request) -> Asked | None:
        """Return the newest request of the same question."""
        return next((one for one in self.requests if one.request == request), None)

    def stored(self, request: Request, nonce: str = "") -> Release | None:
        """Return the newest answer of the same question."""
        found = self.latest(request)
        return None if found is None else found.release

    def terms(self, request: Request) -> Terms:
        """Say what the policy does with a question, or refuse one that it does not allow."""
        request.check(self.registered.registration.schema)
        policy, cost = self.registered.policy, request.cost()
        policy.check(request, cost, self._house.now.date().isoformat())
        self.check()
        return fitting(cost, self.ledger.left, policy.waits(cost))

    def ask(self, request: Request, nonce: str = "", purpose: str = "", seen: str | None = None) -> Release | None:
        """Send a question; its nonce is its round. None while it waits for somebody."""
        one, draw = self.registered.id, int(nonce or 0)
        return asking.submit(self._house, self.who, one, request, purpose, draw, seen).release

    def next_round(self, request: Request) -> int:
        """Return the round of a new draw, or the round that is under way."""
        found = self.latest(request)
        if found is None:
            return 0
        ended = found.release is not None or found.state not in LIVE
        return found.round + ended
