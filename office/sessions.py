"""Sessions: what keeps a browser signed in until it ends."""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update

from discreet.office import factors, tokens
from discreet.office.durations import HOUR, MINUTE
from discreet.office.house import House
from discreet.office.relations import people, sessions
from discreet.office.roles import Denied, Member, person_of
from discreet.office.tokens import hashed, token

LIFE, IDLE = 12 * HOUR, 2 * HOUR


def start_session(house: House, who: Member) -> str:
    """Return the token of a new session."""
    with house.writing() as connection:
        secret, now = token(), house.clock()
        still = select(people.c.id).filter_by(id=who.id, active=True)
        if connection.execute(still).first() is None:
            raise Denied
        row = {"id": hashed(secret), "person": who.id, "until": now + LIFE, "seen": now}
        over = (sessions.c.until < now) | (sessions.c.seen < now - IDLE)
        connection.execute(delete(sessions).where(over))
        connection.execute(insert(sessions).values(**row))
    return secret


def of_session(house: House, secret: str) -> Member | None:
    """Return whose session a token is, while it lasts, and the account is open and has what the house wants of it."""
    mark, now = hashed(secret), house.clock()
    with house.store.reading() as connection:
        mine = (
            select(people, sessions.c.until, sessions.c.seen)
            .join(sessions, sessions.c.person == people.c.id)
            .where(sessions.c.id == mark)
        )
        line = connection.execute(mine).mappings().first()
    if line is None or not line["active"] or factors.lacking(line):
        return None
    if now > min(line["until"], line["seen"] + IDLE):
        with house.writing() as connection:  # it is gone, whatever the clock says later
            connection.execute(delete(sessions).filter_by(id=mark))
        return None
    if now > line["seen"] + MINUTE:
        with house.writing() as connection:
            connection.execute(update(sessions).filter_by(id=mark).values(seen=now))
    return person_of(line)


def end_session(house: House, secret: str, who: Member) -> None:
    """End a session for good."""
    with house.writing() as connection:
        connection.execute(delete(sessions).where(sessions.c.id == hashed(secret)))
        house.act(connection, who.id, "signed out")


def ticket(house: House, who: Member, browser: str) -> str:
    """Return a token that this browser, within a minute, exchanges for a session."""
    with house.writing() as connection:
        return tokens.make(house, connection, "enter", f"{who.id}:{hashed(browser)}", MINUTE)


def enter(house: House, secret: str, browser: str) -> str | None:
    """Exchange a ticket for the token of a session; only the browser that it was made for can."""
    with house.writing() as connection:
        link = tokens.find(house, connection, secret)
        if link is None or link["purpose"] != "enter":
            return None
        person, _, place = str(link["about"]).partition(":")
        if place != hashed(browser):
            return None
        tokens.use(house, connection, secret, "enter")
        line = connection.execute(select(people).filter_by(id=person)).mappings().one()
        return start_session(house, person_of(line))
