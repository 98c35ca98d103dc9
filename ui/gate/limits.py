"""Limits: how many connections, pages and bytes the server accepts, given its memory and its file descriptors."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from functools import cache

from discreet.rows.capacity import MIB, share

MOST_SOCKETS, SPARE = 4096, 256  # and file descriptors that the server opens for itself
MOST_PAGES, PAGE = 1000, 4  # pages open at the same time; MiB that each may grow to


@dataclass(frozen=True)
class Limits:
    """Limits of all connections, and of those from one address."""

    sockets: int
    sockets_of_one: int
    held: int  # bytes of messages
    held_by_one: int
    pages: int
    pages_of_one: int


@cache
def limits() -> Limits:
    """Return the limits of this process."""
    sockets = max(min(MOST_SOCKETS, _files() - SPARE), SPARE)
    held = share(32, 256 * MIB)
    pages = min(MOST_PAGES, sockets // 2, share(PAGE, MOST_PAGES * MIB) // MIB)
    return Limits(sockets, sockets // 2, held, held // 4, pages, pages // 4)


def _files() -> int:
    """Raise the limit of open files as far as needed and allowed; return it."""
    wanted, (soft, hard) = MOST_SOCKETS + SPARE, resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):
        return soft
    return most
