"""Tokens: personal tokens, with which a program does what its owner may, within scopes and for some days.

A token is shown once. What is kept is a hash under the key of the vault, over the secret and all
that the token allows: a row that was written or extended by hand does not work. Tokens end with
the sessions of their account, and are in no backup.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from discreet.budget import ParameterError, Phrase
from discreet.office.house import acts
from discreet.office.house.failures import DAY, MINUTE
from discreet.office.house.house import House
from discreet.office.house.roles import OPENID, ROLES, Member, person_of, present, require
from discreet.office.house.tables import credentials, people
from discreet.office.people import links, second_factor
from discreet.office.people.accounts import readable
from discreet.office.people.links import token

SCOPES = {
    "read": Phrase("read: datasets, requests and results that its owner can see"),
    "ask": Phrase("ask: send and withdraw requests"),
    "decide": Phrase("decide: approve and deny requests"),
}
LONGEST_TOKEN, LONGEST_PROVIDED = 365, 7  # days; people from a provider have the roles of their last sign-in
MOST = 20
LONGEST_NAME = 80
SHAPE = re.compile(r"discreet_([0-9a-f]{16})_([0-9a-f]{64})")


@dataclass(frozen=True)
class Credential:
    """A token as its owner sees it later: never what opens."""

    id: str
    name: str
    scopes: frozenset[str]
    since: float
    until: float
    used: float | None


@dataclass(frozen=True)
class Bearer:
    """The caller with a valid token: the current account, and what the token allows."""

    who: Member
    credential: Credential


def issue(house: House, who: Member | None, name: str, scopes: frozenset[str], days: int) -> str:
    """Make a token and return it, this one time."""
    who, name = require(who, *ROLES), readable(name)
    _check(who, name, scopes, days)
    secret = token()
    with house.writing() as connection:
        who = present(connection, who, *ROLES)
        connection.execute(delete(credentials).where(credentials.c.until < house.clock()))
        mine = select(func.count()).select_from(credentials).where(credentials.c.person == who.id)
        if connection.execute(mine).scalar_one() >= MOST:
            raise ParameterError(
                "You have reached the limit of {most} tokens. Revoke one that is not in use.", most=MOST
            )
        since = house.clock()
        row: dict[str, Any] = {"id": token()[:16], "person": who.id, "name": name, "scopes": _text(scopes)}
        row |= {"since": since, "until": since + days * DAY, "used": None}
        connection.execute(insert(credentials).values(**row, mark=_mark(house, row, secret)))
        house.act(connection, who.id, acts.TOKEN, name, scopes=sorted(scopes), days=days)
    return f"discreet_{row['id']}_{secret}"


def own_tokens(house: House, who: Member | None) -> list[Credential]:
    """Return the tokens of a person that still work, newest first."""
    who = require(who, *ROLES)
    mine = select(credentials).where(credentials.c.person == who.id, credentials.c.until > house.clock())
    with house.store.reading() as connection:
        return [_credential(row) for row in connection.execute(mine.order_by(credentials.c.since.desc())).mappings()]


def revoke(house: House, who: Member | None, credential: str) -> None:
    """Let an own token open nothing any more."""
    who = require(who, *ROLES)
    with house.writing() as connection:
        who = present(connection, who, *ROLES)
        mine = select(credentials).filter_by(id=credential, person=who.id)
        row = connection.execute(mine).mappings().first()
        if row is None:
            raise ParameterError("This token does not exist.")
        connection.execute(delete(credentials).filter_by(id=credential))
        house.act(connection, who.id, acts.TOKEN_REVOKED, row["name"])


def bearer(house: House, text: str) -> Bearer | None:
    """Return who sends a token, while it works, and the account is open and has what the house wants of it."""
    parts = SHAPE.fullmatch(text)
    if parts is None:
        return None
    name, secret = parts.groups()
    with house.store.reading() as connection:
        row = connection.execute(select(credentials).filter_by(id=name)).mappings().first()
        fits = row is not None and hmac.compare_digest(row["mark"], _mark(house, row, secret))
        if row is None or not fits:
            return None
        owner = connection.execute(select(people).filter_by(id=row["person"], active=True)).mappings().first()
    if house.clock() >= row["until"]:
        links.expire(house)  # it is gone, whatever the clock says later
        return None
    if owner is None or second_factor.lacking(owner):
        return None
    _note(house, row)
    return Bearer(person_of(owner), _credential(row))


def _note(house: House, row: Any) -> None:
    """Write down that a token is in use, at most once in a minute."""
    if row["used"] is None or house.clock() > row["used"] + MINUTE:
        with house.writing() as connection:
            connection.execute(update(credentials).filter_by(id=row["id"]).values(used=house.clock()))


def _check(who: Member, name: str, scopes: frozenset[str], days: int) -> None:
    """Refuse a token without a name, without a scope, or for too long."""
    longest = LONGEST_PROVIDED if who.id.startswith(OPENID) else LONGEST_TOKEN
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ParameterError("Give the token a name of 1 to {most} characters.", most=LONGEST_NAME)
    if not scopes or scopes - set(SCOPES):
        raise ParameterError("Choose the rights of the token: {allowed}.", allowed=", ".join(SCOPES))
    if isinstance(days, bool) or not 1 <= days <= longest:
        raise ParameterError("A token must be valid for 1 to {most} days.", most=longest)


def _mark(house: House, row: Any, secret: str) -> str:
    """Return the hash of a token with all that it allows, under a key that no database holds."""
    return house.vault.fingerprint(
        f"credential:{row['id']}:{row['person']}:{row['scopes']}:{float(row['until'])!r}:{secret}"
    )


def _credential(row: Any) -> Credential:
    scopes = frozenset(filter(None, row["scopes"].split(",")))
    return Credential(row["id"], row["name"], scopes, row["since"], row["until"], row["used"])


def _text(scopes: frozenset[str]) -> str:
    return ",".join(sorted(scopes))
