"""Halfway: somebody whose password was right and who is not in yet. It is no session: no cookie, no row, no person.

What stands here lives in the memory of the server, beside the one connection that gave the password. No verb
takes it in the place of a person; all that can be done with it is to give what is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from discreet.budget import ParameterError, Phrase
from discreet.office import factors
from discreet.office.durations import MINUTE
from discreet.office.house import House
from discreet.office.relations import people
from discreet.office.roles import Member, person_of
from discreet.office.tokens import hashed

CODE, FACTOR = "code", "factor"  # what can be missing: a code of the second factor, or the factor itself
LIFE = 10 * MINUTE
GONE = Phrase("This took too long, or the account has changed. Sign in again.")


@dataclass(frozen=True)
class Halfway:
    """Whose password was right, until when that counts, and what is missing."""

    account: str
    login: str
    missing: str
    until: float
    password: str


def arrived(house: House, row: Any) -> Member | Halfway:
    """Return the person of an account whose password was right; or how far they have come."""
    missing = CODE if row["factor"] else FACTOR if factors.lacking(row) else ""
    if not missing:
        return person_of(row)
    return Halfway(row["id"], row["login"], missing, house.clock() + LIFE, hashed(row["password"]))


def row_of_half(house: House, connection: Connection, half: Halfway, missing: str) -> Any:
    """Return the account of somebody halfway, as it is now: open, with that password, and lacking the same."""
    row = connection.execute(select(people).filter_by(id=half.account, active=True)).mappings().first()
    same = row is not None and row["password"] is not None and hashed(row["password"]) == half.password
    if row is None or not same or house.clock() > half.until or half.missing != missing:
        raise ParameterError(GONE)
    return row
