"""Links: one-time secrets for the first account, a password, or the step from page to session.

They have 244 secret bits, work once and for a short time, and only their hashes are kept.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select, update

from discreet.budget.errors import ParameterError
from discreet.office.house.house import House
from discreet.office.house.tables import credentials, links


def token() -> str:
    """Return what cannot be guessed."""
    return uuid4().hex + uuid4().hex


def hashed(secret: str) -> str:
    """Return the stored hash of a token: enough to recognise it, useless to a reader of the database."""
    return sha256(secret.encode()).hexdigest()


def pending(house: House, secret: str) -> str | None:
    """Return the purpose of a link that still works, without using it up."""
    with house.store.reading() as connection:
        link = find(house, connection, secret)
        return None if link is None else str(link["purpose"])


def make(house: House, connection: Connection, purpose: str, about: str, life: float) -> str:
    """Make a link and return its secret."""
    secret = token()
    until = house.clock() + life
    row = {"id": hashed(secret), "purpose": purpose, "about": about, "until": until, "used": False}
    connection.execute(insert(links).values(**row))
    return secret


def find(house: House, connection: Connection, secret: str) -> Any:
    """Return a link that still works."""
    same = select(links).filter_by(id=hashed(secret), used=False)
    return connection.execute(same.where(links.c.until > house.clock())).mappings().first()


def use(house: House, connection: Connection, secret: str, purpose: str) -> Any:
    """Use a link up, once."""
    link = find(house, connection, secret)
    if link is None or link["purpose"] != purpose:
        raise ParameterError("This link has expired or was already used. Ask for a new one.")
    used = update(links).filter_by(id=hashed(secret), used=False).values(used=True)
    if connection.execute(used).rowcount != 1:
        raise ParameterError("This link has expired or was already used. Ask for a new one.")
    return link


def expire(house: House) -> None:
    """Let links and tokens of programs that are over be gone: whatever the clock says later, they stay over."""
    over = [(table, table.c.until <= house.clock()) for table in (links, credentials)]
    with house.store.reading() as connection:
        late = [which for which in over if connection.execute(select(which[0].c.id).where(which[1]).limit(1)).first()]
    if late:
        with house.writing() as connection:
            for table, when in late:
                connection.execute(delete(table).where(when))
