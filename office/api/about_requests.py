"""About requests: sent, looked at, withdrawn and decided by the verbs of the office."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from discreet.budget import ParameterError
from discreet.curator.request import plain
from discreet.lab.report.titles import titled
from discreet.office import asked, cards, decisions, inbox, registry, seal, submissions
from discreet.office.api.about_data import Record, find
from discreet.office.api.call import Call, NotThere
from discreet.office.api.plain_form import question_of
from discreet.office.asked import Inquiry
from discreet.office.checklist import Item, checklist, to_answer
from discreet.office.dossier import dossier
from discreet.office.memberships import name_of
from discreet.office.releases import record_of
from discreet.office.roles import Denied, require
from discreet.office.snapshot import snapshot

MOST = 200  # requests of one answer


def listed(call: Call) -> Record:
    """List one's own requests, and those that officers and administrators see, newest first."""
    newest = inbox.newest(call.house, call.who, MOST + 1, call.body.get("before"))
    return {"requests": [_line(inquiry) for inquiry in newest[:MOST]], "more": len(newest) > MOST}


def shown(call: Call) -> Record:
    """Show a request as it stands, with its answers once there are some."""
    return _record(call, _one(call))


def card(call: Call) -> Record:
    """Give the card of a request, as its screen does."""
    return cards.card(snapshot(call.house, _one(call)))


def send(call: Call) -> Record:
    """Send a question or a plan; within policy it is answered at once, and the same one is sent once only."""
    require(call.who, "analyst")
    body, dataset = call.body, find(call).id
    question, round_, earlier = question_of(body["question"]), body.get("round", 0), body.get("replaces", "")
    sent = submissions.submit(
        call.house, call.who, dataset, question, body["purpose"], round_, body.get("seen"), earlier
    )
    return _record(call, sent)


def withdraw(call: Call) -> Record:
    """Take an own request back while nobody has decided."""
    return _record(call, decisions.withdraw(call.house, call.who, _one(call).id))


def points(call: Call) -> Record:
    """Give the checklist of a request, and the seal of what was read, for a decision about just that."""
    require(call.who, "officer")
    here = dossier(call.house, _one(call), call.who)
    items = checklist(here)
    open_points = to_answer(items)
    return {
        "points": [_point(item, item.name in open_points) for item in items],
        "seen": seal.of_decision(here.snapshot, items),
    }


def decide(call: Call) -> Record:
    """Approve, deny or send back what was read under a seal, once."""
    require(call.who, "officer")
    body, inquiry = call.body, _one(call)
    if body["verdict"] == "approved" and "seen" not in body:
        raise ParameterError("Read the checklist first, and send its seal as seen: it says what you decide about.")
    verdict, reason, said = body["verdict"], body.get("reason", ""), body.get("checklist", {})
    decided = decisions.decide(call.house, call.who, inquiry.id, verdict, reason, said, body.get("seen"))
    return _record(call, decided)


def _one(call: Call) -> Inquiry:
    """Return the request that the address names, if this person may see it."""
    try:
        return asked.seen_by(call.house, call.who, call.place["request"])
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
    """Return all of a request that whoever sees it may read."""
    release, decided = inquiry.release, inquiry.decided
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
