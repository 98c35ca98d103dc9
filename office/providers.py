"""Providers: accounts of those whom an OpenID provider has signed in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import insert, select, update

from discreet.office.house import House
from discreet.office.memberships import new_row, text_of
from discreet.office.names import readable
from discreet.office.relations import acts, people
from discreet.office.roles import OPENID, ROLES, Member, person_of
from discreet.office.tokens import hashed


def provided(subject: str) -> str:
    """Return the id of whoever a provider signs in."""
    return f"{OPENID}{hashed(subject)[:32]}"


def from_provider(house: House, subject: str, login: str, name: str, roles: frozenset[str]) -> Member | None:
    """Return the account of somebody whom an OpenID provider has signed in; made at first sight.

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
            house.act(connection, person, "signed in", meant=new, openid=True)
        elif not row["active"]:
            return None
        elif row["roles"] != text_of(roles):
            meant = {"roles": text_of(roles)}
            connection.execute(update(people).filter_by(id=person).values(**meant))
            both = {"roles": sorted(roles), "before": sorted(person_of(row).roles)}
            house.act(connection, person, "roles", row["login"], meant, provider=True, **both)
    names = called if row is None else row  # a login never changes: shares are by login
    return Member(person, names["login"], names["name"], roles)


def left_after(house: House, subject: str, at: float) -> bool:
    """Say whether somebody of a provider has signed out here since their provider's word."""
    gone = (
        select(acts.c.time)
        .where(acts.c.who == provided(subject), acts.c.what == "signed out")
        .order_by(acts.c.seq.desc())
    )
    with house.store.reading() as connection:
        last = connection.execute(gone.limit(1)).scalar_one_or_none()
    return last is not None and datetime.fromisoformat(last).timestamp() >= at
