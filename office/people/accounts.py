"""Accounts: their names, passwords and roles, and what an administrator changes of them."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any
from unicodedata import category

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import Connection, delete, select, update

from discreet.budget.errors import ParameterError, Phrase
from discreet.office.house import acts
from discreet.office.house.house import House, writable
from discreet.office.house.roles import ADMINISTRATOR, DECIDERS, ROLES, Member, person_of, require
from discreet.office.house.tables import credentials, devices, mailboxes, people, sessions, tongues
from discreet.office.house.tables import links as kept_links
from discreet.office.rules import rights
from discreet.office.rules.two_persons import ROLE_CHANGE, Wish
from discreet.office.rules.visit import acting

# Names: which names an account may have, so that no two people look the same.

LONGEST = 200
LOGIN = re.compile(r"[^\s,\"'<>\x00-\x1f]{3,120}")
TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # they show a text in another order


def readable(name: str) -> str:
    """Return a person's name in one line, without characters that disguise it; empty if nothing visible is left."""
    line = " ".join(TURNING.sub("", writable(name)).split())
    line = "".join(sign for sign in line if category(sign) != "Cc")
    return line if any(sign.isprintable() and not sign.isspace() for sign in line) else ""


def check_names(login: str, name: str, roles: frozenset[str]) -> None:
    """Refuse what an account cannot be called, and roles that there are not."""
    if not LOGIN.fullmatch(login) or not login.isprintable():
        raise ParameterError(
            "A login must have 3 to 120 characters, without spaces, quotation marks or invisible characters."
        )
    if not 1 <= len(name) <= LONGEST:
        raise ParameterError("A name must have 1 to 200 characters.")
    check_roles(roles)


def check_roles(roles: frozenset[str]) -> None:
    """Refuse roles that there are not, and none at all."""
    if not roles or roles - set(ROLES):
        raise ParameterError("Choose at least one role: {roles}.", roles=", ".join(ROLES))


# Passwords: hashed by argon2id, and long enough; looked at a few at once, so that screens go on beside them.


FEWEST = 12
HASHER = PasswordHasher(parallelism=1)  # a hash says how it was made: those of four threads fit as before
AT_ONCE, PATIENCE = 2, 10.0  # each takes 64 MiB and a core; seconds to wait for a turn
CROWDED = Phrase("Too many people are signing in now. Try again in a few seconds.")
_turns = BoundedSemaphore(AT_ONCE)


@contextmanager
def turn() -> Iterator[None]:
    """Wait for the turn to have a password looked at, or refuse after a while."""
    if not _turns.acquire(timeout=PATIENCE):
        raise ParameterError(CROWDED)
    try:
        yield
    finally:
        _turns.release()


def hash_of(password: str) -> str:
    """Return what is kept of a password, or refuse one that is too short or endless."""
    if not FEWEST <= len(password) <= LONGEST:
        raise ParameterError("A password must have {fewest} to 200 characters.", fewest=FEWEST)
    with turn():
        return HASHER.hash(password)


def fits(digest: str, password: str) -> bool:
    """Return whether a password matches its stored hash."""
    try:
        return HASHER.verify(digest, password[: LONGEST + 1])
    except (Argon2Error, InvalidHashError):
        return False


def of_nobody(like: str = "") -> str:
    """Return what looks like what is kept of a password, and is of none; it costs as much as another one.

    Looking whether a password fits takes as long as ever; nothing is hashed for it beforehand, which
    every command and every server would wait for.
    """
    try:
        how = extract_parameters(like)
    except InvalidHashError:
        salt_size = HASHER.salt_len
        size = HASHER.hash_len
        costs = f"m={HASHER.memory_cost},t={HASHER.time_cost},p={HASHER.parallelism}"
    else:
        salt_size = how.salt_len
        size = how.hash_len
        costs = f"m={how.memory_cost},t={how.time_cost},p={how.parallelism}"
    salt, rest = (b64encode(bytes(length)).decode().rstrip("=") for length in (salt_size, size))
    return f"$argon2id$v=19${costs}${salt}${rest}"


# Memberships: accounts as they are, and what an administrator makes of them.


def empty(house: House) -> bool:
    """Return whether the house has no administrator yet; people from a provider do not count."""
    with house.store.reading() as connection:
        return unkept(connection)


