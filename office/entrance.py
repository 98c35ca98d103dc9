"""Entrance: signing in with a password, from a browser that is known or from anywhere.

Attempts are counted before the password is looked at. A browser that the account signed in from
before is counted by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from time import sleep
from typing import Any
from uuid import uuid4

from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import Connection, delete, insert, select

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.office.house import House, writable
from discreet.office.names import LONGEST
from discreet.office.passwords import HASHER
from discreet.office.relations import attempts, devices, people
from discreet.office.roles import Member, person_of
from discreet.office.tokens import hashed, token
from discreet.office.tries import count, place_of, refuse, refused_today, slowness

KNOWN = 180 * 24 * 3600.0
NOBODY = HASHER.hash(uuid4().hex)  # checked for unknown logins, so that they take as long
WRONG = Phrase("Login and password do not belong together, or the account is closed.")


def sign_in(
    house: House, login: str, password: str, place: str = "", device: str = "", wait: Callable[[float], Any] = sleep
) -> Member:
    """Return the person a login and password belong to, or refuse; too many tries must wait."""
    login = writable(login).strip().lower()[:LONGEST]
    with house.writing() as connection:
        account = connection.execute(select(people).filter_by(login=login)).mappings().first()
        familiar = account is not None and _knows(house, connection, device, account["id"])
        keys = [hashed(f"device:{device}:{login}")] if familiar else _keys(login, place_of(place))
        slow = 0.0 if familiar else slowness(refused_today(house, connection, login))
        count(house, connection, keys)
    if slow:
        wait(slow)
    password_hash = account["password"] if account and account["password"] and account["active"] else None
    right = _right(password_hash or NOBODY, password) and password_hash is not None
    with house.writing() as connection:
        if not right or account is None:
            refuse(house, connection, login, account is not None)
        else:
            connection.execute(delete(attempts).where(attempts.c.who == keys[0]))
            house.act(connection, account["id"], "signed in")
    if not right or account is None:
        raise ParameterError(WRONG)
    return person_of(account)


def _keys(login: str, place: str) -> list[str]:
    """Return under what a try from somewhere counts."""
    return [hashed(f"login:{login}@{place}"), hashed(f"place:{place}")]


def remember(house: House, who: Member, device: str) -> str:
    """Let a browser be known to an account from now on; return what the browser keeps."""
    device, now = device or token(), house.clock()
    row = {"id": hashed(f"{device}:{who.id}"), "person": who.id, "until": now + KNOWN}
    with house.writing() as connection:
        connection.execute(delete(devices).where(devices.c.until < now))
        connection.execute(delete(devices).filter_by(id=row["id"]))
        connection.execute(insert(devices).values(**row))
    return device


def _knows(house: House, connection: Connection, device: str, person: str) -> bool:
    mine = select(devices.c.id).filter_by(id=hashed(f"{device}:{person}"))
    return connection.execute(mine.where(devices.c.until > house.clock())).first() is not None


def _right(digest: str, password: str) -> bool:
    try:
        return HASHER.verify(digest, password[: LONGEST + 1])
    except (Argon2Error, InvalidHashError):
        return False
