"""News: what a person should know of other people's acts, read from the trail; a mark stores how far they have read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Text, cast, delete, insert, literal, or_, select

from discreet.budget import ParameterError, Phrase
from discreet.office.house import acts
from discreet.office.house.audit_log import nobody
from discreet.office.house.failures import WEEK
from discreet.office.house.house import House
from discreet.office.house.roles import ADMINISTRATOR, DECIDERS, OFFICER, ROLES, Member, present, require
from discreet.office.house.tables import acts as told_acts
from discreet.office.house.tables import people, readings, requests, tongues
from discreet.office.notices.disclosure import about_none_but
from discreet.office.requests.remarks import ALL
from discreet.office.requests.states import WAITING
from discreet.office.rules.rights import kept_by
from discreet.office.rules.visit import Visit

# Language: that of a person's mail.

FIRST = "en"  # without a choice
CODE = re.compile(r"[a-z]{2,3}")


Said = Callable[..., str]  # says a sentence in a language: its code, the sentence, and what fills its slots


def in_english(_: str, text: str, /, **values: object) -> str:
    """Say a sentence as it stands in the code."""
    return str(Phrase(text, **values)) if values else str(text)


def own_tongue(house: House, who: Member | None) -> str:
    """Return the language of a person's mail."""
    with house.store.reading() as connection:
        return tongue_of(connection, require(who, *ROLES).id)


def choose_tongue(house: House, who: Member | None, language: str, first: bool = False) -> None:
    """Set the language of one's mail; with `first` only if none is set. It is not an act on the trail."""
    who = require(who, *ROLES)
    if not CODE.fullmatch(language):
        raise ParameterError("Choose a language from the list.")
    with house.writing() as connection:
        who = present(connection, who, *ROLES)
        mine = connection.execute(select(tongues).filter_by(person=who.id)).first()
        if first and mine is not None:
            return
        connection.execute(delete(tongues).filter_by(person=who.id))
        connection.execute(insert(tongues).values(person=who.id, language=language))


def tongue_of(connection: Connection, person: str) -> str:
    """Return the same in a transaction that is under way."""
    language = connection.execute(select(tongues.c.language).filter_by(person=person)).scalar_one_or_none()
    return str(language or FIRST)


# by role: acts about everything; acts about one's own requests, and about one's own account
OF_ROLE = {role: tuple(act.name for act in acts.EVERY.values() if role in act.hears) for role in DECIDERS}
OF_OWN = acts.those(lambda act: acts.ASKER in act.hears)
OF_ACCOUNT = acts.those(lambda act: acts.OWNER in act.hears)
SETTLES_POLICY = acts.those(lambda act: act.fulfils == "policy" or act is acts.DROPPED)
OLDEST = timedelta(days=30)
MOST = 100


@dataclass(frozen=True)
class Happening:
    """One piece of news: actor, act, object, and whether it is new to the reader."""

    seq: int
    time: datetime
    who: str | Phrase
    words: Phrase
    about: str
    new: bool

    @property
    def number(self) -> str:
        """The number of the request that it is about, if it is about one."""
        return self.about[1:] if self.about.startswith("#") and self.about[1:].isdecimal() else ""


def news(house: House, who: Member | None) -> list[Happening]:
    """Return what is worth knowing of the last month, newest first."""
    who = require(who, *ROLES)
    with house.store.reading() as connection:
        read = _read(connection, who)
        newest = list(lines(house, connection, who))
        named = select(people.c.id, people.c.name).where(people.c.id.in_({line["who"] for line in newest}))
        names = {line.id: line.name for line in connection.execute(named)}
    return [
        Happening(
            line["seq"],
            datetime.fromisoformat(line["time"]),
            names.get(line["who"], line["who"]) if line["who"] else nobody(line["what"]),
            acts.EVERY[line["what"]].words,
            line["about"],
            line["seq"] > read,
        )
        for line in newest
    ]


def unread(house: House, who: Member | None) -> int:
    """Count what is new, up to a hundred."""
    who = require(who, *ROLES)
    with house.store.reading() as connection:
        return sum(1 for _ in lines(house, connection, who, _read(connection, who)))


def mark(house: House, who: Member | None, seq: int) -> None:
    """Store how far a person has read. It is not an act on the trail."""
    require(who, *ROLES)
    with house.writing() as connection:
        who = present(connection, who, *ROLES)
        if seq > _read(connection, who):
            connection.execute(delete(readings).filter_by(person=who.id))
            connection.execute(insert(readings).values(person=who.id, seq=seq))


