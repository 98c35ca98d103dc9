"""Joining: links for the first account and for others, and accounts of an OpenID provider."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import delete, insert, select, update

from discreet.budget.errors import ParameterError
from discreet.office.house import acts
from discreet.office.house.failures import WEEK
from discreet.office.house.house import House
from discreet.office.house.roles import ADMINISTRATOR, DECIDERS, OPENID, ROLES, Member, person_of, require
from discreet.office.house.tables import acts as told_acts
from discreet.office.house.tables import links as kept_links
from discreet.office.house.tables import people
from discreet.office.people import links
from discreet.office.people.accounts import (
    check_names,
    empty,
    hash_of,
    new_row,
    readable,
    row_of,
    sign_out,
    text_of,
    unkept,
)
from discreet.office.people.links import hashed
from discreet.office.people.signing_in import Halfway, arrived
from discreet.office.rules import rights
from discreet.office.rules.two_persons import ROLE_CHANGE, Wish
from discreet.office.rules.visit import acting

# Invitations: links with which the first account is made, and others get their passwords.


def setup_link(house: House) -> str | None:
    """Return a token for the first account, if there is none yet; older ones stop working."""
    if not empty(house):
        return None
    with house.writing() as connection:
        connection.execute(delete(kept_links).where(kept_links.c.purpose == "setup"))
        return links.make(house, connection, "setup", "", WEEK)


def invite(house: House, who: Member, login: str, name: str, roles: frozenset[str]) -> str:
    """Create an account and return the token with which its owner chooses a password.

    With roles that keep the house it stays closed until another administrator confirms it.
    """
    require(who, ADMINISTRATOR)
    login, name = login.strip().lower(), readable(name)
    check_names(login, name, roles)
    with acting(house, who, ADMINISTRATOR) as visit:
        connection = visit.connection
        if connection.execute(select(people.c.id).filter_by(login=login)).first():
            raise ParameterError("An account with this login already exists. Choose another login.")
        person = uuid4().hex
        row = new_row(house, person, login, name, roles)
        wish = Wish(ROLE_CHANGE, person, {"roles": sorted(roles), "active": True})
        consent = rights.agreed(visit, wish) if not roles.isdisjoint(DECIDERS) else {}
        row["active"] = consent is not None
        connection.execute(insert(people).values(**row))
        visit.act(acts.INVITED, login, row, roles=sorted(roles), **consent or {})
        if consent is None:
            rights.propose(visit, wish, (acts.ROLES_PROPOSED, login), roles=sorted(roles))
        return links.make(house, connection, "password", person, WEEK)


def renew(house: House, who: Member, login: str) -> str:
    """Return a new token for an account whose owner lost the link or the password.

    Older ones stop working, and its sessions end: a lost link or password no longer works.
    """
    with acting(house, who, ADMINISTRATOR) as visit:
        person = row_of(visit.connection, login)["id"]
        if person.startswith(OPENID):
            raise ParameterError("This account signs in through its organisation.")
        sign_out(visit.connection, person)
        visit.act(acts.RENEWED, login)
        return links.make(house, visit.connection, "password", person, WEEK)


def invited(house: House, secret: str) -> Member | None:
    """Return the person of a link for a password; its holder could take the account anyway."""
    with house.store.reading() as connection:
        link = links.find(house, connection, secret)
        if link is None or link["purpose"] != "password":
            return None
        mine = select(people).filter_by(id=link["about"])
        return person_of(connection.execute(mine).mappings().one())


def set_up(house: House, secret: str, login: str, name: str, password: str) -> Member | Halfway:
    """Create the first account, once: administrator and officer."""
    login, name = login.strip().lower(), readable(name)
    roles = frozenset(DECIDERS)
    check_names(login, name, roles)
    digest = hash_of(password)
    with house.writing() as connection:
        links.use(house, connection, secret, "setup")
        if not unkept(connection):
            raise ParameterError("The server is already set up. Ask an administrator for access.")
        person = uuid4().hex
        row = new_row(house, person, login, name, roles) | {"password": digest}
        connection.execute(insert(people).values(**row))
        house.act(connection, person, acts.SET_UP, meant=row)
    return arrived(house, row)


def choose_password(house: House, secret: str, password: str) -> Member | Halfway:
    """Set the password of the account that a link is for; all its sessions and links end, its second factor stays."""
    digest = hash_of(password)
    with house.writing() as connection:
        person = str(links.use(house, connection, secret, "password")["about"])
        connection.execute(update(people).filter_by(id=person).values(password=digest))
        sign_out(connection, person)
        house.act(connection, person, acts.JOINED, meant={"password": digest})
        row = connection.execute(select(people).filter_by(id=person)).mappings().one()
    return arrived(house, row)


# Providers: accounts of people who signed in by an OpenID provider.


def provided(subject: str) -> str:
    """Return the id of a person who signs in by a provider."""
    return f"{OPENID}{hashed(subject)[:32]}"


def from_provider(house: House, subject: str, login: str, name: str, roles: frozenset[str]) -> Member | None:
    """Return the account of a person who signed in by an OpenID provider; create it at the first time.

    Who they are is the provider's word, what they may do the configuration's, each time anew.
    """
    person, roles = provided(subject), roles & set(ROLES)
    login, name = "".join(filter(str.isprintable, login)).strip(), readable(name)[:120]
    called = {"login": f"{login.lower()[:120]} #{person[-6:]}", "name": name or login[:120]}
    with house.writing() as connection:
        row = connection.execute(select(people).filter_by(id=person)).mappings().first()
        if row is None:
            new = new_row(house, person, called["login"], called["name"], roles)
            connection.execute(insert(people).values(**new))
            house.act(connection, person, acts.SIGNED_IN, meant=new, openid=True)
        elif not row["active"]:
            return None
        elif row["roles"] != text_of(roles):
            meant = {"roles": text_of(roles)}
            connection.execute(update(people).filter_by(id=person).values(**meant))
            both: dict[str, Any] = {"roles": sorted(roles), "before": sorted(person_of(row).roles)}
            house.act(connection, person, acts.ROLES, row["login"], meant, provider=True, **both)
    names = called if row is None else row  # a login never changes: shares are by login
    return Member(person, names["login"], names["name"], roles)


def left_after(house: House, subject: str, at: float) -> bool:
    """Return whether a person has signed out here since the provider's token was issued."""
    gone = (
        select(told_acts.c.time)
        .where(told_acts.c.who == provided(subject), told_acts.c.what == acts.SIGNED_OUT.name)
        .order_by(told_acts.c.seq.desc())
    )
    with house.store.reading() as connection:
        last = connection.execute(gone.limit(1)).scalar_one_or_none()
    return last is not None and datetime.fromisoformat(last).timestamp() >= at
