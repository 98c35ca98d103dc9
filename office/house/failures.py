"""Failures: what is wrong with the machine around the office, for people and as a word for the log.

Neither holds anything of a row: a class, a number of the system, a code of the database.
"""

from __future__ import annotations

import errno
from typing import Any

from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidRequestError, NoSuchModuleError, SQLAlchemyError

from discreet.budget.errors import Phrase

# Durations, in seconds: what the office counts in.

MINUTE = 60.0
HOUR = 3600.0
DAY = 24 * HOUR
WEEK = 7 * DAY

FULL = Phrase(
    "The server's disk is full. Nothing was lost, and nothing is charged twice. Free some disk space, then try again."
)
CLOSED = Phrase("The server cannot write to its folder or database. Ask the server administrator to grant the rights.")
UNREACHABLE = Phrase("Registered datasets are not available now. Try again in a minute.")
NO_ADDRESS = Phrase(
    "DISCREET_DATABASE is not a supported address. Write sqlite:////folder/file or "
    "postgresql+psycopg://user:password@host/database."
)
ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
RIGHTS = {errno.EACCES, errno.EPERM, errno.EROFS}
LITE_ROOM = {"SQLITE_FULL"}
LITE_RIGHTS = {"SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"}
POSTGRES_ROOM = {"53100"}
POSTGRES_RIGHTS = {"42501", "25006"}
MISSPELT = (ArgumentError, InvalidRequestError, NoSuchModuleError, ImportError)


def _codes(error: BaseException) -> list[str]:
    """Return what the system or the database calls it."""
    below: Any = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(below, "errno", None)
    word = errno.errorcode.get(code) if isinstance(code, int) else None
    names = (word, getattr(below, "sqlite_errorname", None), getattr(below, "sqlstate", None))
    return [name for name in names if isinstance(name, str)]


def cause(error: BaseException) -> str:
    """Return a word for the log: the class of an error and its codes, never its text."""
    return " ".join([type(error).__name__, *_codes(error)])


def sentence(error: BaseException) -> Phrase | None:
    """Return the message for the person who waits; None where the machine is not the cause."""
    codes = set(_codes(error))
    if codes & ({errno.errorcode[n] for n in ROOM} | LITE_ROOM | POSTGRES_ROOM):
        return FULL
    rights = {errno.errorcode[n] for n in RIGHTS} | LITE_RIGHTS | POSTGRES_RIGHTS
    if any(code.startswith(tuple(rights)) for code in codes):
        return CLOSED
    return UNREACHABLE if isinstance(error, DBAPIError) else None


def ending(wrong: OSError | SQLAlchemyError) -> str:
    """Return the line with which a command ends, for the server administrator."""
    full = sentence(wrong) == FULL
    if isinstance(wrong, OSError):
        why = str(FULL) if full else str(wrong.strerror)
        return f"{why}: {wrong.filename}" if wrong.filename else why
    if full:
        return str(FULL)
    return f"The database refuses. {getattr(wrong, 'orig', wrong)}".splitlines()[0]
