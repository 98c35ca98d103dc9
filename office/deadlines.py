"""Deadlines: what ends on which day: requests that expire, rows that must be deleted, questions that end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

from discreet.budget import Phrase
from discreet.office import charges, registry
from discreet.office.asked import listed, select_requests
from discreet.office.house import House
from discreet.office.registry import Registered
from discreet.office.relations import requests
from discreet.office.roles import Member, require

EXPIRES = Phrase("The request expires undecided")
DELETED = Phrase("The rows have to be deleted")
ASKED = Phrase("The last day of questions")


@dataclass(frozen=True)
class Deadline:
    """One day: what ends on it, and of which dataset or request."""

    day: date
    what: Phrase
    of: str


def deadlines(house: House, who: Member) -> list[Deadline]:
    """Return what ends when of the data that somebody keeps, the nearest first; what is past stands before it."""
    mine = charges.of_reader(house, require(who, "officer", "administrator"))
    datasets = {data.id: data for data in registry.everything(house) if data.id in mine}
    waiting = listed(house, select_requests().where(requests.c.state == "waiting", requests.c.dataset.in_(mine)))
    ends = [
        Deadline(
            datetime.fromtimestamp(each.until, UTC).date(), EXPIRES, f"#{each.number}, {datasets[each.dataset].name}"
        )
        for each in waiting
    ]
    for data in datasets.values():
        ends += _of(data)
    return sorted(ends, key=lambda each: (each.day, each.of))


def _of(data: Registered) -> Iterator[Deadline]:
    """Return what ends with a dataset itself."""
    if data.state != "deleted" and data.registration.keep_until:
        yield Deadline(date.fromisoformat(data.registration.keep_until), DELETED, data.name)
    if data.state == "open" and data.policy.until:
        yield Deadline(date.fromisoformat(data.policy.until), ASKED, data.name)
