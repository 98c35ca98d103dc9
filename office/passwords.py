"""Passwords: hashed by argon2id, and long enough."""

from __future__ import annotations

from argon2 import PasswordHasher

from discreet.budget.errors import ParameterError
from discreet.office.names import LONGEST

FEWEST = 12
HASHER = PasswordHasher()


def hash_of(password: str) -> str:
    """Return what is kept of a password, or refuse one that is too short or endless."""
    if not FEWEST <= len(password) <= LONGEST:
        raise ParameterError("A password needs {fewest} to 200 characters.", fewest=FEWEST)
    return HASHER.hash(password)
