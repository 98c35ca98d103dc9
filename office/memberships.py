"""Memberships: accounts as they are, and what an administrator makes of them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, select, update

from discreet.budget.errors import ParameterError
from discreet.office import duties
from discreet.office.house import House
from discreet.office.names import check_roles
from discreet.office.notice_tables import mailboxes, tongues
from discreet.office.relations import credentials, devices, people, sessions
from discreet.office.relations import links as kept_links
from discreet.office.roles import Member, person_of, present, require

KEEPING = {"officer", "administrator"}  # roles that decide about others


def empty(house: House) -> bool:
    """Say whether nobody has administered this house yet, whoever else a provider signed in."""
    with house.store.reading() as connection:
        return unkept(connection)


def unkept(connection: Connection) -> bool:
    """Say the same in a transaction that is under way."""
    keepers = select(people.c.id).where(people.c.roles.contains("administrator"))
    return connection.execute(keepers.limit(1)).first() is None


def everybody(house: House) -> list[dict[str, Any]]:
    """Return all accounts, without their passwords and second factors."""
    with house.store.reading() as connection:
        rows = connection.execute(select(people).order_by(people.c.login)).mappings()
        return [
            {"person": person_of(row), "active": row["active"]}
            | {"joined": bool(row["password"]), "factor": bool(row["factor"])}
            for row in rows
        ]


def name_of(house: House, person: str) -> str:
    """Return how a person is called; whoever is not known is called by their id."""
    with house.store.reading() as connection:
        name = connection.execute(select(people.c.name).filter_by(id=person)).scalar_one_or_none()
        return str(name or person)


def end_sessions(house: House, who: Member, login: str) -> None:
    """Sign an account out everywhere, and let its links, known browsers and tokens count no more."""
    require(who, "administrator")
    with house.writing() as connection:
        present(connection, who, "administrator")
        sign_out(connection, row_of(connection, login)["id"])
        house.act(connection, who.id, "ended", login)


def change(house: House, who: Member, login: str, roles: frozenset[str], active: bool) -> bool:
    """Give an account other roles, or close it; one active administrator must remain.

    Return False where it waits: other roles, and closing whoever keeps the house, need a second
    administrator who says the same, if there is one.
    """
    require(who, "administrator")
    if active or roles:  # an account without roles, of a provider, can be closed
        check_roles(roles)
    with house.writing() as connection:
        present(connection, who, "administrator")
        row = row_of(connection, login)
        was = person_of(row).roles
        consent: dict[str, Any] | None = {}
        if roles != was or (active != row["active"] and was & KEEPING):
            consent = duties.agreed_roles(house, connection, who, row["id"], roles, active)
        now: dict[str, Any] = {"roles": sorted(roles), "active": active}
        if consent is None:
            duties.propose(house, connection, who, ("roles", row["id"], now), ("roles proposed", login), **now)
            return False
        values = {"roles": text_of(roles), "active": active}
        _write(connection, row["id"], values)
        before: dict[str, Any] = {"before": sorted(was), "was_active": row["active"]}
        house.act(connection, who.id, "roles", login, values, **now, **before, **consent)
    return True


def erase_name(house: House, who: Member, login: str) -> None:
    """Take the name and the mail address of a closed account out of the tables for good; its login stands for it.

    The trail keeps the name with which the account began: a line cannot go without those that follow.
    """
    require(who, "administrator")
    with house.writing() as connection:
        present(connection, who, "administrator")
        row = row_of(connection, login)
        if row["active"]:
            raise ParameterError("Close the account first: only the name of a closed one can be erased.")
        for table in (mailboxes, tongues):
            connection.execute(delete(table).filter_by(person=row["id"]))
        connection.execute(update(people).filter_by(id=row["id"]).values(name=login))
        house.act(connection, who.id, "name erased", login, {"name": login})


def _write(connection: Connection, person: str, values: dict[str, Any]) -> None:
    """Change an account; a closed one is signed out, and an administrator is left."""
    connection.execute(update(people).filter_by(id=person).values(**values))
    rows = connection.execute(select(people).filter_by(active=True)).mappings()
    if not any("administrator" in person_of(row).roles for row in rows):
        raise ParameterError("One active administrator must remain.")
    if not values["active"]:
        sign_out(connection, person)


def row_of(connection: Connection, login: str) -> Any:
    """Return the row of an account."""
    row = connection.execute(select(people).filter_by(login=login)).mappings().first()
    if row is None:
        raise ParameterError("There is no account with this login.")
    return row


def sign_out(connection: Connection, person: str) -> None:
    """Let no session, known browser, link, ticket, wish or token of an account count any more."""
    mine = (kept_links.c.about == person) | kept_links.c.about.startswith(f"{person}:")
    connection.execute(delete(kept_links).where(mine))
    connection.execute(delete(sessions).where(sessions.c.person == person))
    connection.execute(delete(devices).where(devices.c.person == person))
    connection.execute(delete(credentials).where(credentials.c.person == person))


def text_of(roles: frozenset[str]) -> str:
    """Write roles as they stand in a row."""
    return ",".join(sorted(roles))


def new_row(house: House, person: str, login: str, name: str, roles: frozenset[str]) -> dict[str, Any]:
    """Return the row of a new account, which has no password yet."""
    since = house.now.isoformat(timespec="seconds")
    called = {"id": person, "login": login, "name": name, "roles": text_of(roles), "since": since}
    return {**called, "password": None, "active": True, "factor": None}