def _read(connection: Connection, who: Member) -> int:
    seq = connection.execute(select(readings.c.seq).filter_by(person=who.id)).scalar_one_or_none()
    return -1 if seq is None else int(seq)


def lines(house: House, connection: Connection, reader: Member, after: int = -1) -> Iterator[Any]:
    """Yield the acts of others, and those about one's own account, that are news for a person, newest first."""
    numbers = select(literal("#") + cast(requests.c.number, Text)).where(requests.c.analyst == reader.id)
    own = told_acts.c.about.in_(numbers) & told_acts.c.what.in_(OF_OWN)
    since = (house.now - OLDEST).isoformat(timespec="microseconds")
    others = (told_acts.c.who != reader.id) & or_(own, *_of_roles(house, connection, reader))
    account = (told_acts.c.about == reader.login) & told_acts.c.what.in_(OF_ACCOUNT)
    new = (told_acts.c.seq > after) & (told_acts.c.time >= since)
    query = select(told_acts, own.label("own")).where(new & or_(others, account))
    for line in connection.execute(query.order_by(told_acts.c.seq.desc()).limit(MOST)).mappings():
        if _worth(line):
            yield line


def _of_roles(house: House, connection: Connection, reader: Member) -> Iterator[ColumnElement[bool]]:
    """Yield what must hold of an act that is news by a role: for an officer it is about data that they keep.

    A policy that waits for a second officer is news to every officer: each can be that one.
    """
    if OFFICER in reader.roles:
        yield _waiting_policy(house)
        yield told_acts.c.what.in_(OF_ROLE[OFFICER]) & about_none_but(kept_by(Visit(house, connection, reader)))
    if ADMINISTRATOR in reader.roles:
        yield told_acts.c.what.in_(OF_ROLE[ADMINISTRATOR])


def _waiting_policy(house: House) -> ColumnElement[bool]:
    """Return what must hold of an act that proposes a policy, for a week, while nothing has come of it."""
    later = told_acts.alias()
    week = (house.now - timedelta(seconds=WEEK)).isoformat(timespec="microseconds")
    settled = select(later.c.seq).where(later.c.about == told_acts.c.about, later.c.what.in_(SETTLES_POLICY))
    waits = ~settled.where(later.c.seq > told_acts.c.seq).exists()
    return (told_acts.c.what == acts.POLICY_PROPOSED.name) & (told_acts.c.time > week) & waits


def _worth(line: Any) -> bool:
    """Return whether an act is news: not a question that needs no decision, nor an act that its analyst may not see."""
    details = json.loads(line["told"])
    if line["what"] == acts.ASKED.name:
        return bool(details.get("state") == WAITING.name)
    return not (line["own"] and line["what"] == acts.REMARKED.name and details.get("audience") != ALL)


# Bulletins: what leaves the house for one person by mail: that something happened, and where.

Say = Callable[..., str]  # says a sentence in the language of who reads it
WORDS_OF_KINDS = {
    "waiting": Phrase("Something is waiting for you"),
    "decided": Phrase("Your request has a decision or a result"),
    "ending": Phrase("A request expires soon, has expired or was withdrawn"),
    "talk": Phrase("Someone commented on a request"),
    "account": Phrase("Two-factor authentication of your account has changed"),
    "alarms": Phrase("A verification failed, or a message could not be sent"),
}
KINDS = {
    kind: (words, tuple(act.name for act in acts.EVERY.values() if act.mail == kind))
    for kind, words in WORDS_OF_KINDS.items()
}


@dataclass(frozen=True)
class Bulletin:
    """One piece of news: its act, time and kind, and its request if it has one."""

    seq: int
    at: datetime
    kind: str
    number: str
    path: str

    def title(self, say: Say) -> str:
        """Return what it says in one line."""
        return " · ".join(filter(None, (f"#{self.number}" if self.number else "", say(KINDS[self.kind][0]))))


def bulletins(
    house: House, connection: Connection, reader: Member, after: int = -1, wanted: Collection[str] = tuple(KINDS)
) -> list[Bulletin]:
    """Return a person's news after an act, of the wanted kinds, newest first."""
    every = [_bulletin(line) for line in lines(house, connection, reader, after)]
    return [each for each in every if each.kind in wanted]


def _bulletin(line: Any) -> Bulletin:
    kind = acts.EVERY[line["what"]].mail
    number = line["about"][1:] if line["about"][:1] == "#" and line["about"][1:].isdecimal() else ""
    page = f"/requests?request={number}" if line["own"] else f"/review?waiting={number}"
    return Bulletin(line["seq"], datetime.fromisoformat(line["time"]), kind, number, page if number else "/news")
