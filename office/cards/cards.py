"""Cards: everything that must be known about one release, before and after it, and nothing else.

A card is made of what was written down and never changes: the registration, the question, the
decision, the lines of the ledger. It holds no number that was computed from rows, except the answer
that was released. `report.public` lists what may be on it: `strange_parts` finds whatever else is.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from discreet.budget import RULES, Cost, GaussianAccount, Phrase
from discreet.budget.durable.lines import Line
from discreet.budget.rules import Amount
from discreet.curator.plan import FixedPlan
from discreet.office.cards.card import (
    Accounting,
    Card,
    Charge,
    Data,
    Guarantee,
    Identity,
    Note,
    Other,
    Pace,
    People,
    Period,
    Use,
    Version,
    card_json,
)
from discreet.office.cards.proof import evidence
from discreet.office.cards.records import card_yaml, published, records, releases_json, releases_yaml, slug
from discreet.office.cards.review_case import Snapshot, Standing, anchor, charged
from discreet.office.cards.sections import jointly, particulars
from discreet.office.datasets import later_bounds
from discreet.office.requests import states
from discreet.office.requests.request import Inquiry
from discreet.office.rules.registration import Registration
from discreet.report.public import strange_parts
from discreet.report.risk import Risk, relation_of, risk
from discreet.report.words import titled

# Spending: what a request costs, what else was released, how long the budget lasts.

WEEK = timedelta(days=7)
SHORTEST = timedelta(days=13)
FAR = 100 * 365.25 / 7  # weeks; planning does not look further


def accounting(snapshot: Snapshot) -> Accounting:
    """Return the whole account of a request: its cost, the totals, its line, all others."""
    asked = snapshot.asked
    place = snapshot.place
    rule = snapshot.place.rule
    total = asked.request.total if isinstance(asked.request, FixedPlan) else None
    refusal = asked.request.refusal_cost()
    return Accounting(
        rule=rule.name,
        composition=rule.composition,
        cost=asked.cost if asked.release is None else asked.release.cost,
        proof=None if total is None else Phrase(total.proof),
        one_by_one=None if total is None else total.plain,
        cost_of_a_refusal=refusal,
        refusals=_refusals(asked.cost, refusal),
        counted_rho=rule.rho(place.net),
        spent_before=place.before,
        spent_after=place.after,
        total=place.limit,
        period=_period(snapshot),
        left_now=rule.left(place.room),
        charge=_line(place.charge),
        head=place.head,
        other_releases=_others(snapshot),
        outside_of_this_ledger=snapshot.data.registration.others,
        use=forecast_of_use(snapshot),
    )


def _period(snapshot: Snapshot) -> Period | None:
    """Return the rule of the periods, and the one to which this request is charged; None without a rule."""
    allowance = snapshot.data.registration.allowance
    own = snapshot.place.own
    if allowance is None:
        return None
    return Period(rule=allowance.words, label=own[0]["note"] if own else "", **allowance.each.numbers)


def _line(charge: Line | None) -> Charge | None:
    return None if charge is None else Charge(line=charge["seq"], hash=charge["hash"])


def _refusals(full: Cost, refusal: Cost) -> Phrase:
    words = Phrase(
        "If no result can be computed, the cost is {refusal}. A result costs {full}.", refusal=refusal, full=full
    )
    if refusal == full:
        words = Phrase("If no result can be computed, the cost is the same, so a failure reveals nothing.")
    return words


def _others(snapshot: Snapshot) -> tuple[Other, ...]:
    numbers = {request.id: request.number for request in snapshot.requests}
    return tuple(
        Other(request=numbers.get(name), charge=anchor(line), **cost.numbers)
        for name, (line, cost) in charged(snapshot.place.lines).items()
        if name != snapshot.asked.id
    )


def forecast_of_use(snapshot: Snapshot) -> Use:
    """Return how many more like this one fit, and when the budget ends at the pace so far."""
    place = snapshot.place
    now = snapshot.now
    times = [datetime.fromisoformat(line["time"]) for line, _ in charged(place.lines).values()]
    more = _more(snapshot.asked, place)
    if len(times) < 2 or now - min(times) < SHORTEST:
        return Use(more_like_this=more, pace=None, ends=None)  # a pace of a few days says nothing about months
    weeks = (now - min(times)) / WEEK
    used = place.used
    room = place.room
    pace = Pace(charges_a_week=len(times) / weeks, **_slice(place, used, weeks).numbers)
    left = min(
        have / (spent / weeks)
        for have, spent in ((room.loss, used.loss), (room.delta_units, used.delta_units))
        if spent
    )
    ends = (now + left * WEEK).date().isoformat() if left <= FAR else None
    return Use(more_like_this=more, pace=pace, ends=ends)


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


def card(snapshot: Snapshot, names: bool = True) -> Card:
    """Return the card of a request in whatever state; without names for the public."""
    question = snapshot.asked.request
    rows = particulars(snapshot)
    return Card(
        identity=_identity(snapshot),
        data=_data(snapshot, names),
        guarantee=_guarantee(snapshot),
        accounting=accounting(snapshot),
        evidence=evidence(snapshot.examined),
        people=_people(snapshot, names),
        rows=rows,
        jointly=jointly(question, rows) if isinstance(question, FixedPlan) else None,
    )


records.add("json", card_json)


def _identity(snapshot: Snapshot) -> Identity:
    asked = snapshot.asked
    data = snapshot.data
    said = data.registration
    again = [same for same in snapshot.same if same.request == asked.request and same.analyst == asked.analyst]
    release = asked.release
    return Identity(
        id=asked.id,
        number=asked.number,
        url_slug=slug(data.name, asked.number),
        title=titled(asked.request),
        curators=(said.organisation,) if said.organisation else (),  # never a person
        curator_kind=said.kind,
        contact=said.contact,
        purpose=asked.purpose,
        audience=Phrase("everyone") if data.published else Phrase("everyone who has an account here"),
        product="Summary statistics",
        region=said.region,
        sector=said.sector,
        asked=asked.asked.isoformat(),
        published="" if release is None else release.at.date().isoformat(),
        status=states.EVERY[asked.status].card,
        state=states.EVERY[asked.status].words,
        supersedes=tuple(same.number for same in again if same.number < asked.number),
    )


def _data(snapshot: Snapshot, names: bool) -> Data:
    """Return what was said about the data when they were registered."""
    data = snapshot.data
    said = data.registration
    by = [snapshot.name(edition.by) if names else Phrase("an officer") for edition in data.later[-1:]]
    version = data.versions[-1]
    return Data(
        id=data.id,
        name=data.name,
        registration_sha256=sha256(said.to_json().encode()).hexdigest(),
        fingerprint=data.fingerprint,
        source=said.source,
        collection=said.basis,
        registered=data.at,
        state=data.state,
        rows=Phrase("The number of rows is protected and is not on this card."),
        columns=json.loads(said.schema.to_json())["columns"],
        declared_by=snapshot.name(data.by) if names else Phrase("an officer"),
        bounds_chosen_by_looking=said.looked,
        public_number=said.people,
        extended=data.later[-1].at if by else "",
        extended_by=by[0] if by else "",
        keep_until=said.keep_until,
        no_day_because=said.forever,
        version=Version(
            number=version.number, day=version.at[:10], why=version.why, bounds=tuple(later_bounds.history(data))
        ),
        notes=tuple(Note(day=note.at[:10], text=note.text) for note in data.errata),
        other_people_than=said.apart,
        every_row_another_person=said.alone,
        administered_by=said.access if names else "",
        live=data.remote,
    )


def _guarantee(snapshot: Snapshot) -> Guarantee:
    """Return the guarantee, the protected unit and the meaning of both."""
    asked = snapshot.asked
    said = snapshot.data.registration
    cost = asked.cost if asked.release is None else asked.release.cost
    unit = said.protected
    variant, rho = _variant(said, asked)
    return Guarantee(
        variant=variant,
        epsilon=cost.epsilon,
        delta=cost.delta,
        rho=rho,
        privacy_unit=unit,
        risk=risk(cost, unit, Phrase("the result"), relation_of(asked.request.rows)),
        risk_of_all=risk(
            snapshot.place.answered, unit, Phrase("this and all earlier results"), _relation(snapshot, "charge")
        ),
        risk_of_waiting=_waiting(snapshot, unit),
        risk_of_budget=risk(snapshot.place.limit, unit, Phrase("all results that the whole budget allows"), None),
    )


def _relation(snapshot: Snapshot, *kinds: str) -> bool | None:
    """Return the neighbour relation of all requests that had lines of some kinds on the ledger; None if mixed."""
    names = snapshot.place.requests(*kinds)
    return relation_of(row for each in snapshot.requests if each.id in names for row in each.request.rows)


def _waiting(snapshot: Snapshot, unit: Phrase) -> Risk | None:
    """Return what it means once all that waits is answered, too; nothing where this one was, or alone waits."""
    place = snapshot.place
    if place.charge is not None or place.after == place.answered:
        return None
    what = Phrase("this result, all earlier results and all pending requests")
    return risk(place.after, unit, what, _relation(snapshot, "charge", "reserve"))


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
    return Phrase(
        "{state}, but the audit log has no such decision. The server administrator must verify it.", state=said
    )


def _officer(snapshot: Snapshot) -> str:
    """Return who decided, and the officer they substituted for."""
    name = snapshot.name(str(snapshot.asked.decided_by))
    return Phrase("{name} on behalf of {absent}", name=name, absent=snapshot.absent) if snapshot.absent else name


def _people(snapshot: Snapshot, names: bool) -> People:
    """Return who asked and who decided."""
    asked = snapshot.asked
    decided = asked.decided_by is not None
    who = Phrase("the policy of the dataset") if asked.state == states.ALLOWED.name else None
    if decided:
        who = Phrase("an officer")
    return People(
        analyst=snapshot.name(asked.analyst) if names else Phrase("an analyst"),
        decided_by=_officer(snapshot) if decided and names else who,
        decision=_decision(snapshot),
        decided=None if asked.decided is None else asked.decided.isoformat(),
        reason=asked.reason if names else "",
        checklist=asked.checklist if names else {},
        until=datetime.fromtimestamp(asked.until, UTC).isoformat(timespec="seconds"),
        signature=Phrase(
            "This card has no handwritten signature. The decision is in the hash-chained audit log, "
            "and the charge is in the hash-chained ledger."
        ),
    )
