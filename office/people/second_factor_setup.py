"""Second factors: set up by their owner with a right code, taken away by a right code or by an administrator."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep
from typing import Any

from sqlalchemy import Connection, delete, select

from discreet.budget import ParameterError
from discreet.office.house import acts
from discreet.office.house.house import House
from discreet.office.house.roles import ADMINISTRATOR, OPENID, ROLES, Member, person_of, present, require
from discreet.office.house.tables import credentials, devices, people, sessions
from discreet.office.people import second_factor
from discreet.office.people.accounts import row_of, sign_out
from discreet.office.people.second_factor import new_recoveries, plain, step_of
from discreet.office.people.signing_in import FACTOR, GONE, Halfway, counted, refused_code, row_of_half


def set_up_factor(house: House, who: Member | None, secret: str, code: str, stay: str = "") -> tuple[str, ...]:
    """Set up one's own; return the recovery codes, this one time. All tokens end, and all sessions but this one."""
    who = require(who, *ROLES)
    with house.writing() as connection:
        who = present(connection, who, *ROLES)
        return _set_up(house, connection, _own(connection, who), secret, code, stay)


def finish_setup(house: House, half: Halfway, secret: str, code: str) -> tuple[str, ...]:
    """Set up the required second factor after a correct password; return the recovery codes."""
    with house.writing() as connection:
        row = row_of_half(house, connection, half, FACTOR)
        return _set_up(house, connection, row, secret, code, "")


def come_in(house: House, half: Halfway) -> Member:
    """Sign a person in who has set up the required second factor, while their password step is valid."""
    with house.writing() as connection:
        row = row_of_half(house, connection, half, FACTOR)
        if second_factor.lacking(row):
            raise ParameterError(GONE)
        house.act(connection, row["id"], acts.SIGNED_IN)
    return person_of(row)


def drop_factor(
    house: House, who: Member | None, code: str, place: str = "", device: str = "", wait: Callable[[float], Any] = sleep
) -> None:
    """Take one's own away with one of its codes, of the app or for recovery; tries are counted as at the door."""
    who = require(who, *ROLES)
    with house.store.reading() as reading:
        login = present(reading, who, *ROLES).login
    counted(house, login, place, device, wait, of_code=True)
    with house.writing() as connection:
        row = _own(connection, present(connection, who, *ROLES))
        right = second_factor.spend(house, connection, row, code)
        if right:
            house.act(connection, who.id, acts.FACTOR_REMOVED, login, second_factor.end(connection, who.id))
    if not right:
        refused_code(house, login)


def take_factor(house: House, who: Member | None, login: str) -> None:
    """Remove a person's second factor, as for a lost telephone; all their sessions end. One's own needs a code."""
    who = require(who, ADMINISTRATOR)
    with house.writing() as connection:
        who = present(connection, who, ADMINISTRATOR)
        row = row_of(connection, login)
        if row["id"] == who.id:
            raise ParameterError(
                "Turn off your own two-factor authentication on the Account page, with a code from the app."
            )
        if not row["factor"]:
            raise ParameterError("Two-factor authentication is not set up for this account.")
        sign_out(connection, row["id"])
        house.act(connection, who.id, acts.FACTOR_REMOVED, login, second_factor.end(connection, row["id"]))


def recoveries_left(house: House, who: Member | None) -> int | None:
    """Return the number of a person's unused recovery codes; None without a second factor."""
    who = require(who, *ROLES)
    with house.store.reading() as connection:
        factor = second_factor.factor_of(_own(connection, who))
    return None if factor is None else len(factor.recoveries)


def _set_up(house: House, connection: Connection, row: Any, secret: str, code: str, stay: str) -> tuple[str, ...]:
    """Write it down once its owner has shown a right code, and end what was signed in without it."""
    if row["factor"]:
        raise ParameterError("Two-factor authentication is already set up for this account. Turn it off first.")
    if row["id"].startswith(OPENID) or not row["password"]:
        raise ParameterError("This account signs in through its organisation.")
    step = step_of(secret, plain(code), house.clock())
    if step is None:
        raise ParameterError("Wrong code. Check that your phone's clock is correct, then enter the next code.")
    recoveries = new_recoveries()
    values = second_factor.begin(house, connection, row["id"], secret, recoveries, step)
    connection.execute(delete(sessions).where(sessions.c.person == row["id"], sessions.c.id != stay))
    for table in (devices, credentials):
        connection.execute(delete(table).filter_by(person=row["id"]))
    house.act(connection, row["id"], acts.FACTOR, meant=values)
    return recoveries


def _own(connection: Connection, who: Member) -> Any:
    return connection.execute(select(people).filter_by(id=who.id)).mappings().one()
