"""People: accounts, their roles and passwords (hashed by argon2id), and who may act."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from argon2 import PasswordHasher
from sqlalchemy import Connection, delete, insert, select, update

from discreet.budget.errors import ParameterError
from discreet.office import duties, links
from discreet.office.house import House
from discreet.office.links import WEEK, hashed
from discreet.office.names import LONGEST, check_names, check_roles, readable
from discreet.office.roles import OPENID, ROLES, TERMINAL, Denied, Person, person_of, present, require
from discreet.office.tables import devices, people, sessions
from discreet.office.tables import links as kept_links

__all__ = ["OPENID", "ROLES", "TERMINAL", "Denied", "Person", "person_of", "present", "require"]

FEWEST = 12
KEEPING = {"officer", "administrator"}  # roles that decide about others
HASHER = PasswordHasher()


def empty(house: House) -> bool:
    """Say whether nobody has administered this house yet, whoever else a provider signed in."""
    with house.store.reading() as connection:
        return _unkept(connection)


def _unkept(connection: Connection) -> bool:
    keepers = select(people.c.id).where(people.c.roles.contains("administrator"))
    return connection.execute(keepers.limit(1)).first() is None


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
            {"person": person_of(line), "active": line["active"], "joined": bool(line["password"])} for line in found
        ]


def name_of(house: House, person: str) -> str:
    """Return how a person is called; whoever is not known is called by their id."""
    with house.store.reading() as connection:
        found = select(people.c.name).filter_by(id=person)
        return str(connection.execute(found).scalar_one_or_none() or person)


def invite(house: House, who: Person, login: str, name: str, roles: frozenset[str]) -> str:
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
        row = _row(house, person, login, name, roles)
        told: dict[str, Any] | None = {}
        if roles & KEEPING:
            told = _agreed(house, connection, who, person, roles, True)
        row["active"] = told is not None
        connection.execute(insert(people).values(**row))
        house.act(connection, who.id, "invited", login, row, roles=sorted(roles), **told or {})
        if told is None:
            house.act(connection, who.id, "roles proposed", login, roles=sorted(roles))
        return links.make(house, connection, "password", person, WEEK)


def renew(house: House, who: Person, login: str) -> str:
    """Return a new token for an account whose owner lost the link or the password.

    Older ones stop working, and its sessions end: whoever found what was lost gets in no more.
    """
    require(who, "administrator")
    with house.writing() as connection:
        present(connection, who, "administrator")
        person = _known(connection, login)["id"]
        if person.startswith(OPENID):
            raise ParameterError("This account signs in with its organisation.")
        _forget(connection, person)
        house.act(connection, who.id, "renewed", login)
        return links.make(house, connection, "password", person, WEEK)


def end_sessions(house: House, who: Person, login: str) -> None:
    """Sign an account out everywhere, and let its links and known browsers count no more."""
    require(who, "administrator")
    with house.writing() as connection:
        present(connection, who, "administrator")
        _forget(connection, _known(connection, login)["id"])
        house.act(connection, who.id, "ended", login)


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
    login, name = login.strip().lower(), readable(name)
    roles = frozenset({"administrator", "officer"})
    check_names(login, name, roles)
    kept = _hash(password)
    with house.writing() as connection:
        links.use(house, connection, secret, "setup")
        if not _unkept(connection):
            raise ParameterError("The house is set up already. Ask its administrator for access.")
        person = uuid4().hex
        row = _row(house, person, login, name, roles) | {"password": kept}
        connection.execute(insert(people).values(**row))
        house.act(connection, person, "set up", meant=row)
    return Person(person, login, name, roles)


def choose_password(house: House, secret: str, password: str) -> Person:
    """Set the password of the account that a link is for; all its sessions and links end."""
    kept = _hash(password)
    with house.writing() as connection:
        person = str(links.use(house, connection, secret, "password")["about"])
        connection.execute(update(people).filter_by(id=person).values(password=kept))
        _forget(connection, person)
        house.act(connection, person, "joined", meant={"password": kept})
        line = connection.execute(select(people).filter_by(id=person)).mappings().one()
    return person_of(line)


def provided(subject: str) -> str:
    """Return the id of whoever a provider signs in."""
    return f"{OPENID}{hashed(subject)[:32]}"


def from_provider(house: House, subject: str, login: str, name: str, roles: frozenset[str]) -> Person | None:
    """Return the account of somebody whom an OpenID provider has signed in; made at first sight.

    Who they are is the provider's word, what they may do the configuration's, each time anew.
    """
    person, roles = provided(subject), roles & set(ROLES)
    login, name = "".join(filter(str.isprintable, login)).strip(), readable(name)[:120]
    called = {"login": f"{login.lower()[:120]} #{person[-6:]}", "name": name or login[:120]}
    with house.writing() as connection:
        found = connection.execute(select(people).filter_by(id=person)).mappings().first()
        if found is None:
            row = _row(house, person, called["login"], called["name"], roles)
            connection.execute(insert(people).values(**row))
            house.act(connection, person, "signed in", meant=row, openid=True)
        elif not found["active"]:
            return None
        elif found["roles"] != _text(roles):
            meant = {"roles": _text(roles)}
            connection.execute(update(people).filter_by(id=person).values(**meant))
            told = {"roles": sorted(roles), "before": sorted(person_of(found).roles)}
            house.act(connection, person, "roles", found["login"], meant, provider=True, **told)
    known = called if found is None else found  # a login never changes: shares are by login
    return Person(person, known["login"], known["name"], roles)


def change(house: House, who: Person, login: str, roles: frozenset[str], active: bool) -> bool:
    """Give an account other roles, or close it; one active administrator must remain.

    Return False where it waits: other roles, and closing whoever keeps the house, need a second
    administrator who says the same, if there is one.
    """
    require(who, "administrator")
    if active or roles:  # an account without roles, of a provider, can be closed
        check_roles(roles)
    with house.writing() as connection:
        present(connection, who, "administrator")
        line = _known(connection, login)
        was = person_of(line).roles
        told: dict[str, Any] | None = {}
        if roles != was or (active != line["active"] and was & KEEPING):
            told = _agreed(house, connection, who, line["id"], roles, active)
        now: dict[str, Any] = {"roles": sorted(roles), "active": active}
        if told is None:
            house.act(connection, who.id, "roles proposed", login, **now)
            return False
        values = {"roles": _text(roles), "active": active}
        connection.execute(update(people).filter_by(id=line["id"]).values(**values))
        if not any("administrator" in person_of(one).roles for one in _open(connection)):
            raise ParameterError("One active administrator must remain.")
        if not active:
            _forget(connection, line["id"])
        before: dict[str, Any] = {"before": sorted(was), "was_active": line["active"]}
        house.act(connection, who.id, "roles", login, values, **now, **before, **told)
    return True


def _agreed(
    house: House, connection: Connection, who: Person, person: str, roles: frozenset[str], active: bool
) -> dict[str, Any] | None:
    wanted = {"roles": sorted(roles), "active": active}
    return duties.agreed(house, connection, who, "administrator", ("roles", person, wanted))


def _open(connection: Connection) -> Any:
    return connection.execute(select(people).filter_by(active=True)).mappings()


def _known(connection: Connection, login: str) -> Any:
    found = connection.execute(select(people).filter_by(login=login)).mappings().first()
    if found is None:
        raise ParameterError("There is no account with this login.")
    return found


def _forget(connection: Connection, person: str) -> None:
    """Let no session, known browser, link, ticket or wish of an account count any more."""
    mine = (kept_links.c.about == person) | kept_links.c.about.startswith(f"{person}:")
    connection.execute(delete(kept_links).where(mine))
    connection.execute(delete(sessions).where(sessions.c.person == person))
    connection.execute(delete(devices).where(devices.c.person == person))


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
