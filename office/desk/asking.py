"""Asking: an analyst sends a request; its cost is reserved before anybody decides."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from sqlalchemy import Connection, insert, select

from discreet.budget import BudgetExceeded, Cost, ParameterError, Phrase
from discreet.budget.durable import DurableLedger
from discreet.budget.ledger import Terms, fitting
from discreet.curator.plan import Answers, FixedPlan
from discreet.curator.release import Question, name_of
from discreet.curator.request import Finer, Request, plain
from discreet.curator.result import Release
from discreet.evidence import packages
from discreet.office.datasets import fingerprint, registry
from discreet.office.datasets.registry import Registered
from discreet.office.decisions.decisions import FEWEST, LONGEST
from discreet.office.desk import queue
from discreet.office.house import acts
from discreet.office.house.failures import DAY
from discreet.office.house.house import House, writable
from discreet.office.house.roles import Denied, Member, require
from discreet.office.house.tables import requests, revisions
from discreet.office.requests.execution import finish
from discreet.office.requests.request import Inquiry, find, is_new, listed, nonce, seen_by, spent_by, unanswered
from discreet.office.requests.states import ALLOWED, LIVE, OVER, REFUSED, WAITING
from discreet.office.rules import rights
from discreet.office.rules.visit import Visit, acting, looking, select_requests
from discreet.report.words import titled
from discreet.rows.dataset import Declared
from discreet.rows.schema import Schema

# Shares: what one analyst may spend of a dataset, the same part of epsilon and of delta.


def limit_of(data: Registered, login: str) -> Cost | None:
    """Return what an analyst may spend of a dataset in all; None without a share."""
    share, whole = data.policy.share_of(login), data.registration.limit
    if share is None:
        return None
    nano = round(share * 10**9)
    return Cost(nano, min(whole.delta_units, whole.delta_units * nano // whole.nano_epsilon))


def check_share(house: House, who: Member, data: Registered, cost: Cost) -> None:
    """Refuse a cost beyond the analyst's share of the budget, if there are shares."""
    limit = limit_of(data, who.login)
    if limit is None:
        return
    spent = spent_by(house, data.id, who.id)
    if spent.nano_epsilon + cost.nano_epsilon > limit.nano_epsilon:
        raise ParameterError(
            "Your limit for this dataset is ε = {share:g}, and {spent:g} of it is spent.",
            share=limit.epsilon,
            spent=spent.epsilon,
        )
    if limit.nano_epsilon < data.registration.limit.nano_epsilon and (
        spent.delta_units + cost.delta_units > limit.delta_units
    ):
        raise ParameterError(
            "Your limit for this dataset is δ = {share:g}, the same share of the total as for ε. "
            "{spent:g} of it is spent.",
            share=limit.delta,
            spent=spent.delta,
        )


# Revisions: a request that is asked again, changed, follows the one that it replaces.


def check(house: House, earlier: str, dataset: str, analyst: str) -> Inquiry:
    """Return the request that a new one follows: one's own, of the same data, that ended without an answer."""
    asked = find(house, earlier)
    if (asked.dataset, asked.analyst) != (dataset, analyst) or asked.state not in OVER:
        raise ParameterError("You can resend only your own requests for this dataset that ended without a result.")
    return asked


def follow(connection: Connection, request: str, earlier: str) -> None:
    """Write down which request another one follows."""
    connection.execute(insert(revisions).values(request=request, earlier=earlier))


def strange(connection: Connection, sealed: Iterable[Mapping[str, Any]]) -> list[Phrase]:
    """Return which requests follow another one in the table than the trail says."""
    said = {act["about"]: act["replaces"] for act in sealed if "replaces" in act}
    first = requests.alias()
    second = requests.alias()
    joined = revisions.join(first, first.c.id == revisions.c.request).join(second, second.c.id == revisions.c.earlier)
    pairs = connection.execute(select(first.c.number, second.c.number).select_from(joined))
    written = {f"#{number}": f"#{earlier}" for number, earlier in pairs}
    odd = sorted(about for about in said | written if said.get(about) != written.get(about))
    return [
        Phrase("Request {about} replaces a different request from the one in the audit log.", about=about)
        for about in odd
    ]


def beside(house: House, who: Member | None, request: str) -> tuple[Inquiry | None, list[int]]:
    """Return the request that this one follows, and the numbers of those that follow it."""
    seen_by(house, who, request)
    with house.store.reading() as connection:
        earlier = connection.execute(select(revisions.c.earlier).filter_by(request=request)).scalar_one_or_none()
        later = select(requests.c.number).join(revisions, revisions.c.request == requests.c.id)
        numbers = connection.execute(later.where(revisions.c.earlier == request).order_by(requests.c.number))
        return None if earlier is None else find(house, earlier), list(numbers.scalars())


# Submissions: a question is frozen and its cost reserved before anybody has seen an answer.


ROOM_NOW = Phrase(
    "The budget was too small when this request was sent. It is large enough now: run the query again with fresh noise."
)
BOUNDED = Phrase("This query was run with earlier bounds, and its result uses them. Run it again with fresh noise.")


