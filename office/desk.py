"""Desk: where an analyst asks of one registered dataset. It holds no rows and no way to them."""

from __future__ import annotations

from typing import Any, NoReturn

from discreet.budget import Cost, Number, ParameterError
from discreet.budget.durable import DurableLedger
from discreet.budget.prospect import Terms, fitting
from discreet.curator.fixed import Answers, FixedPlan
from discreet.curator.release import Question
from discreet.curator.released import Release
from discreet.curator.request import Request
from discreet.office import charges, duties, inbox, registry, submissions
from discreet.office.asked import LIVE, Inquiry, spent_by
from discreet.office.house import House
from discreet.office.registry import Registered
from discreet.office.roles import Denied, Member, require
from discreet.office.shares import check_share
from discreet.rows.declared import Declared
from discreet.rows.schema import Schema


class Desk:
    """One analyst in front of one registered dataset."""

    def __init__(self, house: House, who: Member, dataset: str) -> None:
        """Sit down; only analysts can."""
        self._house, self.who = house, require(who, "analyst")
        self.registered: Registered = registry.find(house, dataset)
        if not charges.may_ask_of(self.registered.policy, self.who):
            raise Denied

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
        return tuple(release for release, _ in self.answered)

    @property
    def answered(self) -> list[tuple[Release, Schema]]:
        """The analyst's own answers, each with the declaration under which it was given, oldest first."""
        at = self.registered.schema_at
        return [(release, at(asked.number)) for asked in self.requests[::-1] for release in asked.answers]

    @property
    def share(self) -> tuple[float, Cost] | None:
        """What the analyst may spend in all, and has spent; None if there is no share."""
        most = self.registered.policy.share_of(self.who.login)
        if most is None:
            return None
        return most, spent_by(self._house, self.registered.id, self.who.id)

    def check(self) -> None:
        """Refuse whoever keeps these data or has decided about them."""
        with self._house.store.reading() as connection:
            duties.may_ask(connection, self.who, self.registered.id, self.registered.name)

    def latest(self, request: Question) -> Inquiry | None:
        """Return the newest request of the same question."""
        return next((asked for asked in self.requests if asked.request == request), None)

    def passed(self, asked: Inquiry) -> bool:
        """Say whether a request is of earlier bounds: its answer is none under those of now."""
        return self.registered.bounded_otherwise(asked.number)

    def stored(self, request: Request, nonce: str = "") -> Release | None:
        """Return the newest answer of the same question, under the bounds of now."""
        latest = self.latest(request)
        return None if latest is None or self.passed(latest) else next(iter(latest.answers), None)

    def terms(self, request: Question) -> Terms:
        """Say what the policy does with a question, or refuse one that it does not allow."""
        request.check(self.registered.registration.schema)
        policy, cost = self.registered.policy, request.cost()
        policy.check(request, cost, self._house.now.date().isoformat())
        self.check()
        check_share(self._house, self.who, self.registered, cost)
        return fitting(cost, self.ledger.left, self.ledger.after(cost, request.account()), policy.waits(request))

    def ask(self, request: Request, nonce: str = "", purpose: str = "", seen: str | None = None) -> Release | None:
        """Send a question; its nonce is its round. None while it waits for somebody."""
        release: Release | None = self.send(request, nonce, purpose, seen)
        return release

    def run(self, plan: FixedPlan, nonce: str = "", purpose: str = "", seen: str | None = None) -> Answers | None:
        """Send a plan likewise: one request, whose rows are decided about and answered together."""
        answers: Answers | None = self.send(plan, nonce, purpose, seen)
        return answers

    def send(
        self, question: Question, nonce: str = "", purpose: str = "", seen: str | None = None, earlier: str = ""
    ) -> Any:
        """Send either; `seen` is the seal of what the page showed, `earlier` the request that it replaces."""
        dataset, draw = self.registered.id, int(nonce or 0)
        return submissions.submit(self._house, self.who, dataset, question, purpose, draw, seen, earlier).release

    def next_round(self, request: Question) -> int:
        """Return the round of a new draw, or the round that is under way."""
        latest = self.latest(request)
        if latest is None:
            return 0
        ended = latest.release is not None or latest.state not in LIVE or self.passed(latest)
        return latest.round + ended

    def step(self, earlier: str, epsilon: Number) -> NoReturn:
        """Refuse: somebody decided about the answer as it stands, and no noisy numbers are kept with it."""
        raise ParameterError("Answers about registered data are not refined: each request is decided as it stands.")

    def refine(self, earlier: str, epsilon: Number) -> NoReturn:
        """Refuse likewise."""
        self.step(earlier, epsilon)
