"""Couriers: news that leaves the house, act by act, from the trail; a place in the database says how far each has come.

Whatever is sent says what was done, about which request or dataset, and where to read more: no
question, no answer, no comment, no name of a person. A decision never waits for a courier, and what
cannot be sent is tried again, later and later, until it is given up and told to the log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from logging import getLogger
from typing import Any, Protocol

from sqlalchemy import Connection, func, insert, select, update

from discreet.budget import ParameterError
from discreet.office.acts import WORDS
from discreet.office.causes import cause
from discreet.office.house import House
from discreet.office.news import OF_OWN, OF_ROLE
from discreet.office.relations import acts, couriers
from discreet.office.watching import once_a_day

MATTERS = sorted({*OF_OWN, *(what for acts_of in OF_ROLE.values() for what in acts_of)})
PERSONAL = ("roles proposed",)  # about an account, whose name stays here
LEASE, FIRST, LONGEST, TRIES, ROUND = 120.0, 30.0, 3600.0, 12, 50
TOLD_AFTER = 3  # tries, before administrators are told: a server that is away for a minute is none of their news
Message = dict[str, Any]


class Courier(Protocol):
    """A way out of the house: what it is called, and how it sends; what cannot be sent raises OSError."""

    @property
    def name(self) -> str:
        """What its place in the database is called."""

    def send(self, message: Message) -> None:
        """Send one message."""


def deliver(house: House, courier: Courier) -> int:
    """Send what is new, in order; return how many messages were sent."""
    for sent in range(ROUND):
        message = _next(house, courier.name)
        if message is None:
            return sent
        try:
            courier.send(message)
        except (OSError, ParameterError) as refused:
            _failed(house, courier.name, message["id"], refused)
            return sent
        _done(house, courier.name, message["id"])
    return ROUND


def _next(house: House, name: str) -> Message | None:
    """Take the next act to tell of; no other server takes the same one meanwhile."""
    with house.writing() as connection:
        row = _row(connection, name)
        if row["after"] > house.clock():
            return None
        new = select(acts).where(acts.c.seq > row["seq"], acts.c.what.in_(MATTERS)).order_by(acts.c.seq)
        line = next((line for line in map(dict, connection.execute(new).mappings()) if _tells(line)), None)
        if line is not None:
            _write(connection, name, after=house.clock() + LEASE)
    return None if line is None else message_of(line)


def message_of(line: Mapping[str, Any]) -> Message:
    """Return what leaves the house of an act."""
    about = "" if line["what"] in PERSONAL else str(line["about"])
    path = f"/review?waiting={about[1:]}" if about.startswith("#") else "/trail"
    words = str(WORDS[line["what"]])
    return {"id": line["seq"], "at": line["time"], "what": line["what"], "words": words, "about": about, "path": path}


def _tells(line: Mapping[str, Any]) -> bool:
    """Say whether an act is worth a message: a question that waits for nobody is not."""
    return bool(line["what"] != "asked" or json.loads(line["told"]).get("state") == "waiting")


def _row(connection: Connection, name: str) -> Any:
    """Return how far a courier has come; a new one begins with what happens from now on."""
    row = connection.execute(select(couriers).filter_by(name=name)).mappings().first()
    if row is None:
        newest = connection.execute(select(func.max(acts.c.seq))).scalar()
        begin = {"name": name, "seq": -1 if newest is None else newest, "tries": 0, "after": 0.0}
        connection.execute(insert(couriers).values(**begin))
        return begin
    return row


def _done(house: House, name: str, seq: int) -> None:
    with house.writing() as connection:
        _write(connection, name, seq=seq, tries=0, after=0.0)


def _failed(house: House, name: str, seq: int, why: Exception) -> None:
    """Wait longer each time; after many tries give one message up, so that others get out."""
    with house.writing() as connection:
        tries = _row(connection, name)["tries"] + 1
        over = tries >= TRIES
        wait = min(FIRST * 2 ** (tries - 1), LONGEST)
        rest = {"seq": seq, "tries": 0} if over else {"tries": tries}
        _write(connection, name, after=house.clock() + wait, **rest)
    text = "%s: message %s is given up: %s" if over else "%s: message %s waits: %s"
    getLogger("discreet").error(text, name, seq, cause(why))
    if tries >= TOLD_AFTER:
        once_a_day(house, "unsent", name)


def _write(connection: Connection, name: str, **values: Any) -> None:
    connection.execute(update(couriers).filter_by(name=name).values(**values))
