"""Sessions: signing in with a password, and what keeps a browser signed in until it ends.

Attempts are counted before the password is looked at, for each account and each address.
"""

from __future__ import annotations

from uuid import uuid4

from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import Connection, delete, func, insert, select, update

from budget.errors import ParameterError
from budget.phrase import Phrase
from curator.office import links
from curator.office.house import House, writable
from curator.office.links import MINUTE, hashed, token
from curator.office.people import HASHER, LONGEST, Person, person_of
from curator.office.tables import attempts, people, sessions

WINDOW, MOST_OF_ONE, MOST_OF_PLACE = 15 * MINUTE, 5, 100
LIFE, IDLE = 12 * 3600.0, 2 * 3600.0
NOBODY = HASHER.hash(uuid4().hex)  # checked for unknown logins, so that they take as long
WRONG = Phrase("Login and password do not belong together, or the account is closed.")


def sign_in(house: House, login: str, password: str, place: str = "") -> Person:
    """Return the person a login and password belong to, or refuse; too many tries must wait."""
    login = writable(login).strip().lower()[:LONGEST]
    keys = [hashed(f"login:{login}")] + ([hashed(f"place:{place}")] if place else [])
    with house.writing() as connection:
        _wait(house, connection, keys)
        for key in keys:  # counted before the check: tries side by side cannot slip through
            connection.execute(insert(attempts).values(who=key, at=house.clock()))
        found = connection.execute(select(people).filter_by(login=login)).mappings().first()
    known = found["password"] if found and found["password"] and found["active"] else None
    right = _right(known or NOBODY, password) and known is not None
    with house.writing() as connection:
        if not right or found is None:
            house.act(connection, "", "was refused", found["login"] if found else "")
        else:
            connection.execute(delete(attempts).where(attempts.c.who == keys[0]))
            house.act(connection, found["id"], "signed in")
    if not right or found is None:
        raise ParameterError(WRONG)
    return person_of(found)


def start_session(house: House, who: Person) -> str:
    """Return the token of a new session."""
    with house.writing() as connection:
        secret, now = token(), house.clock()
        row = {"id": hashed(secret), "person": who.id, "until": now + LIFE, "seen": now}
        connection.execute(delete(sessions).where(sessions.c.until < now))
        connection.execute(insert(sessions).values(**row))
    return secret


def of_session(house: House, secret: str) -> Person | None:
    """Return whose session a token is, while it lasts and the account is open."""
    mark, now = hashed(secret), house.clock()
    with house.store.reading() as connection:
        found = select(people, sessions.c.until, sessions.c.seen).join(
            sessions, sessions.c.person == people.c.id
        ).where(sessions.c.id == mark)  # fmt: skip
        line = connection.execute(found).mappings().first()
    if line is None or not line["active"] or now > min(line["until"], line["seen"] + IDLE):
        return None
    if now > line["seen"] + MINUTE:
        with house.writing() as connection:
            connection.execute(update(sessions).filter_by(id=mark).values(seen=now))
    return person_of(line)


def end_session(house: House, secret: str, who: Person) -> None:
    """End a session for good."""
    with house.writing() as connection:
        connection.execute(delete(sessions).where(sessions.c.id == hashed(secret)))
        house.act(connection, who.id, "signed out")


def ticket(house: House, who: Person, browser: str) -> str:
    """Return a token that this browser, within a minute, exchanges for a session."""
    with house.writing() as connection:
        return links.make(house, connection, "enter", f"{who.id}:{hashed(browser)}", MINUTE)


def enter(house: House, secret: str, browser: str) -> str | None:
    """Exchange a ticket for the token of a session; only the browser that it was made for can."""
    with house.writing() as connection:
        told = links.find(house, connection, secret)
        if told is None or told["purpose"] != "enter":
            return None
        person, _, place = str(told["about"]).partition(":")
        if place != hashed(browser):
            return None
        links.use(house, connection, secret, "enter")
        line = connection.execute(select(people).filter_by(id=person)).mappings().one()
        return start_session(house, person_of(line))


def _wait(house: House, connection: Connection, keys: list[str]) -> None:
    now = house.clock()
    connection.execute(delete(attempts).where(attempts.c.at < now - WINDOW))
    for key, most in zip(keys, (MOST_OF_ONE, MOST_OF_PLACE), strict=False):
        tried = select(func.count()).select_from(attempts).where(attempts.c.who == key)
        if connection.execute(tried).scalar_one() >= most:
            raise ParameterError("Too many attempts. Wait a quarter of an hour and try again.")


def _right(kept: str, password: str) -> bool:
    try:
        return HASHER.verify(kept, password[: LONGEST + 1])
    except (Argon2Error, InvalidHashError):
        return False
