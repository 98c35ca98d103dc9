"""Names: what an account may be called, so that nobody looks like somebody else."""

from __future__ import annotations

import re
from unicodedata import category

from discreet.budget.errors import ParameterError
from discreet.office.house import writable
from discreet.office.roles import ROLES

LONGEST = 200
LOGIN = re.compile(r"[^\s,\"'<>\x00-\x1f]{3,120}")
TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # they show a text in another order


def readable(name: str) -> str:
    """Return a person's name in one line, without what shows it as another one; nothing if nobody sees it."""
    line = " ".join(TURNING.sub("", writable(name)).split())
    line = "".join(sign for sign in line if category(sign) != "Cc")
    return line if any(sign.isprintable() and not sign.isspace() for sign in line) else ""


def check_names(login: str, name: str, roles: frozenset[str]) -> None:
    """Refuse what an account cannot be called, and roles that there are not."""
    if not LOGIN.fullmatch(login) or not login.isprintable():
        raise ParameterError("A login needs 3 to 120 characters without blanks, quotes and signs that nobody sees.")
    if not 1 <= len(name) <= LONGEST:
        raise ParameterError("A name needs 1 to 200 characters.")
    check_roles(roles)


def check_roles(roles: frozenset[str]) -> None:
    """Refuse roles that there are not, and none at all."""
    if not roles or roles - set(ROLES):
        raise ParameterError("Choose at least one role: {roles}.", roles=", ".join(ROLES))
