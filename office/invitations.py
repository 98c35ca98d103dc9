"""Invitations: links with which the first account is made, and others get their passwords."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from sqlalchemy import delete, insert, select, update

from discreet.budget.errors import ParameterError
from discreet.office import duties, tokens
from discreet.office.durations import WEEK
from discreet.office.halfway import Halfway, arrived
from discreet.office.house import House
from discreet.office.memberships import KEEPING, empty, new_row, row_of, sign_out, unkept
from discreet.office.names import check_names, readable
from discreet.office.passwords import hash_of
from discreet.office.relations import links as kept_links
from discreet.office.relations import people
from discreet.office.roles import OPENID, Member, person_of, present, require


def setup_link(house: House) -> str | None:
    """Return a token for the first account, if there is none yet; older ones stop working."""
    if not empty(house):
        return None
    with house.writing() as connection:
        connection.execute(delete(kept_links).where(kept_links.c.purpose == "setup"))
        return tokens.make(house, connection, "setup", "", WEEK)


def invite(house: House, who: Member, login: str, name: str, roles: frozenset[str]) -> str:
    """Create an account and return the token with which its owner chooses a password.

    With roles that keep the house it stays closed until another administrator confirms it.
    """
    require(who, "administrator")
    login, name = login.strip().lower(), readable(name)
    check_names(login, name, roles)
    with house.writing() as connection:
        present(connection, who, "administrator")
        if connection.execute(select(people.c.id).filter_by(login=login)).first():
            raise ParameterError("There is an account with this login. Choose another one.")
        person = uuid4().hex
        row = new_row(house, person, login, name, roles)
        consent: dict[str, Any] | None = {}
        if roles & KEEPING:
            consent = duties.agreed_roles(house, connection, who, person, roles, True)
        row["active"] = consent is not None
        connection.execute(insert(people).values(**row))
        house.act(connection, who.id, "invited", login, row, roles=sorted(roles), **consent or {})
        if consent is None:
            wish = "roles", person, {"roles": sorted(roles), "active": True}
            duties.propose(house, connection, who, wish, ("roles proposed", login), roles=sorted(roles))
        return tokens.make(house, connection, "password", person, WEEK)


def renew(house: House, who: Member, login: str) -> str:
    """Return a new token for an account whose owner lost the link or the password.

    Older ones stop working, and its sessions end: whoever found what was lost gets in no more.
    """
    require(who, "administrator")
    with house.writing() as connection:
        present(connection, who, "administrator")
        person = row_of(connection, login)["id"]
        if person.startswith(OPENID):
            raise ParameterError("This account signs in with its organisation.")
        sign_out(connection, person)
        house.act(connection, who.id, "renewed", login)
        return tokens.make(house, connection, "password", person, WEEK)


def invited(house: House, secret: str) -> Member | None:
    """Return whose password a link is for; whoever holds it could take the account anyway."""
    with house.store.reading() as connection:
        link = tokens.find(house, connection, secret)
        if link is None or link["purpose"] != "password":
            return None
        mine = select(people).filter_by(id=link["about"])
        return person_of(connection.execute(mine).mappings().one())


def set_up(house: House, secret: str, login: str, name: str, password: str) -> Member | Halfway:
    """Create the first account, once: administrator and officer."""
    login, name = login.strip().lower(), readable(name)
    roles = frozenset({"administrator", "officer"})
    check_names(login, name, roles)
    digest = hash_of(password)
    with house.writing() as connection:
        tokens.use(house, connection, secret, "setup")
        if not unkept(connection):
            raise ParameterError("The house is set up already. Ask its administrator for access.")
        person = uuid4().hex
        row = new_row(house, person, login, name, roles) | {"password": digest}
        connection.execute(insert(people).values(**row))
        house.act(connection, person, "set up", meant=row)
    return arrived(house, row)


def choose_password(house: House, secret: str, password: str) -> Member | Halfway:
    """Set the password of the account that a link is for; all its sessions and links end, its second factor stays."""
    digest = hash_of(password)
    with house.writing() as connection:
        person = str(tokens.use(house, connection, secret, "password")["about"])
        connection.execute(update(people).filter_by(id=person).values(password=digest))
        sign_out(connection, person)
        house.act(connection, person, "joined", meant={"password": digest})
        row = connection.execute(select(people).filter_by(id=person)).mappings().one()
    return arrived(house, row)
