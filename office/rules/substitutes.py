"""Substitutes: an officer names another one who decides for them, from one day to another.

If the policy of the data names officers, a substitute has the right of the absent one, and where they
have a right of their own they act by that. The two are one voice: where it takes two people, they are
never both of them (`rights`, `decisions`). It ends by itself, and with either account. A row that was
written into the table by hand gives no right: its mark is made with the key of the vault.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import delete, insert, select

from discreet.budget import ParameterError
from discreet.office.house import acts
from discreet.office.house.failures import DAY
from discreet.office.house.house import House
from discreet.office.house.roles import DECIDERS, Denied, Member, require
from discreet.office.house.tables import substitutes
from discreet.office.rules.visit import Visit, acting, looking

LONGEST_SUBSTITUTION = 92  # days


@dataclass(frozen=True)
class Substitution:
    """A substitute, the absent officer, and the first and last moment."""

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
    """Name another officer who decides for this one, from the first day to the end of the last one."""
    who = require(who, "officer")
    since = _start(first)
    until = _start(last) + DAY
    _check(house, since, until)
    with acting(house, who, "officer") as visit:
        connection = visit.connection
        who = visit.who
        other = _officer(visit, login)
        if other.id == who.id:
            raise ParameterError("You cannot be your own substitute. Name another officer.")
        connection.execute(delete(substitutes).where(substitutes.c.until <= house.clock()))
        mine = substitutes.c.officer == who.id
        both = (substitutes.c.since < until) & (substitutes.c.until > since)
        if connection.execute(select(substitutes.c.id).where(mine & both)).first():
            raise ParameterError("You already have a substitute on one of these days. End that substitution first.")
        row = {"id": uuid4().hex, "officer": who.id, "substitute": other.id, "since": since, "until": until}
        connection.execute(insert(substitutes).values(**row, mark=_mark(house, row)))
        days = first.isoformat(), last.isoformat()
        visit.act(acts.SUBSTITUTE, other.login, first_day=days[0], last_day=days[1])


def end_substitution(house: House, who: Member | None, substitution: str) -> None:
    """End it: the officer who is back, the substitute, or an administrator."""
    with acting(house, who, *DECIDERS) as visit:
        who = visit.who
        here = next((each for each in _sound(visit, visit.substitutions) if each.id == substitution), None)
        if here is None:
            raise ParameterError("This substitution has already ended.")
        if "administrator" not in who.roles and who.id not in (here.officer.id, here.substitute.id):
            raise Denied
        visit.connection.execute(delete(substitutes).filter_by(id=substitution))
        visit.act(acts.SUBSTITUTE_ENDED, here.substitute.login, of_officer=here.officer.login)


def substitutions(house: House, who: Member | None) -> list[Substitution]:
    """Return those that hold or will: one's own, in both ways; all of them for an administrator."""
    who = require(who, *DECIDERS)
    with looking(house, who) as visit:
        every = _sound(visit, visit.substitutions)
    return [each for each in every if "administrator" in who.roles or who.id in (each.officer.id, each.substitute.id)]


def colleagues(house: House, who: Member | None) -> list[Member]:
    """Return the officers that an officer can name."""
    who = require(who, "officer")
    with looking(house, who) as visit:
        return [each for each in _officers(visit).values() if each.id != who.id]


def stood_for(visit: Visit, substitute: Member) -> tuple[Member, ...]:
    """Return the officers for whom an officer can act at this moment."""
    if "officer" not in substitute.roles:
        return ()
    now = visit.house.clock()
    mine = [row for row in visit.substitutions if row["substitute"] == substitute.id and row["since"] <= now]
    return tuple(each.officer for each in _sound(visit, mine))


def _sound(visit: Visit, rows: Sequence[Mapping[str, Any]]) -> list[Substitution]:
    """Return those that officers with open accounts have named, as the key of the vault says."""
    by_id = {each.id: each for each in _officers(visit).values()} if rows else {}
    return [
        Substitution(row["id"], by_id[row["officer"]], by_id[row["substitute"]], row["since"], row["until"])
        for row in rows
        if row["officer"] in by_id and row["substitute"] in by_id
        if hmac.compare_digest(row["mark"], _mark(visit.house, row))
    ]


def _officers(visit: Visit) -> dict[str, Member]:
    """Return the officers who can sign in, by login."""
    return {each.login: each for each in visit.able if "officer" in each.roles}


def _officer(visit: Visit, login: str) -> Member:
    other = _officers(visit).get(login.strip().lower())
    if other is None:
        raise ParameterError("No officer who can sign in has this login. Name another officer.")
    return other


def _check(house: House, since: float, until: float) -> None:
    """Refuse days in the wrong order, that are past, or too many."""
    if not since < until:
        raise ParameterError("The last day must not be before the first day.")
    if until <= house.clock():
        raise ParameterError("These days are in the past. Choose future days.")
    if until - since > LONGEST_SUBSTITUTION * DAY:
        raise ParameterError(
            "A substitution can last at most {most} days. You can name the substitute again later.",
            most=LONGEST_SUBSTITUTION,
        )


def _start(day: date) -> float:
    """Return when a day begins, in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def _mark(house: House, row: Any) -> str:
    """Return the seal of a row, under a key that no database holds."""
    days = f"{float(row['since'])!r}:{float(row['until'])!r}"
    return house.vault.fingerprint(f"substitute:{row['id']}:{row['officer']}:{row['substitute']}:{days}")