@dataclass(frozen=True)
class Draw:
    """One draw of a question: the id under which it is charged, what it is for, its round, what it replaces."""

    id: str
    purpose: str
    round: int
    earlier: str = ""


def submit(
    house: House,
    who: Member,
    dataset: str,
    request: Question,
    purpose: str,
    round: int = 0,
    seen: str | None = None,
    earlier: str = "",
) -> Inquiry:
    """Freeze a question and reserve its cost; within policy it is answered at once.

    The same question in the same round is the same request, however often it is sent. `seen` is
    the `fingerprint.of_question` that was on the analyst's screen: another one is refused. `earlier`
    is the request that this one replaces.
    """
    require(who, "analyst")
    if round < 0:
        raise ParameterError("A round must be a whole number from 0 up.")
    name = name_of(request, nonce(dataset, who.id, round))
    if is_new(house, name):
        packages.check(request)  # it may take a while, so not while others wait for the database
        _check_readable(house, dataset)
    with acting(house, who, "analyst", dataset=dataset) as visit:
        before = next((asked for asked in visit.asked if asked["id"] == name), None)
        if before is None:
            draw = Draw(name, " ".join(writable(purpose).split()), round, earlier)
            row = _fresh(visit, request, draw, seen)
        else:
            _check_now(registry.of(visit), before["number"])
    if before is None and row["state"] == WAITING.name:
        return unanswered(row)
    return _fitting(house, finish(house, name))


def _check_now(data: Registered, number: int) -> None:
    """Refuse what was asked before as if it were asked now, where its answer is of other bounds."""
    if data.bounded_otherwise(number):
        raise ParameterError(BOUNDED)


def _check_readable(house: House, dataset: str) -> None:
    """Find out now that rows cannot be read; of what was withdrawn meanwhile, that it is gone."""
    try:
        registry.curator(house, dataset)
    except ParameterError:
        registry.find(house, dataset)
        raise


def _fitting(house: House, asked: Inquiry) -> Inquiry:
    """Refuse a request for which there was no room; where there is some now, its next round may have it."""
    if asked.state != REFUSED.name:
        return asked
    left = registry.ledger(house, asked.dataset).left
    if asked.cost.fits_in(left):
        raise ParameterError(ROOM_NOW)
    raise BudgetExceeded(asked.cost, left)


def _fresh(visit: Visit, request: Question, draw: Draw, seen: str | None) -> dict[str, Any]:
    """Write a request down that may be asked, and the one that it follows; return its row."""
    data = registry.of(visit)
    if seen not in (None, fingerprint.of_question(data, request, draw.round)):
        raise ParameterError(fingerprint.OTHER)
    number = visit.newest + 1
    visit.trail.read(data.name, f"#{number}")
    _check(visit, data, request, draw.purpose)
    before = check(visit.house, draw.earlier, data.id, visit.who.id) if draw.earlier else None
    row = _new(visit, data, request, draw, number)
    if before is not None:
        follow(visit.connection, draw.id, before.id)
    _told(visit, row, data.name, request, before)
    return row


def _check(visit: Visit, data: Registered, asked: Question, purpose: str) -> None:
    """Refuse what may not be asked, before anything is reserved."""
    rights.may_ask(visit)
    data.check_open()
    until = data.registration.keep_until
    today = visit.house.now.date().isoformat()
    if until and today > until:
        raise ParameterError("The rows of this dataset could be kept only until {day}.", day=until)
    if not FEWEST <= len(purpose.strip()) <= LONGEST:
        raise ParameterError("Enter the purpose in {fewest} to {most} characters.", fewest=FEWEST, most=LONGEST)
    if any(row.mechanism.open_only for row in asked.rows):
        raise ParameterError("This is a textbook version (not private). It never releases anything.")
    asked.check(data.registration.schema)
    visit.sealed_policy.check(asked, asked.cost(), today)
    check_share(visit.house, visit.who, data, asked.cost())


def _new(visit: Visit, data: Registered, request: Question, draw: Draw, number: int) -> dict[str, Any]:
    """Reserve the cost and write the request down, both or neither."""
    house = visit.house
    why = data.policy.waits(request)
    state = _reserved(house, data, request, draw) or (ALLOWED.name if why is None else WAITING.name)
    row = {
        "id": draw.id,
        "number": number,
        "dataset": data.id,
        "analyst": visit.who.id,
        **_frozen(request),
        "round": draw.round,
        "purpose": draw.purpose,
        "state": state,
        "why": json.dumps([why.template, why.values] if why else None),
        "asked": house.now.isoformat(timespec="seconds"),
        "decided_by": None,
        "decided": None,
        "reason": "",
        "checklist": "{}",
        "until": house.clock() + data.policy.days * DAY,
    }
    visit.connection.execute(insert(requests).values(**row))
    return row


