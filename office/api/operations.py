"""Operations: the one table of what programs can call; a new one is an entry here and its test is there already."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from discreet.budget import ParameterError
from discreet.budget.ledger import Now, Terms, TooMuch
from discreet.curator.release import Question
from discreet.curator.request import Request, plain
from discreet.mechanisms.base.mechanism import CONFIDENCE
from discreet.office.api.calls import Call, NotThere
from discreet.office.api.forms import BodyField, question_of
from discreet.office.cards import cards
from discreet.office.cards.records import record_of
from discreet.office.cards.records import releases as every_release
from discreet.office.cards.review_case import dossier, snapshot
from discreet.office.datasets import registry
from discreet.office.datasets.registry import Registered
from discreet.office.decisions import decisions
from discreet.office.decisions.checklist import Item, checklist, to_answer
from discreet.office.desk import asking, queue
from discreet.office.desk.asking import Desk
from discreet.office.house.roles import ADMINISTRATOR, ANALYST, DECIDERS, OFFICER, ROLES, Denied, Member, require
from discreet.office.people.accounts import name_of
from discreet.office.requests import request
from discreet.office.requests.request import Inquiry
from discreet.office.requests.states import ANSWERED, APPROVED, REFUSED, WAITING
from discreet.office.rules import rights
from discreet.plans import plan_from, planned
from discreet.plans.planning import plan_record
from discreet.report.words import titled

# About data: registered datasets, what a question of them would cost, and what was released.

Record = dict[str, Any]


def list_datasets(call: Call) -> Record:
    """List the datasets that the owner of the token can see."""
    keeps = rights.of_officer(call.house, call.who)
    mine = [data for data in registry.everything(call.house) if _known_to(call.who, data, keeps)]
    return {"datasets": [{"id": data.id, "name": data.name, "state": data.state} for data in mine]}


def show_dataset(call: Call) -> Record:
    """Show the registration of a dataset, its policy, and its budget."""
    data = _data(call)
    return _said(data) | _budget(call, data) | {"policy": _policy(call, data)}


def forecast(call: Call) -> Record:
    """Forecast the cost of a query, what would happen to it, and its margins of error."""
    return _forecast(_desk(call), question_of(call.body["question"]))


def plan(call: Call) -> Record:
    """Choose mechanisms and shares for a plan; return the query to send."""
    desk = _desk(call)
    way = planned(plan_from(json.dumps(call.body["plan"])), desk.declared.schema)
    return {"plan": plan_record(way), "question": plain(way.fixed), **_forecast(desk, way.fixed)}


def releases(call: Call) -> Record:
    """Return all released results of a dataset."""
    data = _data(call)
    if not data.published:
        rights.check_reader(call.house, require(call.who, *DECIDERS), data.id)
    return every_release(call.house, data.id)


def _said(data: Registered) -> Record:
    """Return the declaration of a dataset, and its state."""
    said = data.registration
    return {
        "id": data.id,
        "name": data.name,
        "state": data.state,
        "published": data.published,
        "source": said.source,
        "basis": said.basis,
        "unit": said.protects,
        "people": said.people,
        "keep_until": said.keep_until,
        "live": data.remote,
        "version": len(data.versions),
        "notes": [{"at": note.at, "text": note.text} for note in data.errata],
        "declaration": json.loads(said.schema.to_json()),
    }


def _budget(call: Call, data: Registered) -> Record:
    """Return the budget of a dataset: for good, and in this period."""
    ledger = registry.ledger(call.house, data.id)
    period = ledger.period
    amounts = {"limit": ledger.limit, "spent": ledger.spent, "left": ledger.left}
    record: Record = {name: cost.numbers for name, cost in amounts.items()}
    return record | {"rule": ledger.rule.name, "left_of_period": None if period is None else period.left.numbers}


def _known_to(who: Member, data: Registered, keeps: frozenset[str]) -> bool:
    """Return whether a person sees the dataset on a screen; `keeps` are the ids of the datasets that they manage."""
    asks = ANALYST in who.roles and rights.may_ask_of(data.policy, who)
    return data.published or data.id in keeps or (asks and data.state == "open")


def _data(call: Call) -> Registered:
    """Return the dataset that the address names, if this person may know it."""
    data = find(call)
    if not _known_to(call.who, data, rights.of_officer(call.house, call.who)) and ADMINISTRATOR not in call.who.roles:
        raise NotThere
    return data


def find(call: Call) -> Registered:
    """Return the dataset that the address names, without a check of the caller."""
    try:
        return registry.find(call.house, call.place["dataset"])
    except ParameterError:
        raise NotThere from None


def _desk(call: Call) -> Desk:
    """Sit down in front of the dataset that the address names."""
    require(call.who, ANALYST)
    return Desk(call.house, call.who, find(call).id)


def _policy(call: Call, data: Registered) -> Record:
    """Return a policy; the shares of single analysts are for the officers of these data, and one's own."""
    record: Record = json.loads(data.policy.to_json())
    if data.id not in rights.of_officer(call.house, call.who):
        record |= {"share": data.policy.share_of(call.who.login), "shares": {}, "officers": [], "analysts": []}
    return record


