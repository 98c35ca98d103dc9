"""Passwords: hashed by argon2id, and long enough."""

from __future__ import annotations

from base64 import b64encode

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


def of_nobody() -> str:
    """Return what looks like what is kept of a password, and is of none.

    Looking whether a password fits takes as long as ever; nothing is hashed for it beforehand, which
    every command and every server would wait for.
    """
    salt, rest = (b64encode(bytes(size)).decode().rstrip("=") for size in (HASHER.salt_len, HASHER.hash_len))
    costs = f"m={HASHER.memory_cost},t={HASHER.time_cost},p={HASHER.parallelism}"
    return f"$argon2id$v=19${costs}${salt}${rest}"