def _told(visit: Visit, row: dict[str, Any], data: str, question: Question, before: Inquiry | None) -> None:
    """Put it on the trail in words."""
    number, words = f"#{row['number']}", {"state": row["state"], "question": titled(question)}
    words |= {} if before is None else {"replaces": f"#{before.number}"}
    visit.act(acts.ASKED, number, row, dataset=data, **words)


def _frozen(request: Question) -> dict[str, Any]:
    """Return a question and its price in the form of a row."""
    cost = {"cost_epsilon": request.cost().nano_epsilon, "cost_delta": request.cost().delta_units}
    return {"identity": request.identity, "question": json.dumps(plain(request)), **cost}


def _reserved(house: House, data: Registered, request: Question, draw: Draw) -> str:
    """Reserve the cost of a question; say that it is refused where it does not fit."""
    refusal = request.refusal_cost()
    try:
        registry.ledger(house, data.id).reserve(draw.id, refusal, request.cost() - refusal, request.account())
    except BudgetExceeded:
        return REFUSED.name
    return ""


# Desk: where an analyst asks of one registered dataset. It holds no rows and no way to them.


class Desk:
    """One analyst in front of one registered dataset."""

    def __init__(self, house: House, who: Member, dataset: str) -> None:
        """Sit down; only analysts can."""
        self._house = house
        self.who = require(who, "analyst")
        self.registered: Registered = registry.find(house, dataset)
        if not rights.may_ask_of(self.registered.policy, self.who):
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
        return queue.own(self._house, self.who, self.registered.id)

    def own(self, names: Collection[str]) -> list[Inquiry]:
        """Return those of some requests that are the analyst's own, of this dataset."""
        mine = (requests.c.id.in_(names), requests.c.dataset == self.registered.id, requests.c.analyst == self.who.id)
        return listed(self._house, select_requests().where(*mine))

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
        """The analyst's share of the budget and what they spent of it; None if there are no shares."""
        most = self.registered.policy.share_of(self.who.login)
        if most is None:
            return None
        return most, spent_by(self._house, self.registered.id, self.who.id)

    @property
    def allowed(self) -> Cost | None:
        """What is left of the analyst's share; None if there is none."""
        limit, share = limit_of(self.registered, self.who.login), self.share
        return None if limit is None or share is None else limit - limit.smaller(share[1])

    def check(self) -> None:
        """Refuse a person who manages these data or has decided about them."""
        with looking(self._house, self.who, self.registered.id) as visit:
            rights.may_ask(visit)

    def latest(self, request: Question) -> Inquiry | None:
        """Return the newest request of the same question."""
        return next((asked for asked in self.requests if asked.request == request), None)

    def passed(self, asked: Inquiry) -> bool:
        """Return whether a request is of earlier bounds: its answer is none under those of now."""
        return self.registered.bounded_otherwise(asked.number)

    def stored(self, request: Request, nonce: str = "") -> Release | None:
        """Return the newest answer of the same question, under the bounds of now."""
        latest = self.latest(request)
        return None if latest is None or self.passed(latest) else next(iter(latest.answers), None)

    def terms(self, request: Question) -> Terms:
        """Say what the policy does with a question, or refuse one that it does not allow."""
        request.check(self.registered.registration.schema)
        policy = self.registered.policy
        cost = request.cost()
        policy.check(request, cost, self._house.now.date().isoformat())
        self.check()
        check_share(self._house, self.who, self.registered, cost)
        return fitting(cost, self.ledger.left, self.ledger.after(cost, request.account()), policy.waits(request))

    def ask(
        self, request: Request | Finer, nonce: str = "", purpose: str = "", seen: str | None = None
    ) -> Release | None:
        """Send a question; its nonce is its round. None while it waits for a decision."""
        if isinstance(request, Finer):
            self.check_finer(request)
        release: Release | None = self.send(request, nonce, purpose, seen)
        return release

    def run(self, plan: FixedPlan, nonce: str = "", purpose: str = "", seen: str | None = None) -> Answers | None:
        """Send a plan likewise: one request, with one decision and one answer for all rows."""
        answers: Answers | None = self.send(plan, nonce, purpose, seen)
        return answers

    def send(
        self, question: Question, nonce: str = "", purpose: str = "", seen: str | None = None, earlier: str = ""
    ) -> Any:
        """Send either; `seen` is the seal of what the page showed, `earlier` the request that it replaces."""
        dataset = self.registered.id
        draw = int(nonce or 0)
        return submit(self._house, self.who, dataset, question, purpose, draw, seen, earlier).release

    def next_round(self, request: Question) -> int:
        """Return the round of a new draw, or the round that is under way."""
        latest = self.latest(request)
        if latest is None:
            return 0
        ended = latest.release is not None or latest.state not in LIVE or self.passed(latest)
        return latest.round + ended

    def check_finer(self, question: Finer) -> NoReturn:
        """Refuse: an officer decided about the answer as it stands, and its noisy numbers are not kept."""
        raise ParameterError(
            "Results from registered datasets do not support improved precision. Each request is decided separately."
        )
