"""Remarks: what people say to each other about a request, each with who may read it; nothing is taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, func, insert, select

from discreet.budget import ParameterError, Phrase
from discreet.office.house import acts
from discreet.office.house.house import House
from discreet.office.house.roles import ANALYST, OFFICER, Denied, Member, require
from discreet.office.house.tables import people, remarks, requests
from discreet.office.people.accounts import readable
from discreet.office.requests.request import Inquiry, find
from discreet.office.rules import rights
from discreet.office.rules.visit import Visit, acting

ALL = "all"
OFFICERS = "officers"
AUDIENCES = {ALL: Phrase("the analyst and the officers"), OFFICERS: Phrase("officers only")}
LONGEST, MOST = 2_000, 200  # characters of a remark, remarks of a request


@dataclass(frozen=True)
class Remark:
    """A comment on a request, and its audience."""

    author: str
    name: str
    at: datetime
    audience: str
    body: str


def remark(house: House, who: Member | None, request: str, text: str, audience: str = ALL) -> None:
    """Say something about a request: to its analyst and the officers, or as an officer to officers only.

    The trail records that it was written, and a keyed digest of the text that reveals nothing without the key.
    """
    asked = find(house, request)
    body = _plain(text)
    _reads(house, _may(who, asked, audience), asked)
    if not 1 <= len(body) <= LONGEST:
        raise ParameterError("A comment must have 1 to {most} characters.", most=LONGEST)
    with acting(house, who, ANALYST, OFFICER) as visit:
        _may(visit.who, asked, audience)
        row = _row(visit, asked, audience, body)
        visit.connection.execute(insert(remarks).values(**row))
        said = {"remark": row["id"], "audience": audience, "mark": _mark(house, row)}
        visit.act(acts.REMARKED, f"#{asked.number}", None, **said)


def _row(visit: Visit, asked: Inquiry, audience: str, body: str) -> dict[str, Any]:
    """Return a comment in its place, behind all others."""
    times = select(func.count()).select_from(remarks).filter_by(request=asked.id)
    if visit.connection.execute(times).scalar_one() >= MOST:
        raise ParameterError(
            "This request has reached the limit of {most} comments. Talk to each other directly.", most=MOST
        )
    return {
        "id": uuid4().hex,
        "place": (visit.connection.execute(select(func.max(remarks.c.place))).scalar() or 0) + 1,
        "request": asked.id,
        "author": visit.who.id,
        "at": visit.house.now.isoformat(timespec="seconds"),
        "audience": audience,
        "body": body,
    }


def thread(house: House, who: Member | None, request: str) -> list[Remark]:
    """Return what was said about a request and may be read by this person, oldest first."""
    asked = find(house, request)
    reader = _reads(house, _may(who, asked), asked)
    audiences = (ALL,) if reader.id == asked.analyst else tuple(AUDIENCES)
    both = select(remarks, people.c.name).join(people, people.c.id == remarks.c.author)
    mine = both.where(remarks.c.request == request, remarks.c.audience.in_(audiences)).order_by(remarks.c.place)
    with house.store.reading() as connection:
        return [_remark(line) for line in connection.execute(mine).mappings()]


def every(house: House, asked: Inquiry) -> list[Remark]:
    """Return all comments on a request, for a person who may read everything about it."""
    both = select(remarks, people.c.name).join(people, people.c.id == remarks.c.author)
    with house.store.reading() as connection:
        lines = connection.execute(both.where(remarks.c.request == asked.id).order_by(remarks.c.place)).mappings()
        return [_remark(line) for line in lines]


def strange(house: House, connection: Connection, sealed: Iterable[Mapping[str, Any]]) -> Iterator[Phrase]:
    """Yield comments in the table that differ from the trail, and those that are missing from it."""
    said = {act["remark"]: (act["about"], act["mark"]) for act in sealed if "remark" in act}
    both = select(remarks, requests.c.number).join(requests, requests.c.id == remarks.c.request)
    for row in map(dict, connection.execute(both).mappings()):
        if said.pop(row["id"], None) != (f"#{row['number']}", _mark(house, row)):
            yield Phrase("A comment on request #{number} was changed.", number=row["number"])
    for about, _ in said.values():
        yield Phrase("A comment on request {about} is missing.", about=about)


def _may(who: Member | None, asked: Inquiry, audience: str = ALL) -> Member:
    """Return the person if they may read and write: the analyst of the request, or an officer."""
    who = require(who, ANALYST, OFFICER)
    if asked.analyst != who.id:
        require(who, OFFICER)
    elif audience != ALL:
        raise Denied  # comments among officers are not for the request's own analyst
    if audience not in AUDIENCES:
        raise ParameterError("A comment must be for everyone or for officers only.")
    return who


def _reads(house: House, who: Member, asked: Inquiry) -> Member:
    """Return the person if they sent the request or manage the data."""
    if asked.analyst != who.id:
        rights.check_reader(house, who, asked.dataset)
    return who


def _plain(text: str) -> str:
    """Return a text line by line, without invisible characters and those that reverse it."""
    return "\n".join(map(readable, text.splitlines())).strip()


def _mark(house: House, row: Mapping[str, Any]) -> str:
    return house.vault.fingerprint("\n".join(str(row[name]) for name in ("id", "author", "at", "audience", "body")))


def _remark(line: Any) -> Remark:
    at = datetime.fromisoformat(line["at"])
    return Remark(line["author"], line["name"], at, line["audience"], line["body"])
