"""Outlook: the budget of every dataset: spent, reserved, left, who spent it, and until when it lasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate

from discreet.budget import Cost
from discreet.budget.allowance import Metered
from discreet.budget.durable.lines import Line, amount_of
from discreet.budget.rules import Amount
from discreet.office.datasets import registry
from discreet.office.datasets.registry import Registered
from discreet.office.house.house import House
from discreet.office.house.roles import DECIDERS, Member, require
from discreet.office.house.tables import requests
from discreet.office.requests.request import Inquiry, listed
from discreet.office.requests.states import LIVE, WAITING
from discreet.office.rules import rights
from discreet.office.rules.visit import select_requests

WEEK = timedelta(days=7)
SHORTEST = timedelta(days=13)
FAR = 100 * 365.25 / 7  # weeks; planning does not look further


@dataclass(frozen=True)
class Outlook:
    """One dataset: its budget, what waits, this period, and the day on which it is spent at the pace so far."""

    data: Registered
    limit: Cost
    spent: Cost  # and reserved
    left: Cost
    waiting: int
    period: Metered | None
    ends: str
    last: str  # the day of the newest answer


@dataclass(frozen=True)
class Portion:
    """What one analyst has of a dataset: spent by answers, reserved by what waits."""

    analyst: str
    spent: Cost
    reserved: Cost


def outlooks(house: House, who: Member) -> list[Outlook]:
    """Return the outlook of every dataset with requests that a person may read, by name."""
    mine = rights.of_reader(house, require(who, *DECIDERS))
    return [_outlook(house, data) for data in registry.everything(house) if data.id in mine]


def shares(house: House, who: Member, dataset: str) -> list[Portion]:
    """Return what each analyst has spent and reserved of a dataset, the largest first."""
    rights.check_reader(house, require(who, *DECIDERS), dataset)
    asked = listed(house, select_requests().where(requests.c.dataset == dataset))
    parts = [
        _share(name, [each for each in asked if each.analyst == name]) for name in {each.analyst for each in asked}
    ]
    return sorted(parts, key=lambda share: -(share.spent + share.reserved).nano_epsilon)


def spent_over_time(house: House, who: Member, dataset: str) -> list[tuple[datetime, float]]:
    """Return the epsilon that was spent or reserved after each line of the ledger."""
    rights.check_reader(house, require(who, *DECIDERS), dataset)
    ledger = registry.ledger(house, dataset)
    data = registry.find(house, dataset)
    lines = ledger.lines
    totals = accumulate(map(amount_of, lines), initial=Amount())
    times = [data.at, *(line["time"] for line in lines)]
    spent = [ledger.rule.spent(total, ledger.limit).epsilon for total in totals]
    return [*zip(map(datetime.fromisoformat, times), spent, strict=True), (house.now, ledger.spent.epsilon)]


def _outlook(house: House, data: Registered) -> Outlook:
    ledger = registry.ledger(house, data.id)
    asked = listed(house, select_requests().where(requests.c.dataset == data.id))
    days = [each.release.at for each in asked if each.release is not None]
    return Outlook(
        data,
        ledger.limit,
        ledger.spent,
        ledger.left,
        sum(each.state == WAITING.name for each in asked),
        ledger.period,
        _ends(ledger.lines, ledger.rule.capacity(ledger.limit), house.now),
        max(days).date().isoformat() if days else "",
    )


def _ends(lines: Sequence[Line], capacity: Amount, now: datetime) -> str:
    """Return the day on which the budget is spent at the pace so far; a pace of a few days says nothing."""
    charges = [datetime.fromisoformat(line["time"]) for line in lines if line["kind"] == "charge"]
    if len(charges) < 2 or now - min(charges) < SHORTEST:
        return ""
    total = sum(map(amount_of, lines), Amount())
    weeks = (now - min(charges)) / WEEK
    parts = ((capacity.loss, total.loss), (capacity.delta_units, total.delta_units))
    left = min((have - used) / (used / weeks) for have, used in parts if used)
    return (now + left * WEEK).date().isoformat() if left <= FAR else ""


def _share(name: str, asked: Sequence[Inquiry]) -> Portion:
    answered = [each.release.cost for each in asked if each.release is not None]
    reserved = [each.cost for each in asked if each.release is None and each.state in LIVE]
    return Portion(name, sum(answered, Cost.zero()), sum(reserved, Cost.zero()))
