"""Spending: where a request stands on its ledger, what else was released, how long it lasts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from budget import Cost, Phrase
from budget.durable import DurableLedger
from budget.durable.written import amount_of
from budget.rules import RHO_UNITS, Amount
from curator.office import registry
from curator.office.asked import Asked, listed, select_requests
from curator.office.house import House
from curator.office.tables import requests

OWN = ("reserve", "expire", "charge", "settle")  # the lines that count for or against a request
WEEK, SHORTEST = timedelta(days=7), timedelta(days=13)
FAR = 100 * 365.25 / 7  # weeks after which nobody plans
RULES = {
    "Basic": Phrase("The costs of all releases of these data add up."),
    "zCDP": Phrase(
        "Every release counts its rho of zero-concentrated differential privacy; the sum is turned "
        "into epsilon at half of the delta of the budget."
    ),
}
Line = dict[str, Any]


@dataclass(frozen=True)
class Standing:
    """A request on its ledger: its lines, and the totals without it and with it."""

    ledger: DurableLedger
    lines: tuple[Line, ...]
    request: str

    @property
    def own(self) -> tuple[Line, ...]:
        """The request's own lines."""
        mine = [line for line in self.lines if line["request"] == self.request]
        return tuple(line for line in mine if line["kind"] in OWN)

    @property
    def charge(self) -> Line | None:
        """The line of its charge."""
        return next((line for line in self.own if line["kind"] == "charge"), None)

    @property
    def net(self) -> Amount:
        """What it counts for: nothing, if what was reserved came back."""
        return sum(map(amount_of, self.own), Amount())

    @property
    def total(self) -> Amount:
        """The total after its last charge or settlement; of now, as long as there is none."""
        done = [line for line in self.own if line["kind"] in ("charge", "settle")]
        return _total((done or [*self.lines])[-1]) if self.lines else Amount()

    @property
    def before(self) -> Cost:
        """What was spent or reserved by all others at that moment."""
        return self._cost(self.total - self.net)

    @property
    def after(self) -> Cost:
        """What was spent or reserved with this request."""
        return self._cost(self.total)

    @property
    def head(self) -> str:
        """The newest line as LINE:HASH."""
        return anchor(self.lines[-1]) if self.lines else ""

    @property
    def room(self) -> Amount:
        """What is left of the budget now, in the units of its rule."""
        used = _total(self.lines[-1]) if self.lines else Amount()
        return self.ledger.rule.capacity(self.ledger.limit) - used

    def _cost(self, total: Amount) -> Cost:
        return self.ledger.rule.spent(total, self.ledger.limit)


def standing(house: House, asked: Asked) -> Standing:
    """Return where a request stands."""
    ledger = registry.ledger(house, asked.dataset)
    return Standing(ledger, ledger.lines, asked.id)


def anchor(line: Line) -> str:
    """Write a line as LINE:HASH, as verification takes it."""
    return f"{line['seq']}:{line['hash']}"


def told(cost: Cost) -> dict[str, float]:
    """Write a cost as numbers."""
    return {"epsilon": cost.epsilon, "delta": cost.delta}


def charged(lines: tuple[Line, ...]) -> dict[str, tuple[Line, Cost]]:
    """Return each request that was charged: the line of its charge, and what it came to."""
    free = {line["request"] for line in lines if line["kind"] == "settle" and not line["taken"]}
    found = {}
    for line in lines:
        if line["kind"] == "charge":
            cost = Cost(line["cost_epsilon"], line["cost_delta"])
            held = Cost(line["held_epsilon"], line["held_delta"])
            found[line["request"]] = line, cost if line["request"] in free else cost + held
    return found


def accounting(house: House, asked: Asked) -> dict[str, Any]:
    """Return the whole account of a request: its cost, the totals, its line, all others."""
    place, one = standing(house, asked), registry.find(house, asked.dataset)
    cost = asked.cost if asked.release is None else asked.release.cost
    refusal, charge = asked.request.refusal_cost(), place.charge
    rule = place.ledger.rule
    return {
        "rule": rule.name,
        "composition": RULES[rule.name],
        "cost": told(cost),
        "cost_of_a_refusal": told(refusal),
        "refusals": _refusals(asked.cost, refusal),
        "counted_rho": place.net.loss / RHO_UNITS if rule.name == "zCDP" else None,
        "spent_before": told(place.before),
        "spent_after": told(place.after),
        "total": told(place.ledger.limit),
        "left_now": told(rule.left(place.room)),
        "charge": None if charge is None else {"line": charge["seq"], "hash": charge["hash"]},
        "head": place.head,
        "other_releases": _others(house, asked, place),
        "outside_of_this_ledger": one.registration.others,
        "use": forecast_of_use(house, asked, place),
    }


def _refusals(full: Cost, refusal: Cost) -> Phrase:
    if refusal == full:
        return Phrase(
            "If no answer can be computed, that costs the same, so that a failure tells nothing."
        )
    return Phrase(
        "If no answer can be computed, that costs {refusal}, an answer {full}.",
        refusal=refusal, full=full,
    )  # fmt: skip


def _others(house: House, asked: Asked, place: Standing) -> list[dict[str, Any]]:
    numbers = {
        one.id: one.number
        for one in listed(house, select_requests().where(requests.c.dataset == asked.dataset))
    }
    return [
        {"request": numbers.get(name), "charge": anchor(line), **told(cost)}
        for name, (line, cost) in charged(place.lines).items()
        if name != asked.id
    ]


def forecast_of_use(
    house: House, asked: Asked, place: Standing | None = None
) -> dict[str, Any]:  # fmt: skip
    """Return how many more like this one fit, and when the budget ends at the pace so far."""
    place = place or standing(house, asked)
    times = [
        datetime.fromisoformat(line["time"]) for line, _ in charged(place.lines).values()
    ]  # fmt: skip
    found: dict[str, Any] = {"more_like_this": _more(asked, place), "pace": None, "ends": None}
    if len(times) < 2 or house.now - min(times) < SHORTEST:
        return found  # a pace of a few days says nothing about months
    weeks = (house.now - min(times)) / WEEK
    used = _total(place.lines[-1])
    found["pace"] = {"charges_a_week": len(times) / weeks, **told(_slice(place, used, weeks))}
    left = min(
        room / (spent / weeks)
        for room, spent in (
            (place.room.loss, used.loss), (place.room.delta_units, used.delta_units)
        )
        if spent
    )  # fmt: skip
    if left <= FAR:
        found["ends"] = (house.now + left * WEEK).date().isoformat()
    return found


def _slice(place: Standing, used: Amount, weeks: float) -> Cost:
    spent = place.ledger.rule.spent(used, place.ledger.limit)
    return Cost(round(spent.nano_epsilon / weeks), round(spent.delta_units / weeks))


def _more(asked: Asked, place: Standing) -> int:
    """Count how many charges like this one the rule would take one after the other."""
    room, more = place.room, 0
    account = asked.request.account()
    while True:
        one = place.ledger.rule.amount(asked.cost, account, room)
        if one is None:
            return more
        parts = ((room.loss, one.loss), (room.delta_units, one.delta_units))
        times = min(have // need for have, need in parts if need)
        more += times
        room = room - Amount(times * one.loss, times * one.delta_units)


def _total(line: Line) -> Amount:
    return Amount(line["total_loss"], line["total_delta"])
