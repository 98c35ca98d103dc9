"""Cards: everything that must be known about one release, before and after it, and nothing else.

A card is made of what was written down and never changes: the registration, the question, the
decision, the lines of the ledger. It holds no number that was computed from rows, except the answer
that was released. `lab.report.public` lists what may be on it: `strange_parts` finds whatever else is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from discreet.budget import RULES, GaussianAccount, Phrase
from discreet.curator.request import Request, plain
from discreet.lab.report.export import plain_answer
from discreet.lab.report.meaning import as_read, no_interval, parts
from discreet.lab.report.sheets import topic
from discreet.lab.report.strangers import strange_parts
from discreet.office.asked import STATES, Inquiry
from discreet.office.deployments import card_yaml, slug
from discreet.office.method import accuracy, method, unprotected
from discreet.office.proof import evidence, program
from discreet.office.registration import UNITS, Registration
from discreet.office.releases import releases_json, releases_yaml
from discreet.office.risk import risk
from discreet.office.snapshot import Snapshot
from discreet.office.spending import accounting
from discreet.office.standing import told
from discreet.rows.schema import Schema

__all__ = ["card", "card_json", "card_yaml", "releases_json", "releases_yaml", "strange_parts"]

VERSION = 1
DRAFT, PENDING, CHANGES, APPROVED = "Draft", "Pending", "Changes Required", "Approved"
STATUS = {"waiting": PENDING, "allowed": APPROVED, "approved": APPROVED, "answered": APPROVED, "changes": CHANGES}


def card(snapshot: Snapshot, names: bool = True) -> dict[str, Any]:
    """Return the card of a request in whatever state; without names for the public."""
    request = snapshot.asked.request
    return {
        "discreet_card": VERSION,
        "identity": _identity(snapshot, names),
        "release": _release(snapshot),
        "data": _data(snapshot, names),
        "guarantee": _guarantee(snapshot),
        "mechanism": method(request, program()),
        "accounting": accounting(snapshot),
        "accuracy": accuracy(request, snapshot.data.registration),
        "evidence": evidence(request.mechanism.slug),
        "people": _people(snapshot, names),
    }


def card_json(card: Mapping[str, Any]) -> str:
    """Write a card as JSON text."""
    return json.dumps(card, indent=1, ensure_ascii=False)


def titled(request: Request) -> str:
    """Write a question in words, in English: screens say it in their own language."""
    text = f"{topic(request)}: {', '.join(request.columns)}"
    for at, condition in enumerate(request.where):
        text += f"{' and' if at else ' where'} {condition.column} {condition.comparison} {plain(condition.value)}"
    return text + (f" for each {request.by}" if request.by else "")


def _identity(snapshot: Snapshot, names: bool) -> dict[str, Any]:
    asked, data = snapshot.asked, snapshot.data
    earlier = [same.number for same in snapshot.same if same.analyst == asked.analyst and same.number < asked.number]
    release = asked.release
    return {
        "id": asked.id,
        "number": asked.number,
        "url_slug": slug(data.name, asked.number),
        "title": titled(asked.request),
        "curators": [snapshot.name(data.by)] if names else [],
        "purpose": asked.purpose,
        "audience": Phrase("everybody") if data.published else Phrase("whoever has an account here"),
        "product": "Summary statistics",
        "region": data.registration.region,
        "sector": data.registration.sector,
        "asked": asked.asked.isoformat(),
        "published": "" if release is None else release.at.date().isoformat(),
        "status": STATUS.get(asked.status, DRAFT),
        "state": STATES[asked.status],
        "supersedes": earlier,
    }


def _release(snapshot: Snapshot) -> dict[str, Any]:
    """Return the question, and what came out if something did."""
    request, release = snapshot.asked.request, snapshot.asked.release
    schema = snapshot.data.registration.schema
    return {
        "question": titled(request),
        "identity": request.identity,
        "plain": plain(request),
        "answer": None if release is None else plain_answer(release.answer),
        "refused": None if release is None else release.refused,
        "interval": None if release is None else plain_answer(release.interval),
        "parts": list(parts(request, schema)),
        "as_read": list(as_read(request, schema)),
        "no_interval": no_interval(request),
    }


def _data(snapshot: Snapshot, names: bool) -> dict[str, Any]:
    """Return what was said about the data when they were registered."""
    data, said = snapshot.data, snapshot.data.registration
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
        **_end(said),
        "every_row_another_person": said.alone,
        "administered_by": said.access if names else "",
        "live": data.remote,
    }


def _end(said: Registration) -> dict[str, str]:
    """Return the day on which the rows go, or why there is none."""
    return {"keep_until": said.keep_until, "no_day_because": said.forever}


def _guarantee(snapshot: Snapshot) -> dict[str, Any]:
    """Return what is promised, to whom, and what it means."""
    asked, said = snapshot.asked, snapshot.data.registration
    cost = asked.cost if asked.release is None else asked.release.cost
    after, unit, limit = snapshot.place.after, UNITS[said.unit], said.limit
    variant, rho = _variant(said, asked)
    return {
        "variant": variant,
        **told(cost),
        "rho": rho,
        "neighbours": _neighbours(asked.request, unit),
        "privacy_unit": unit,
        "privacy_unit_details": details(asked.request, said.schema, unit),
        "data_domain": _domain(asked.request),
        "unprotected_quantities": unprotected(asked.request, said),
        "risk": risk(cost, unit, Phrase("the answer")),
        "risk_of_all": risk(after, unit, Phrase("all answers so far and this one")),
        "risk_of_budget": risk(limit, unit, Phrase("all answers that the whole budget allows")),
    }


def _variant(said: Registration, asked: Inquiry) -> tuple[str, float | None]:
    """Return the kind of guarantee, and its rho where the ledger counts in that."""
    alone, whole = asked.request.mechanism.account(), asked.request.account()
    rule = RULES[said.rule]
    if rule.variant and isinstance(alone, GaussianAccount) and whole is not None:
        return rule.variant, whole.rho
    return ("Approximate DP" if asked.cost.delta_units else "Pure DP"), None


def _domain(request: Request) -> Phrase:
    """Say of which tables the guarantee speaks."""
    size = request.mechanism.neighbours.size
    if size is None:
        return Phrase(
            "all tables with the declared columns, of any number of rows; other values are read by the declared rules"
        )
    return Phrase(
        "all tables with the declared columns in which {size} rows count; other values are read by the declared rules",
        size=size,
    )


def _neighbours(request: Request, unit: Phrase) -> Phrase:
    relation = request.mechanism.neighbours
    rows = Phrase("rows that count: {rows} at most", rows=relation.rows)
    if request.mechanism.view.in_blocks:
        rows = Phrase("all of them are in one block")
    if relation.change_one:
        return Phrase(
            "Two tables in which {size} rows count, and which differ in the rows of {unit}; {rows}.",
            size=relation.size,
            unit=unit,
            rows=rows,
        )
    return Phrase("One table has the rows of {unit}, the other has not; {rows}.", unit=unit, rows=rows)


def details(request: Request, schema: Schema, unit: Phrase) -> Phrase:
    """Say whose rows are protected together, and which of them count."""
    if schema.person is None:
        return Phrase("Every row is taken to be {unit} of its own.", unit=unit)
    name, person = schema.person
    if request.mechanism.view.in_blocks:
        return Phrase("Column {name} names {unit}; all of its rows are in one secret block.", name=name, unit=unit)
    if person.reduce is not None:
        return Phrase("Column {name} names {unit}; all of its rows become one.", name=name, unit=unit)
    return Phrase(
        "Column {name} names {unit}. Rows that count in an answer: {rows} at most, chosen by "
        "secret chance; the others are left out.",
        name=name,
        unit=unit,
        rows=person.rows,
    )


def _decision(snapshot: Snapshot) -> Phrase:
    """Return what was decided: only the trail can say so."""
    said = STATES[snapshot.asked.state]
    if snapshot.stands:
        return said
    return Phrase("{state}, but the trail knows no such decision: whoever keeps the server must verify it", state=said)


def _people(snapshot: Snapshot, names: bool) -> dict[str, Any]:
    """Return who asked and who decided."""
    asked = snapshot.asked
    decided = asked.decided_by is not None
    who = Phrase("the policy of the dataset") if asked.state == "allowed" else None
    if decided:
        who = Phrase("an officer")
    return {
        "analyst": snapshot.name(asked.analyst) if names else Phrase("an analyst"),
        "decided_by": snapshot.name(str(asked.decided_by)) if decided and names else who,
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
