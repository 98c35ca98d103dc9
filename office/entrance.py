"""Entrance: signing in with a password, from a browser that is known or from anywhere.

Attempts are counted before the password is looked at, and so are codes of a second factor, together with
them. A browser that the account signed in from before is counted by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from time import sleep
from typing import Any, NoReturn

from sqlalchemy import Connection, delete, insert, select

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.office.durations import DAY
from discreet.office.factors import spend
from discreet.office.halfway import CODE, Halfway, arrived, row_of_half
from discreet.office.house import House, writable
from discreet.office.names import LONGEST
from discreet.office.passwords import fits, of_nobody, turn
from discreet.office.relations import attempts, devices, people
from discreet.office.roles import Member, person_of
from discreet.office.tokens import hashed, token
from discreet.office.tries import check, count, place_of, refuse, refuse_code, refused_today, slowness

KNOWN = 180 * DAY
WRONG = Phrase("Login and password do not belong together, or the account is closed.")
WRONG_CODE = Phrase("This is not the code, or it was used already. Wait for the next one of your app.")


def sign_in(
    house: House, login: str, password: str, place: str = "", device: str = "", wait: Callable[[float], Any] = sleep
) -> Member | Halfway:
    """Return whose login and password these are, or how far that brings them; or refuse; too many tries must wait."""
    login = writable(login).strip().lower()[:LONGEST]
    account, keys, decoy = _looked_up(house, login, place, device, wait)
    password_hash = account["password"] if account and account["password"] and account["active"] else None
    with turn():  # whoever finds none has not tried
        _count(house, keys)
        right = fits(password_hash or decoy, password) and password_hash is not None
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
    account, keys, _ = _looked_up(house, login, place, device, wait, of_code)
    _count(house, keys)
    return account, keys


def _looked_up(
    house: House, login: str, place: str, device: str, wait: Callable[[float], Any], of_code: bool = False
) -> tuple[Any, list[str], str]:
    """Return the account of a login, under what a try counts, and what is looked at where there is no account.

    Whoever tried too often is refused here; whoever is one of many waits.
    """
    with house.writing() as connection:
        account = connection.execute(select(people).filter_by(login=login)).mappings().first()
        familiar = account is not None and _knows(house, connection, device, account["id"])
        keys = [hashed(f"device:{device}:{login}")] if familiar else _keys(login, place_of(place))
        keys += [hashed(f"code:{login}")] if of_code and not familiar else []
        slow = 0.0 if familiar else slowness(refused_today(house, connection, login))
        check(house, connection, keys)
        decoy = _decoy(connection, login)
    if slow:
        wait(slow)
    return account, keys, decoy


def _count(house: House, keys: list[str]) -> None:
    with house.writing() as connection:
        count(house, connection, keys)


def _decoy(connection: Connection, login: str) -> str:
    """Return what is looked at for an unknown login, so that it takes as long: as for an account that it picks."""
    kept = select(people.c.password).where(people.c.password.is_not(None)).order_by(people.c.id)
    digests = connection.execute(kept).scalars().all()
    return of_nobody(digests[int(hashed(login), 16) % len(digests)] if digests else "")


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
