"""Deadlines: what ends on which day: requests that expire, rows that must be deleted, questions that end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

from sqlalchemy import select

from discreet.budget import Phrase
from discreet.budget.durable import verify
from discreet.office.datasets import registry
from discreet.office.datasets.registry import Registered
from discreet.office.decisions.decisions import sweep
from discreet.office.house import acts, audit_log
from discreet.office.house.acts import Act
from discreet.office.house.failures import DAY, HOUR
from discreet.office.house.house import House
from discreet.office.house.roles import DECIDERS, Member, require
from discreet.office.house.tables import acts as trail
from discreet.office.house.tables import requests
from discreet.office.notices.drafts import expire_drafts
from discreet.office.people import links
from discreet.office.requests.request import Inquiry, listed
from discreet.office.requests.states import WAITING
from discreet.office.rules import rights
from discreet.office.rules.visit import select_requests

EXPIRES = Phrase("Request expires without a decision")
DELETED = Phrase("Rows must be deleted")
ASKED = Phrase("Last day for requests")


@dataclass(frozen=True)
class Deadline:
    """One date: what ends on it, and its dataset or request."""

    day: date
    what: Phrase
    of: str


def deadlines(house: House, who: Member) -> list[Deadline]:
    """Return the deadlines of the data that a person manages, past ones first, then the nearest."""
    mine = rights.of_reader(house, require(who, *DECIDERS))
    datasets = {data.id: data for data in registry.everything(house) if data.id in mine}
    waiting = listed(house, select_requests().where(requests.c.state == WAITING.name, requests.c.dataset.in_(mine)))
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


# Watching: automatic notices about requests that expire soon and ledgers that do not verify.

SOON = 2 * DAY
TRAIL = "the trail"


class Watch:
    """The eyes of a server: looks every minute at what waits, every hour at the ledgers and the trail."""

    def __init__(self, house: House) -> None:
        """Begin with a look at everything."""
        self._house = house
        self._looked = 0.0

    def round(self) -> None:
        """Let expire what is late, remind of what will be, forget what is old, and verify what was not for an hour."""
        sweep(self._house)
        remind(self._house)
        expire_drafts(self._house)
        links.expire(self._house)
        if self._house.clock() - self._looked >= HOUR:
            self._looked = self._house.clock()
            alarm(self._house)


def remind(house: House) -> list[Inquiry]:
    """Send one reminder for each request that expires soon and has waited for half of its time."""
    waiting = listed(house, select_requests().where(requests.c.state == WAITING.name))
    now = house.clock()
    late = [asked for asked in waiting if asked.until - now < min(SOON, (asked.until - asked.asked.timestamp()) / 2)]
    with house.store.reading() as connection:
        new = [asked for asked in late if not audit_log.recorded(connection, acts.REMINDED, f"#{asked.number}")]
    for asked in new:
        with house.writing() as connection:
            if not audit_log.recorded(connection, acts.REMINDED, f"#{asked.number}"):
                house.act(connection, "", acts.REMINDED, f"#{asked.number}")
    return new


def alarm(house: House) -> list[str]:
    """Report, at most once a day, ledgers that do not verify, and the trail if it does not."""
    wrong = [data.name for data in registry.everything(house) if not verify(house.store, data.id).holds]
    if house.wrong_act(whole=True) is not None:
        wrong.append(TRAIL)
    for name in wrong:
        once_a_day(house, acts.ALARMED, name)
    return wrong


def once_a_day(house: House, act: Act, name: str) -> None:
    """Write down what goes on being wrong, once a day at most."""
    with house.writing() as connection:
        last = select(trail.c.time).filter_by(what=act.name, about=name).order_by(trail.c.seq.desc())
        before = connection.execute(last.limit(1)).scalar_one_or_none()
        if before is None or house.clock() - audit_log.moment(before) >= DAY:
            house.act(connection, "", act, name)
