"""Entrance: signing in with a password, from a browser that is known or from anywhere.

Attempts are counted before the password is looked at, and so are codes of a second factor, together with
them. A browser that the account signed in from before is counted by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from time import sleep
from typing import Any, NoReturn

from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import Connection, delete, insert, select

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.office.durations import DAY
from discreet.office.factors import spend
from discreet.office.halfway import CODE, Halfway, arrived, row_of_half
from discreet.office.house import House, writable
from discreet.office.names import LONGEST
from discreet.office.passwords import HASHER, of_nobody
from discreet.office.relations import attempts, devices, people
from discreet.office.roles import Member, person_of
from discreet.office.tokens import hashed, token
from discreet.office.tries import count, place_of, refuse, refuse_code, refused_today, slowness

KNOWN = 180 * DAY
NOBODY = of_nobody()  # checked for unknown logins, so that they take as long
WRONG = Phrase("Login and password do not belong together, or the account is closed.")
WRONG_CODE = Phrase("This is not the code, or it was used already. Wait for the next one of your app.")


def sign_in(
    house: House, login: str, password: str, place: str = "", device: str = "", wait: Callable[[float], Any] = sleep
) -> Member | Halfway:
    """Return whose login and password these are, or how far that brings them; or refuse; too many tries must wait."""
    login = writable(login).strip().lower()[:LONGEST]
    account, keys = counted(house, login, place, device, wait)
    password_hash = account["password"] if account and account["password"] and account["active"] else None
    right = _right(password_hash or NOBODY, password) and password_hash is not None
    with house.writing() as connection:
        if not right or account is None:
            refuse(house, connection, login, account is not None)
        else:
            arrival = arrived(house, connection.execute(select(people).filter_by(id=account["id"])).mappings().one())
            _come_in(house, connection, arrival, keys)
    if not right or account is None:
        raise ParameterError(WRONG)
    return arrival


def give_code(
    house: House, half: Halfway, code: str, place: str = "", device: str = "", wait: Callable[[float], Any] = sleep
) -> Member:
    """Let somebody in whose password was right, by a code of their app or for recovery; each works once."""
    _, keys = counted(house, half.login, place, device, wait, of_code=True)
    with house.writing() as connection:
        row = row_of_half(house, connection, half, CODE)
        right = spend(house, connection, row, code)
        if right:
            _come_in(house, connection, person_of(row), keys)
    if not right:
        refused_code(house, half.login)
    return person_of(row)


def refused_code(house: House, login: str) -> NoReturn:
    """Say that a code was wrong, once that is counted."""
    with house.writing() as connection:
        refuse_code(house, connection, login)
    raise ParameterError(WRONG_CODE)


def counted(
    house: House, login: str, place: str, device: str, wait: Callable[[float], Any], of_code: bool = False
) -> tuple[Any, list[str]]:
    """Count a try before it is looked at; return the account of a login, and under what the try counts."""
    with house.writing() as connection:
        account = connection.execute(select(people).filter_by(login=login)).mappings().first()
        familiar = account is not None and _knows(house, connection, device, account["id"])
        keys = [hashed(f"device:{device}:{login}")] if familiar else _keys(login, place_of(place))
        slow = 0.0 if familiar else slowness(refused_today(house, connection, login))
        count(house, connection, [*keys, hashed(f"code:{login}")] if of_code and not familiar else keys)
    if slow:
        wait(slow)
    return account, keys


def _come_in(house: House, connection: Connection, arrival: Member | Halfway, keys: list[str]) -> None:
    """Forget the tries of whoever is in, and tell it; halfway nothing is forgotten."""
    if isinstance(arrival, Member):
        connection.execute(delete(attempts).where(attempts.c.who == keys[0]))
        house.act(connection, arrival.id, "signed in")


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