def _forecast(desk: Desk, question: Question) -> Record:
    terms = desk.terms(question)
    cost = question.cost()
    people = desk.registered.registration.people
    return {
        "title": str(titled(question)),
        "cost": cost.numbers,
        "left": terms.left.numbers,
        "outcome": _outcome(terms),
        "why": _why(terms),
        "confidence": CONFIDENCE,
        "errors": [_error(row, desk, people) for row in question.rows],
        "round": desk.next_round(question),
    }


def _error(row: Request, desk: Desk, people: int | None) -> Record:
    """Say how far an answer is from the truth at most, 19 times in 20, where that can be promised."""
    expected = row.mechanism.forecast(row.public(desk.declared.schema, people))
    return {"half_width": expected.half_width, "note": str(expected.note)}


def _outcome(terms: Terms) -> str:
    """Say in a word what would happen."""
    state = ANSWERED if isinstance(terms, Now) else REFUSED if isinstance(terms, TooMuch) else WAITING
    return state.name


def _why(terms: Terms) -> str | None:
    """Say why a question would wait, or not fit."""
    if isinstance(terms, Now):
        return None
    return str(terms.by if isinstance(terms, TooMuch) else terms.why)


# About requests: sent, looked at, withdrawn and decided by the verbs of the office.

MOST = 200  # requests of one answer


def list_requests(call: Call) -> Record:
    """List the requests that the owner of the token can see, newest first."""
    newest = queue.newest(call.house, call.who, MOST + 1, call.body.get("before"))
    return {"requests": [_line(inquiry) for inquiry in newest[:MOST]], "more": len(newest) > MOST}


def show_request(call: Call) -> Record:
    """Show a request in its current state, with its results once there are some."""
    return _record(call, _one(call))


def card(call: Call) -> Record:
    """Return the release card of a request."""
    return cards.card(snapshot(call.house, _one(call))).to_json()


def send(call: Call) -> Record:
    """Send a query or a plan; within the policy it runs immediately, and the same one is sent only once."""
    require(call.who, ANALYST)
    body = call.body
    dataset = find(call).id
    question = question_of(body["question"])
    round_ = body.get("round", 0)
    earlier = body.get("replaces", "")
    sent = asking.submit(call.house, call.who, dataset, question, body["purpose"], round_, body.get("seen"), earlier)
    return _record(call, sent)


def withdraw(call: Call) -> Record:
    """Withdraw an own request that is not decided yet."""
    return _record(call, decisions.withdraw(call.house, call.who, _one(call).id))


def points(call: Call) -> Record:
    """Return the checklist of a request, and the seal of what was read, for a decision about this version."""
    require(call.who, OFFICER)
    here = dossier(call.house, _one(call), call.who)
    items = checklist(here)
    open_points = to_answer(items)
    return {
        "points": [_point(item, item.name in open_points) for item in items],
        "seen": decisions.fingerprint_of(here.snapshot, items),
    }


def decide(call: Call) -> Record:
    """Approve, deny or request changes, once, for the version that was read."""
    require(call.who, OFFICER)
    body = call.body
    inquiry = _one(call)
    if body["verdict"] == APPROVED.name and "seen" not in body:
        raise ParameterError(
            "Read the checklist first, then send its seal in the field seen. The seal shows which "
            "version you decide on."
        )
    verdict = body["verdict"]
    reason = body.get("reason", "")
    said = body.get("checklist", {})
    decided = decisions.decide(call.house, call.who, inquiry.id, verdict, reason, said, body.get("seen"))
    return _record(call, decided)


def _one(call: Call) -> Inquiry:
    """Return the request that the address names, if this person may see it."""
    try:
        return request.seen_by(call.house, call.who, call.place["request"])
    except (Denied, ParameterError):
        raise NotThere from None


def _line(inquiry: Inquiry) -> Record:
    """Return what a list says of a request."""
    return {
        "id": inquiry.id,
        "number": inquiry.number,
        "dataset": inquiry.dataset,
        "status": inquiry.status,
        "title": str(titled(inquiry.request)),
        "cost": inquiry.cost.numbers,
        "asked": inquiry.asked.isoformat(timespec="seconds"),
    }


def _record(call: Call, inquiry: Inquiry) -> Record:
    """Return every field of a request that its reader may see."""
    release = inquiry.release
    decided = inquiry.decided
    schema = registry.find(call.house, inquiry.dataset).schema_at(inquiry.number)
    return _line(inquiry) | {
        "question": plain(inquiry.request),
        "purpose": inquiry.purpose,
        "round": inquiry.round,
        "analyst": name_of(call.house, inquiry.analyst),
        "waits_because": None if inquiry.why is None else str(inquiry.why),
        "until": datetime.fromtimestamp(inquiry.until, UTC).isoformat(timespec="seconds"),
        "decided_by": None if inquiry.decided_by is None else name_of(call.house, inquiry.decided_by),
        "decided": None if decided is None else decided.isoformat(timespec="seconds"),
        "reason": inquiry.reason,
        "release": None if release is None else record_of(release, schema),
    }


