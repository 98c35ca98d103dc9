"""People: accounts, their roles and passwords (hashed by argon2id), and who may act."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from argon2 import PasswordHasher
from sqlalchemy import Connection, delete, func, insert, select, update

from budget.errors import ParameterError
from budget.phrase import Phrase
from curator.office import links
from curator.office.house import House, writable
from curator.office.links import WEEK, hashed
from curator.office.tables import links as kept_links
from curator.office.tables import people, sessions

ROLES = {
    "analyst": Phrase("analyst"),
    "officer": Phrase("officer"),
    "administrator": Phrase("administrator"),
}
FEWEST, LONGEST = 12, 200
LOGIN = re.compile(r"[^\s,\"'<>\x00-\x1f]{3,120}")
HASHER = PasswordHasher()
OPENID = "openid-"  # begins the id of whoever a provider signs in


class Denied(ParameterError):
    """A person tried what their role does not give them."""

    def __init__(self) -> None:
        """Say so, and nothing about what it was."""
        super().__init__("Your role does not give you this.")


@dataclass(frozen=True)
class Person:
    """Somebody who is signed in."""

    id: str
    login: str
    name: str
    roles: frozenset[str]


# whoever can run a command on the server's disk can do everything that is done here
TERMINAL = Person("terminal", "terminal", "the terminal", frozenset(ROLES))


def require(who: Person | None, *roles: str) -> Person:
    """Return the person if they have one of the roles; else refuse."""
    if who is None or not who.roles & set(roles):
        raise Denied
    return who


def empty(house: House) -> bool:
    """Say whether nobody has an account yet."""
    with house.store.reading() as connection:
        return not connection.execute(select(func.count()).select_from(people)).scalar_one()


def setup_link(house: House) -> str | None:
    """Return a token for the first account, if there is none yet; older ones stop working."""
    if not empty(house):
        return None
    with house.writing() as connection:
        connection.execute(delete(kept_links).where(kept_links.c.purpose == "setup"))
        return links.make(house, connection, "setup", "", WEEK)


def everybody(house: House) -> list[dict[str, Any]]:
    """Return all accounts, without their passwords."""
    with house.store.reading() as connection:
        found = connection.execute(select(people).order_by(people.c.login)).mappings()
        return [
            {"person": person_of(line), "active": line["active"], "joined": bool(line["password"])}
            for line in found
        ]


def name_of(house: House, person: str) -> str:
    """Return how a person is called; whoever is not known is called by their id."""
    with house.store.reading() as connection:
        found = select(people.c.name).filter_by(id=person)
        return str(connection.execute(found).scalar_one_or_none() or person)


def invite(house: House, who: Person, login: str, name: str, roles: frozenset[str]) -> str:
    """Create an account and return the token with which its owner chooses a password."""
    require(who, "administrator")
    login, name = login.strip().lower(), " ".join(writable(name).split())
    _check(login, name, roles)
    with house.writing() as connection:
        if connection.execute(select(people.c.id).filter_by(login=login)).first():
            raise ParameterError("There is an account with this login. Choose another one.")
        person = uuid4().hex
        connection.execute(insert(people).values(**_row(house, person, login, name, roles)))
        house.act(connection, who.id, "invited", login, roles=sorted(roles))
        return links.make(house, connection, "password", person, WEEK)


def renew(house: House, who: Person, login: str) -> str:
    """Return a new token for an account whose owner lost the link or the password.

    Older ones stop working: whoever found what was lost gets in no more.
    """
    require(who, "administrator")
    with house.writing() as connection:
        person = _known(connection, login)
        if person.startswith(OPENID):
            raise ParameterError("This account signs in with its organisation.")
        _forget_links(connection, person)
        house.act(connection, who.id, "renewed", login)
        return links.make(house, connection, "password", person, WEEK)


def invited(house: House, secret: str) -> Person | None:
    """Return whose password a link is for; whoever holds it could take the account anyway."""
    with house.store.reading() as connection:
        told = links.find(house, connection, secret)
        if told is None or told["purpose"] != "password":
            return None
        found = select(people).filter_by(id=told["about"])
        return person_of(connection.execute(found).mappings().one())


def set_up(house: House, secret: str, login: str, name: str, password: str) -> Person:
    """Create the first account, once: administrator and officer."""
    login, name = login.strip().lower(), " ".join(writable(name).split())
    roles = frozenset({"administrator", "officer"})
    _check(login, name, roles)
    kept = _hash(password)
    with house.writing() as connection:
        links.use(house, connection, secret, "setup")
        if connection.execute(select(func.count()).select_from(people)).scalar_one():
            raise ParameterError("The house is set up already. Ask its administrator for access.")
        person = uuid4().hex
        row = _row(house, person, login, name, roles) | {"password": kept}
        connection.execute(insert(people).values(**row))
        house.act(connection, person, "set up")
    return Person(person, login, name, roles)


def choose_password(house: House, secret: str, password: str) -> Person:
    """Set the password of the account that a link is for; all its sessions and links end."""
    kept = _hash(password)
    with house.writing() as connection:
        person = str(links.use(house, connection, secret, "password")["about"])
        connection.execute(update(people).filter_by(id=person).values(password=kept))
        connection.execute(delete(sessions).where(sessions.c.person == person))
        _forget_links(connection, person)
        house.act(connection, person, "joined")
        line = connection.execute(select(people).filter_by(id=person)).mappings().one()
    return person_of(line)


def from_provider(house: House, subject: str, login: str, name: str, roles: frozenset[str]) -> (
    Person | None
):  # fmt: skip
    """Return the account of somebody whom an OpenID provider has signed in; made at first sight.

    Who they are is the provider's word, what they may do the configuration's, each time anew.
    """
    person, roles = f"{OPENID}{hashed(subject)[:32]}", roles & set(ROLES)
    login, name = writable(login).strip(), " ".join(writable(name).split())[:120]
    told = {"login": f"{login.lower()[:120]} #{person[-6:]}", "name": name or login[:120]}
    with house.writing() as connection:
        found = connection.execute(select(people).filter_by(id=person)).mappings().first()
        if found is None:
            row = _row(house, person, told["login"], told["name"], roles)
            connection.execute(insert(people).values(**row))
            house.act(connection, person, "signed in", openid=True)
        elif not found["active"]:
            return None
        elif found["roles"] != _text(roles):
            connection.execute(update(people).filter_by(id=person).values(roles=_text(roles)))
            house.act(connection, person, "roles", found["login"], roles=sorted(roles))
    known = told if found is None else found  # a login never changes: shares are by login
    return Person(person, known["login"], known["name"], roles)


def change(house: House, who: Person, login: str, roles: frozenset[str], active: bool) -> None:
    """Give an account other roles, or close it; one active administrator must remain."""
    require(who, "administrator")
    if active or roles:  # an account without roles, of a provider, can be closed
        _check_roles(roles)
    with house.writing() as connection:
        person, values = _known(connection, login), {"roles": _text(roles), "active": active}
        connection.execute(update(people).filter_by(id=person).values(**values))
        left = connection.execute(select(people).filter_by(active=True)).mappings()
        if not any("administrator" in person_of(line).roles for line in left):
            raise ParameterError("One active administrator must remain.")
        if not active:
            connection.execute(delete(sessions).where(sessions.c.person == person))
            _forget_links(connection, person)
        house.act(connection, who.id, "roles", login, roles=sorted(roles), active=active)


def _known(connection: Connection, login: str) -> str:
    found = connection.execute(select(people.c.id).filter_by(login=login)).scalar_one_or_none()
    if found is None:
        raise ParameterError("There is no account with this login.")
    return str(found)


def _forget_links(connection: Connection, person: str) -> None:
    """Let no link or ticket of an account work any more."""
    mine = (kept_links.c.about == person) | kept_links.c.about.startswith(f"{person}:")
    connection.execute(delete(kept_links).where(mine))


def _check(login: str, name: str, roles: frozenset[str]) -> None:
    if not LOGIN.fullmatch(login):
        raise ParameterError("A login needs 3 to 120 characters without blanks and quotes.")
    if not 1 <= len(name) <= LONGEST:
        raise ParameterError("A name needs 1 to 200 characters.")
    _check_roles(roles)


def _check_roles(roles: frozenset[str]) -> None:
    if not roles or roles - set(ROLES):
        raise ParameterError("Choose at least one role: {roles}.", roles=", ".join(ROLES))


def _hash(password: str) -> str:
    if not FEWEST <= len(password) <= LONGEST:
        raise ParameterError("A password needs {fewest} to 200 characters.", fewest=FEWEST)
    return HASHER.hash(password)


def _text(roles: frozenset[str]) -> str:
    return ",".join(sorted(roles))


def _row(house: House, person: str, login: str, name: str, roles: frozenset[str]) -> dict[str, Any]:
    since = house.now.isoformat(timespec="seconds")
    told = {"id": person, "login": login, "name": name, "roles": _text(roles), "since": since}
    return {**told, "password": None, "active": True}


def person_of(line: Any) -> Person:
    """Return the person of a row."""
    roles = frozenset(filter(None, str(line["roles"]).split(",")))
    return Person(line["id"], line["login"], line["name"], roles)
