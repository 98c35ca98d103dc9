"""About data: registered datasets, what a question of them would cost, and what was released."""

from __future__ import annotations

import json
from typing import Any

from discreet.budget import ParameterError
from discreet.budget.prospect import Now, Terms, TooMuch
from discreet.curator.release import Question
from discreet.curator.request import Request, plain
from discreet.lab.plans import plan_from, planned
from discreet.lab.plans.plan_record import plan_record
from discreet.lab.report.titles import titled
from discreet.mechanisms.mechanism import CONFIDENCE
from discreet.office import charges, registry
from discreet.office.api.call import Call, NotThere
from discreet.office.api.plain_form import question_of
from discreet.office.desk import Desk
from discreet.office.registry import Registered
from discreet.office.releases import releases as every_release
from discreet.office.roles import Member, require

Record = dict[str, Any]


def listed(call: Call) -> Record:
    """List the datasets that this person may know."""
    keeps = charges.of_officer(call.house, call.who)
    mine = [data for data in registry.everything(call.house) if _known_to(call.who, data, keeps)]
    return {"datasets": [{"id": data.id, "name": data.name, "state": data.state} for data in mine]}


def shown(call: Call) -> Record:
    """Show what was said of a dataset, its policy, and its budget."""
    data = _data(call)
    return _said(data) | _budget(call, data) | {"policy": _policy(call, data)}


def forecast(call: Call) -> Record:
    """Say what a question would cost, what would happen to it, and how good its answer would be."""
    return _forecast(_desk(call), question_of(call.body["question"]))


def plan(call: Call) -> Record:
    """Choose methods and shares for a plan; its question can then be sent as it is."""
    desk = _desk(call)
    way = planned(plan_from(json.dumps(call.body["plan"])), desk.declared.schema)
    return {"plan": plan_record(way), "question": plain(way.fixed), **_forecast(desk, way.fixed)}


def releases(call: Call) -> Record:
    """Give all released answers of a dataset, as its list does."""
    data = _data(call)
    if not data.published:
        charges.check_reader(call.house, require(call.who, "officer", "administrator"), data.id)
    return every_release(call.house, data.id)


def _said(data: Registered) -> Record:
    """Return what was said of a dataset, and how it stands."""
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
    """Say whether somebody, who keeps these data, sees one of all on a screen."""
    asks = "analyst" in who.roles and charges.may_ask_of(data.policy, who)
    return data.published or data.id in keeps or (asks and data.state == "open")


def _data(call: Call) -> Registered:
    """Return the dataset that the address names, if this person may know it."""
    data = find(call)
    if (
        not _known_to(call.who, data, charges.of_officer(call.house, call.who))
        and "administrator" not in call.who.roles
    ):
        raise NotThere
    return data


def find(call: Call) -> Registered:
    """Return the dataset that the address names, whoever asks."""
    try:
        return registry.find(call.house, call.place["dataset"])
    except ParameterError:
        raise NotThere from None


def _desk(call: Call) -> Desk:
    """Sit down in front of the dataset that the address names."""
    require(call.who, "analyst")
    return Desk(call.house, call.who, find(call).id)


def _policy(call: Call, data: Registered) -> Record:
    """Return a policy; the shares of single analysts are for the officers of these data, and one's own."""
    record: Record = json.loads(data.policy.to_json())
    if data.id not in charges.of_officer(call.house, call.who):
        record |= {"share": data.policy.share_of(call.who.login), "shares": {}, "officers": [], "analysts": []}
    return record


def _forecast(desk: Desk, question: Question) -> Record:
    terms, cost = desk.terms(question), question.cost()
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
    return "answered" if isinstance(terms, Now) else "refused" if isinstance(terms, TooMuch) else "waiting"


def _why(terms: Terms) -> str | None:
    """Say why a question would wait, or not fit."""
    if isinstance(terms, Now):
        return None
    return str(terms.by if isinstance(terms, TooMuch) else terms.why)