def _point(item: Item, needed: bool) -> dict[str, Any]:
    """Return a point of the checklist: what was found, and whether a person has to answer it."""
    return {
        "name": item.name,
        "question": str(item.question),
        "verified": item.verified,
        "note": str(item.note),
        "to_answer": needed,
    }


# About tokens: the owner of this token, and what it allows.


def me(call: Call) -> Record:
    """Show the owner of the token, its rights, and when it expires."""
    own = call.bearer.credential
    return {
        "login": call.who.login,
        "name": call.who.name,
        "roles": sorted(call.who.roles),
        "token": own.name,
        "scopes": sorted(own.scopes),
        "until": datetime.fromtimestamp(own.until, UTC).isoformat(timespec="seconds"),
    }


BASE = "/api/v1"
IDS = {"dataset": "[0-9a-f]{32}", "request": "[0-9a-f]{64}"}
EVERYBODY = tuple(ROLES)
QUESTION = BodyField("object", "a query, or a plan as one query, in JSON", True, "Request FixedPlan")
ROUND = BodyField("integer", "0, or the next number to run the same query again with fresh noise, at full cost")
SEEN = BodyField("string", "the seal of the version that was read; any other version is refused")


@dataclass(frozen=True)
class Operation:
    """One address with its method: which scope and roles it needs, what it takes, and what does it."""

    name: str
    method: str
    path: str
    scope: str
    roles: tuple[str, ...]
    answer: str  # the schema of its answer
    work: Callable[[Call], Record]
    body: Mapping[str, BodyField] = field(default_factory=dict)
    query: Mapping[str, BodyField] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What it does, in the words of what does it."""
        return str(self.work.__doc__)

    @property
    def pattern(self) -> re.Pattern[str]:
        """What its addresses look like."""
        return re.compile(re.sub(r"{(\w+)}", lambda name: f"(?P<{name[1]}>{IDS[name[1]]})", BASE + self.path))


DATASET = "/datasets/{dataset}"
REQUEST = "/requests/{request}"
SENT = {
    "question": QUESTION,
    "purpose": BodyField("string", "the purpose of the query, in 10 to 2000 characters", True),
    "round": ROUND,
    "replaces": BodyField("string", "the id of an own request that ended without a result and is replaced by this one"),
    "seen": SEEN,
}
PLAN = {"plan": BodyField("object", "a plan file: queries, a total, target margins of error", True, "Plan")}
VERDICT = {
    "verdict": BodyField("string", "approved, denied or changes", True),
    "reason": BodyField("string", "at least 10 characters unless it is approved"),
    "checklist": BodyField("object", "an answer for each open point, by its name", texts=True),
    "seen": SEEN,
}
BEFORE = {"before": BodyField("integer", "only requests with smaller numbers: the next page")}
OPERATIONS = (
    Operation("me", "GET", "/me", "read", EVERYBODY, "Me", me),
    Operation("datasets", "GET", "/datasets", "read", EVERYBODY, "Datasets", list_datasets),
    Operation("dataset", "GET", DATASET, "read", EVERYBODY, "Dataset", show_dataset),
    Operation(
        "forecast", "POST", f"{DATASET}/forecasts", "read", (ANALYST,), "Forecast", forecast, {"question": QUESTION}
    ),
    Operation("plan", "POST", f"{DATASET}/plans", "read", (ANALYST,), "PlanForecast", plan, PLAN),
    Operation("send", "POST", f"{DATASET}/requests", "ask", (ANALYST,), "Inquiry", send, SENT),
    Operation("releases", "GET", f"{DATASET}/releases", "read", DECIDERS, "Releases", releases),
    Operation("requests", "GET", "/requests", "read", EVERYBODY, "Inquiries", list_requests, query=BEFORE),
    Operation("request", "GET", REQUEST, "read", EVERYBODY, "Inquiry", show_request),
    Operation("card", "GET", f"{REQUEST}/card", "read", EVERYBODY, "Card", card),
    Operation("withdraw", "POST", f"{REQUEST}/withdrawal", "ask", (ANALYST,), "Inquiry", withdraw),
    Operation("checklist", "GET", f"{REQUEST}/checklist", "read", (OFFICER,), "Checklist", points),
    Operation("decide", "POST", f"{REQUEST}/decision", "decide", (OFFICER,), "Inquiry", decide, VERDICT),
)


def at(path: str) -> dict[str, tuple[Operation, dict[str, str]]]:
    """Return the operations of an address by their methods, with what it names."""
    fits = [(operation, operation.pattern.fullmatch(path)) for operation in OPERATIONS]
    return {operation.method: (operation, match.groupdict()) for operation, match in fits if match is not None}
