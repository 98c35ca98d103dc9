"""Passwords: hashed by argon2id, and long enough; looked at a few at once, so that screens go on beside them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import Argon2Error, InvalidHashError

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.office.names import LONGEST

FEWEST = 12
HASHER = PasswordHasher(parallelism=1)  # a hash says how it was made: those of four threads fit as before
AT_ONCE, PATIENCE = 2, 10.0  # each takes 64 MiB and a core; seconds that somebody waits for a turn
CROWDED = Phrase("Many people are signing in at this moment. Try again in a few seconds.")
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
        raise ParameterError("A password needs {fewest} to 200 characters.", fewest=FEWEST)
    with turn():
        return HASHER.hash(password)


def fits(digest: str, password: str) -> bool:
    """Say whether a password is the one of which this is kept."""
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
        salt_size, size = HASHER.salt_len, HASHER.hash_len
        costs = f"m={HASHER.memory_cost},t={HASHER.time_cost},p={HASHER.parallelism}"
    else:
        salt_size, size = how.salt_len, how.hash_len
        costs = f"m={how.memory_cost},t={how.time_cost},p={how.parallelism}"
    salt, rest = (b64encode(bytes(length)).decode().rstrip("=") for length in (salt_size, size))
    return f"$argon2id$v=19${costs}${salt}${rest}"
