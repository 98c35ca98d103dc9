"""Watching: what is told without anybody looking: requests that expire soon, ledgers that do not verify."""

from __future__ import annotations

from sqlalchemy import select

from discreet.budget.durable import verify
from discreet.office import acts, registry, tokens
from discreet.office.asked import Inquiry, listed, select_requests
from discreet.office.decisions import sweep
from discreet.office.drafts import expire_drafts
from discreet.office.durations import DAY, HOUR
from discreet.office.house import House
from discreet.office.relations import acts as trail
from discreet.office.relations import requests

SOON = 2 * DAY
TRAIL = "the trail"


class Watch:
    """The eyes of a server: looks every minute at what waits, every hour at the ledgers and the trail."""

    def __init__(self, house: House) -> None:
        """Begin with a look at everything."""
        self._house, self._looked = house, 0.0

    def round(self) -> None:
        """Let expire what is late, remind of what will be, forget what is old, and verify what was not for an hour."""
        sweep(self._house)
        remind(self._house)
        expire_drafts(self._house)
        tokens.expire(self._house)
        if self._house.clock() - self._looked >= HOUR:
            self._looked = self._house.clock()
            alarm(self._house)


def remind(house: House) -> list[Inquiry]:
    """Tell once of each request that expires soon, and has waited for half of its time."""
    waiting, now = listed(house, select_requests().where(requests.c.state == "waiting")), house.clock()
    late = [asked for asked in waiting if asked.until - now < min(SOON, (asked.until - asked.asked.timestamp()) / 2)]
    with house.store.reading() as connection:
        new = [asked for asked in late if not acts.recorded(connection, "reminded", f"#{asked.number}")]
    for asked in new:
        with house.writing() as connection:
            if not acts.recorded(connection, "reminded", f"#{asked.number}"):
                house.act(connection, "", "reminded", f"#{asked.number}")
    return new


def alarm(house: House) -> list[str]:
    """Tell, once a day at most, which ledgers do not verify, and whether the trail does not."""
    wrong = [data.name for data in registry.everything(house) if not verify(house.store, data.id).holds]
    if house.wrong_act(whole=True) is not None:
        wrong.append(TRAIL)
    for name in wrong:
        once_a_day(house, "alarmed", name)
    return wrong


def once_a_day(house: House, what: str, name: str) -> None:
    """Write down what goes on being wrong, once a day at most."""
    with house.writing() as connection:
        last = select(trail.c.time).filter_by(what=what, about=name).order_by(trail.c.seq.desc())
        before = connection.execute(last.limit(1)).scalar_one_or_none()
        if before is None or house.clock() - acts.moment(before) >= DAY:
            house.act(connection, "", what, name)
