"""Roles: a person's identity and rights, checked again at the moment of each act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from discreet.budget.errors import ParameterError, Phrase
from discreet.office.house.tables import people

ANALYST = "analyst"
OFFICER = "officer"
ADMINISTRATOR = "administrator"
ROLES = {ANALYST: Phrase("analyst"), OFFICER: Phrase("officer"), ADMINISTRATOR: Phrase("administrator")}
DECIDERS = (OFFICER, ADMINISTRATOR)  # who decide about others
OPENID = "openid-"  # prefix of the ids of people who sign in by a provider


class Denied(ParameterError):
    """A person tried what their role does not give them."""

    def __init__(self) -> None:
        """Say so, and nothing about what it was."""
        super().__init__("Your role does not give you this.")


@dataclass(frozen=True)
class Member:
    """A person who is signed in."""

    id: str
    login: str
    name: str
    roles: frozenset[str]


# a person who can run commands on the server can do everything that the terminal does
TERMINAL = Member("terminal", "terminal", "the terminal", frozenset(ROLES))
NO_ONE = Member("", "", "", frozenset())  # who only looks on a page, and who acts where something ends by itself


def require(who: Member | None, *roles: str) -> Member:
    """Return the person if they have one of the roles; else refuse."""
    assert ROLES.keys() >= set(roles), roles
    if who is None or not who.roles & set(roles):
        raise Denied
    return who


def present(connection: Connection, who: Member | None, *roles: str) -> Member:
    """Return the person as their account is now, in the transaction that acts; else refuse.

    What was looked up when a page was drawn may be over: a closed account, a role taken away.
    """
    if who is None or who == TERMINAL:
        return require(who, *roles)
    mine = select(people).filter_by(id=who.id, active=True)
    line = connection.execute(mine).mappings().first()
    return require(None if line is None else person_of(line), *roles)


def person_of(line: Any) -> Member:
    """Return the person of a row."""
    roles = frozenset(filter(None, str(line["roles"]).split(",")))
    return Member(line["id"], line["login"], line["name"], roles)
