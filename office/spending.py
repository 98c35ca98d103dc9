"""Spending: what a request costs, what else was released, how long the budget lasts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from discreet.budget import Cost, Phrase
from discreet.budget.durable.written import Told
from discreet.budget.rules import Amount
from discreet.office.asked import Inquiry
from discreet.office.jointly import composed
from discreet.office.snapshot import Snapshot
from discreet.office.standing import Standing, anchor, charged

WEEK, SHORTEST = timedelta(days=7), timedelta(days=13)
FAR = 100 * 365.25 / 7  # weeks after which nobody plans


def accounting(snapshot: Snapshot) -> dict[str, Any]:
    """Return the whole account of a request: its cost, the totals, its line, all others."""
    asked, place, rule = snapshot.asked, snapshot.place, snapshot.place.rule
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
    allowance, own = snapshot.data.registration.allowance, snapshot.place.own
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
    place, now = snapshot.place, snapshot.now
    times = [datetime.fromisoformat(line["time"]) for line, _ in charged(place.lines).values()]
    more = _more(snapshot.asked, place)
    forecast: dict[str, Any] = {"more_like_this": more, "pace": None, "ends": None}
    if len(times) < 2 or now - min(times) < SHORTEST:
        return forecast  # a pace of a few days says nothing about months
    weeks, used, room = (now - min(times)) / WEEK, place.used, place.room
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
    room, more = place.room, 0
    account = asked.request.account()
    while True:
        amount = place.rule.amount(asked.cost, account, room)
        if amount is None:
            return more
        parts = ((room.loss, amount.loss), (room.delta_units, amount.delta_units))
        times = min(have // need for have, need in parts if need)
        more += times
        room = room - Amount(times * amount.loss, times * amount.delta_units)