def unkept(connection: Connection) -> bool:
    """Return the same in a transaction that is under way."""
    keepers = select(people.c.id).where(people.c.roles.contains(ADMINISTRATOR))
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
    """Return a person's name; the id where the name is unknown."""
    with house.store.reading() as connection:
        name = connection.execute(select(people.c.name).filter_by(id=person)).scalar_one_or_none()
        return str(name or person)


def end_sessions(house: House, who: Member, login: str) -> None:
    """Sign an account out everywhere, and let its links, known browsers and tokens count no more."""
    with acting(house, who, ADMINISTRATOR) as visit:
        sign_out(visit.connection, row_of(visit.connection, login)["id"])
        visit.act(acts.ENDED, login)


def change(house: House, who: Member, login: str, roles: frozenset[str], active: bool) -> bool:
    """Give an account other roles, or close it; one active administrator must remain.

    Return False where it waits: other roles, and closing an administrator's account, need a second
    administrator who says the same, if there is one.
    """
    require(who, ADMINISTRATOR)
    if active or roles:  # an account without roles, of a provider, can be closed
        check_roles(roles)
    with acting(house, who, ADMINISTRATOR) as visit:
        row = row_of(visit.connection, login)
        was = person_of(row).roles
        now: dict[str, Any] = {"roles": sorted(roles), "active": active}
        wish = Wish(ROLE_CHANGE, row["id"], now)
        consent: dict[str, Any] | None = {}
        if roles != was or (active != row["active"] and not was.isdisjoint(DECIDERS)):
            consent = rights.agreed(visit, wish)
        if consent is None:
            rights.propose(visit, wish, (acts.ROLES_PROPOSED, login), **now)
            return False
        values = {"roles": text_of(roles), "active": active}
        _write(visit.connection, row["id"], values)
        before: dict[str, Any] = {"before": sorted(was), "was_active": row["active"]}
        visit.act(acts.ROLES, login, values, **now, **before, **consent)
    return True


def erase_name(house: House, who: Member, login: str) -> None:
    """Take the name and the mail address of a closed account out of the tables for good; its login replaces them.

    The trail keeps the name with which the account began: a line cannot go without those that follow.
    """
    with acting(house, who, ADMINISTRATOR) as visit:
        row = row_of(visit.connection, login)
        if row["active"]:
            raise ParameterError("The name of an open account cannot be erased. Close the account first.")
        for table in (mailboxes, tongues):
            visit.connection.execute(delete(table).filter_by(person=row["id"]))
        visit.connection.execute(update(people).filter_by(id=row["id"]).values(name=login))
        visit.act(acts.NAME_ERASED, login, {"name": login})


def _write(connection: Connection, person: str, values: dict[str, Any]) -> None:
    """Change an account; a closed one is signed out, and an administrator is left."""
    connection.execute(update(people).filter_by(id=person).values(**values))
    rows = connection.execute(select(people).filter_by(active=True)).mappings()
    if not any(ADMINISTRATOR in person_of(row).roles for row in rows):
        raise ParameterError("At least one active administrator must remain.")
    if not values["active"]:
        sign_out(connection, person)


def row_of(connection: Connection, login: str) -> Any:
    """Return the row of an account."""
    row = connection.execute(select(people).filter_by(login=login)).mappings().first()
    if row is None:
        raise ParameterError("No account has this login.")
    return row


def sign_out(connection: Connection, person: str) -> None:
    """Let no session, known browser, link, ticket, wish or token of an account count any more."""
    mine = (kept_links.c.about == person) | kept_links.c.about.startswith(f"{person}:")
    connection.execute(delete(kept_links).where(mine))
    connection.execute(delete(sessions).where(sessions.c.person == person))
    connection.execute(delete(devices).where(devices.c.person == person))
    connection.execute(delete(credentials).where(credentials.c.person == person))


def text_of(roles: frozenset[str]) -> str:
    """Return roles in the form of a row."""
    return ",".join(sorted(roles))


def new_row(house: House, person: str, login: str, name: str, roles: frozenset[str]) -> dict[str, Any]:
    """Return the row of a new account, which has no password yet."""
    since = house.now.isoformat(timespec="seconds")
    called = {"id": person, "login": login, "name": name, "roles": text_of(roles), "since": since}
    return {**called, "password": None, "active": True, "factor": None}
