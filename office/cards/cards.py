"""Cards: everything that must be known about one release, before and after it, and nothing else.

A card is made of what was written down and never changes: the registration, the question, the
decision, the lines of the ledger. It holds no number that was computed from rows, except the answer
that was released. `lab.report.public` lists what may be on it: `strange_parts` finds whatever else is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from discreet.budget import RULES, Cost, GaussianAccount, Phrase
from discreet.budget.durable.lines import Told
from discreet.budget.rules import Amount
from discreet.office.cards.proof import evidence
from discreet.office.cards.records import card_yaml, published, records, releases_json, releases_yaml, slug
from discreet.office.cards.review_case import Snapshot, Standing, anchor, charged
from discreet.office.cards.sections import Sections, composed, jointly, particulars
from discreet.office.datasets import later_bounds
from discreet.office.requests import states
from discreet.office.requests.request import Inquiry
from discreet.office.rules.registration import Registration
from discreet.report.public import strange_parts
from discreet.report.risk import risk
from discreet.report.words import titled

# Spending: what a request costs, what else was released, how long the budget lasts.

WEEK = timedelta(days=7)
SHORTEST = timedelta(days=13)
FAR = 100 * 365.25 / 7  # weeks after which nobody plans


def accounting(snapshot: Snapshot) -> dict[str, Any]:
    """Return the whole account of a request: its cost, the totals, its line, all others."""
    asked = snapshot.asked
    place = snapshot.place
    rule = snapshot.place.rule
    cost = asked.cost if asked.release is None else asked.release.cost
    return {
        "rule": rule.name,
        "composition": rule.composition,
        "cost": cost.numbers,
        **composed(asked.request),
        **_refusals(asked.cost, asked.request.refusal_cost()),
        "counted_rho": rule.rho(place.net),
        "spent_before": place.before.numbers,
        "spent_after": place.after.numbers,
        "total": place.limit.numbers,
        "period": _period(snapshot),
        "left_now": rule.left(place.room).numbers,
        "charge": _line(place.charge),
        "head": place.head,
        "other_releases": _others(snapshot),
        "outside_of_this_ledger": snapshot.data.registration.others,
        "use": forecast_of_use(snapshot),
    }


def _period(snapshot: Snapshot) -> dict[str, Any] | None:
    """Return the rule of the periods, and the one in which this request counts; None where there is no rule."""
    allowance = snapshot.data.registration.allowance
    own = snapshot.place.own
    if allowance is None:
        return None
    return {"rule": allowance.words, "label": own[0]["note"] if own else "", **allowance.each.numbers}


def _line(charge: Told | None) -> dict[str, Any] | None:
    return None if charge is None else {"line": charge["seq"], "hash": charge["hash"]}


def _refusals(full: Cost, refusal: Cost) -> dict[str, Any]:
    words = Phrase("If no answer can be computed, that costs {refusal}, an answer {full}.", refusal=refusal, full=full)
    if refusal == full:
        words = Phrase("If no answer can be computed, that costs the same, so that a failure tells nothing.")
    return {"cost_of_a_refusal": refusal.numbers, "refusals": words}


def _others(snapshot: Snapshot) -> list[dict[str, Any]]:
    numbers = {request.id: request.number for request in snapshot.requests}
    return [
        {"request": numbers.get(name), "charge": anchor(line), **cost.numbers}
        for name, (line, cost) in charged(snapshot.place.lines).items()
        if name != snapshot.asked.id
    ]


def forecast_of_use(snapshot: Snapshot) -> dict[str, Any]:
    """Return how many more like this one fit, and when the budget ends at the pace so far."""
    place = snapshot.place
    now = snapshot.now
    times = [datetime.fromisoformat(line["time"]) for line, _ in charged(place.lines).values()]
    more = _more(snapshot.asked, place)
    forecast: dict[str, Any] = {"more_like_this": more, "pace": None, "ends": None}
    if len(times) < 2 or now - min(times) < SHORTEST:
        return forecast  # a pace of a few days says nothing about months
    weeks = (now - min(times)) / WEEK
    used = place.used
    room = place.room
    forecast["pace"] = {"charges_a_week": len(times) / weeks, **_slice(place, used, weeks).numbers}
    left = min(
        have / (spent / weeks)
        for have, spent in ((room.loss, used.loss), (room.delta_units, used.delta_units))
        if spent
    )
    if left <= FAR:
        forecast["ends"] = (now + left * WEEK).date().isoformat()
    return forecast


def _slice(place: Standing, used: Amount, weeks: float) -> Cost:
    spent = place.rule.spent(used, place.limit)
    return Cost(round(spent.nano_epsilon / weeks), round(spent.delta_units / weeks))


def _more(asked: Inquiry, place: Standing) -> int:
    """Count how many charges like this one the rule would take one after the other."""
    room = place.room
    more = 0
    account = asked.request.account()
    while True:
        amount = place.rule.amount(asked.cost, account, room)
        if amount is None:
            return more
        parts = ((room.loss, amount.loss), (room.delta_units, amount.delta_units))
        times = min(have // need for have, need in parts if need)
        more += times
        room = room - Amount(times * amount.loss, times * amount.delta_units)


__all__ = ["card", "card_json", "card_yaml", "published", "records", "releases_json", "releases_yaml", "strange_parts"]

VERSION = 1


def card(snapshot: Snapshot, names: bool = True) -> dict[str, Any]:
    """Return the card of a request in whatever state; without names for the public."""
    question = snapshot.asked.request
    rows = particulars(snapshot)
    alone = question is question.rows[0]
    own: Sections = rows[0] if alone else jointly(question, rows)
    whole: Sections = {
        "identity": _identity(snapshot),
        "release": {},
        "data": _data(snapshot, names),
        "guarantee": _guarantee(snapshot),
        "mechanism": {},
        "accounting": accounting(snapshot),
        "accuracy": {},
        "evidence": evidence(snapshot.examined),
        "people": _people(snapshot, names),
    }
    sections = {name: own.get(name, {}) | part for name, part in whole.items()}
    card = {"discreet_card": VERSION} | {name: section for name, section in sections.items() if section}
    return card if alone else card | {"rows": rows}


def card_json(card: Mapping[str, Any]) -> str:
    """Write a card as JSON text."""
    return json.dumps(card, indent=1, ensure_ascii=False)


records.add("json", card_json)


def _identity(snapshot: Snapshot) -> dict[str, Any]:
    asked = snapshot.asked
    data = snapshot.data
    again = [same for same in snapshot.same if same.request == asked.request and same.analyst == asked.analyst]
    release = asked.release
    return {
        "id": asked.id,
        "number": asked.number,
        "url_slug": slug(data.name, asked.number),
        "title": titled(asked.request),
        **_curators(data.registration),
        "purpose": asked.purpose,
        "audience": Phrase("everybody") if data.published else Phrase("whoever has an account here"),
        "product": "Summary statistics",
        "region": data.registration.region,
        "sector": data.registration.sector,
        "asked": asked.asked.isoformat(),
        "published": "" if release is None else release.at.date().isoformat(),
        "status": states.EVERY[asked.status].card,
        "state": states.EVERY[asked.status].words,
        "supersedes": [same.number for same in again if same.number < asked.number],
    }


def _curators(said: Registration) -> dict[str, Any]:
    """Return the organisation that answers for the data, never a person."""
    return {
        "curators": [said.organisation] if said.organisation else [],
        "curator_kind": said.kind,
        "contact": said.contact,
    }


def _data(snapshot: Snapshot, names: bool) -> dict[str, Any]:
    """Return what was said about the data when they were registered."""
    data = snapshot.data
    said = snapshot.data.registration
    return {
        "id": data.id,
        "name": data.name,
        "registration_sha256": sha256(said.to_json().encode()).hexdigest(),
        "fingerprint": data.fingerprint,
        "source": said.source,
        "collection": said.basis,
        "registered": data.at,
        "state": data.state,
        "rows": Phrase("How many rows there are is protected, and not on this card."),
        "columns": json.loads(said.schema.to_json())["columns"],
        "declared_by": snapshot.name(data.by) if names else Phrase("an officer"),
        "bounds_chosen_by_looking": said.looked,
        "public_number": said.people,
        **_later(snapshot, names),
        "every_row_another_person": said.alone,
        "administered_by": said.access if names else "",
        "live": data.remote,
    }


def _versions(snapshot: Snapshot) -> dict[str, Any]:
    """Return which rows this is of, what was noted on any of them, and why similar data are of other people."""
    version = snapshot.data.versions[-1]
    data = snapshot.data
    return {
        "version": {
            "number": version.number,
            "day": version.at[:10],
            "why": version.why,
            **({"bounds": later} if (later := later_bounds.history(data)) else {}),
        },
        "notes": [{"day": note.at[:10], "text": note.text} for note in data.errata],
        "other_people_than": data.registration.apart,
    }


def _later(snapshot: Snapshot, names: bool) -> dict[str, Any]:
    """Return who declared more before this was asked, and the day on which the rows go, or why there is none."""
    data = snapshot.data
    said = snapshot.data.registration
    by = [snapshot.name(edition.by) if names else Phrase("an officer") for edition in data.later[-1:]]
    return {
        "extended": data.later[-1].at if by else "",
        "extended_by": by[0] if by else "",
        "keep_until": said.keep_until,
        "no_day_because": said.forever,
        **_versions(snapshot),
    }


def _guarantee(snapshot: Snapshot) -> dict[str, Any]:
    """Return what is promised, to whom, and what it means."""
    asked = snapshot.asked
    said = snapshot.data.registration
    cost = asked.cost if asked.release is None else asked.release.cost
    unit = said.protected
    variant, rho = _variant(said, asked)
    return {
        "variant": variant,
        **cost.numbers,
        "rho": rho,
        "privacy_unit": unit,
        "risk": risk(cost, unit, Phrase("the answer")),
        "risk_of_all": risk(snapshot.place.answered, unit, Phrase("all answers so far and this one")),
        **_waiting(snapshot, unit),
        "risk_of_budget": risk(snapshot.place.limit, unit, Phrase("all answers that the whole budget allows")),
    }


def _waiting(snapshot: Snapshot, unit: Phrase) -> dict[str, Any]:
    """Return what it means once all that waits is answered, too; nothing where this one was, or alone waits."""
    place = snapshot.place
    if place.charge is not None or place.after == place.answered:
        return {}
    words = Phrase("all answers so far, this one, and all that waits")
    return {"risk_of_waiting": risk(place.after, unit, words)}


def _variant(said: Registration, asked: Inquiry) -> tuple[str, float | None]:
    """Return the kind of guarantee, and its rho where the ledger counts in that."""
    whole = asked.request.account()
    rule = RULES[said.rule]
    gaussian = all(isinstance(row.mechanism.account(), GaussianAccount) for row in asked.request.rows)
    if rule.variant and gaussian and whole is not None:
        return rule.variant, whole.rho
    return ("Approximate DP" if asked.cost.delta_units else "Pure DP"), None


def _decision(snapshot: Snapshot) -> Phrase:
    """Return what was decided: only the trail can say so."""
    said = states.EVERY[snapshot.asked.state].words
    if snapshot.stands:
        return said
    return Phrase("{state}, but the trail knows no such decision: whoever keeps the server must verify it", state=said)


def _officer(snapshot: Snapshot) -> str:
    """Return who decided, and in whose stead."""
    name = snapshot.name(str(snapshot.asked.decided_by))
    return Phrase("{name} for {absent}", name=name, absent=snapshot.absent) if snapshot.absent else name


def _people(snapshot: Snapshot, names: bool) -> dict[str, Any]:
    """Return who asked and who decided."""
    asked = snapshot.asked
    decided = asked.decided_by is not None
    who = Phrase("the policy of the dataset") if asked.state == states.ALLOWED.name else None
    if decided:
        who = Phrase("an officer")
    return {
        "analyst": snapshot.name(asked.analyst) if names else Phrase("an analyst"),
        "decided_by": _officer(snapshot) if decided and names else who,
        "decision": _decision(snapshot),
        "decided": None if asked.decided is None else asked.decided.isoformat(),
        "reason": asked.reason if names else "",
        "checklist": dict(asked.checklist) if names else {},
        "until": datetime.fromtimestamp(asked.until, UTC).isoformat(timespec="seconds"),
        "signature": Phrase(
            "No signature by hand. The decision stands on the chained trail, the charge on the "
            "chained ledger of the data."
        ),
    }
