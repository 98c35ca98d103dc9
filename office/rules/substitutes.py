"""Substitutes: an officer names another one who decides in their stead, from one day to another.

On data whose policy names officers a substitute has the right of the one who is away, and where they
have a right of their own they act by that. The two are one voice: where it takes two people, they are
never both of them (`rights`, `decisions`). It ends by itself, and with either account. A row that was
written into the table by hand gives no right: its mark is made with the key of the vault.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select

from discreet.budget import ParameterError
from discreet.office.house import acts
from discreet.office.house.failures import DAY
from discreet.office.house.house import House
from discreet.office.house.roles import DECIDERS, OPENID, Denied, Member, person_of, present, require
from discreet.office.house.tables import people, substitutes

LONGEST_SUBSTITUTION = 92  # days


@dataclass(frozen=True)
class Substitution:
    """Who stands in for whom, and from when to when."""

    id: str
    officer: Member
    substitute: Member
    since: float
    until: float

    @property
    def days(self) -> tuple[date, date]:
        """The first and the last day."""
        first, last = (datetime.fromtimestamp(at, UTC).date() for at in (self.since, self.until - DAY))
        return first, last


def name_substitute(house: House, who: Member | None, login: str, first: date, last: date) -> None:
    """Name another officer who decides in one's stead, from the first day to the end of the last one."""
    who = require(who, "officer")
    since = _start(first)
    until = _start(last) + DAY
    _check(house, since, until)
    with house.writing() as connection:
        who = present(connection, who, "officer")
        other = _officer(connection, login)
        if other.id == who.id:
            raise ParameterError("Nobody stands in for themselves. Name another officer.")
        connection.execute(delete(substitutes).where(substitutes.c.until <= house.clock()))
        mine = substitutes.c.officer == who.id
        both = (substitutes.c.since < until) & (substitutes.c.until > since)
        if connection.execute(select(substitutes.c.id).where(mine & both)).first():
            raise ParameterError("You have a substitute on one of these days already. End that first.")
        row = {"id": uuid4().hex, "officer": who.id, "substitute": other.id, "since": since, "until": until}
        connection.execute(insert(substitutes).values(**row, mark=_mark(house, row)))
        days = first.isoformat(), last.isoformat()
        house.act(connection, who.id, acts.SUBSTITUTE, other.login, first_day=days[0], last_day=days[1])


def end_substitution(house: House, who: Member | None, substitution: str) -> None:
    """End it: the officer who is back, the substitute, or an administrator."""
    who = require(who, *DECIDERS)
    with house.writing() as connection:
        who = present(connection, who, *DECIDERS)
        here = next((each for each in _every(house, connection) if each.id == substitution), None)
        if here is None:
            raise ParameterError("This substitution has ended already.")
        if "administrator" not in who.roles and who.id not in (here.officer.id, here.substitute.id):
            raise Denied
        connection.execute(delete(substitutes).filter_by(id=substitution))
        house.act(connection, who.id, acts.SUBSTITUTE_ENDED, here.substitute.login, of_officer=here.officer.login)


def substitutions(house: House, who: Member | None) -> list[Substitution]:
    """Return those that hold or will: one's own, in both ways; all of them for an administrator."""
    who = require(who, *DECIDERS)
    with house.store.reading() as connection:
        every = _every(house, connection)
    return [each for each in every if "administrator" in who.roles or who.id in (each.officer.id, each.substitute.id)]


def colleagues(house: House, who: Member | None) -> list[Member]:
    """Return the officers whom an officer can name."""
    who = require(who, "officer")
    with house.store.reading() as connection:
        return [each for each in _officers(connection).values() if each.id != who.id]


def stood_for(house: House, connection: Connection, substitute: Member) -> tuple[Member, ...]:
    """Return in whose stead an officer can act at this moment."""
    if "officer" not in substitute.roles:
        return ()
    now = house.clock()
    return tuple(
        each.officer
        for each in _every(house, connection, substitutes.c.substitute == substitute.id)
        if each.since <= now
    )


def _every(house: House, connection: Connection, *where: Any) -> list[Substitution]:
    """Return what has not ended, between open accounts of officers, the first to begin first."""
    live = select(substitutes).where(substitutes.c.until > house.clock(), *where)
    rows = connection.execute(live.order_by(substitutes.c.since, substitutes.c.id)).mappings().all()
    by_id = {each.id: each for each in _officers(connection).values()} if rows else {}
    return [
        Substitution(row["id"], by_id[row["officer"]], by_id[row["substitute"]], row["since"], row["until"])
        for row in rows
        if row["officer"] in by_id and row["substitute"] in by_id
        if hmac.compare_digest(row["mark"], _mark(house, row))
    ]


def _officers(connection: Connection) -> dict[str, Member]:
    """Return the officers who can sign in, by login."""
    rows = connection.execute(select(people).filter_by(active=True).order_by(people.c.login)).mappings()
    here = [person_of(row) for row in rows if row["password"] or row["id"].startswith(OPENID)]
    return {each.login: each for each in here if "officer" in each.roles}


def _officer(connection: Connection, login: str) -> Member:
    other = _officers(connection).get(login.strip().lower())
    if other is None:
        raise ParameterError("There is no officer with this login who can sign in. Name another one.")
    return other


def _check(house: House, since: float, until: float) -> None:
    """Refuse days in the wrong order, that are past, or too many."""
    if not since < until:
        raise ParameterError("The last day is not before the first one.")
    if until <= house.clock():
        raise ParameterError("These days are past. Choose days to come.")
    if until - since > LONGEST_SUBSTITUTION * DAY:
        raise ParameterError(
            "A substitute stands in for {most} days at most. Name one again later.", most=LONGEST_SUBSTITUTION
        )


def _start(day: date) -> float:
    """Return when a day begins, in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def _mark(house: House, row: Any) -> str:
    """Return the seal of a row, under a key that no database holds."""
    days = f"{float(row['since'])!r}:{float(row['until'])!r}"
    return house.vault.fingerprint(f"substitute:{row['id']}:{row['officer']}:{row['substitute']}:{days}")
