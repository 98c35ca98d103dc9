"""Places: which databases, clusters and folders this server may open for an officer, and how a refusal sounds.

Officers name tables of databases; which databases may be named at all says who keeps the server:
DISCREET_DATABASES holds patterns with blanks between them, HOST:PORT/DATABASE or sqlite:/FILE, in
which * stands for anything. Without it there is none. DISCREET_FOLDERS holds the folders, with blanks
between them, in which and below which rows may lie. DISCREET_CLUSTERS holds the clusters, HOST:PORT.
DISCREET_SOURCES holds patterns of the addresses that other packages know how to read.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from discreet.budget.errors import ParameterError
from discreet.office.house import CLUSTERS as CLUSTERS
from discreet.office.house import DATABASES as DATABASES
from discreet.office.house import FOLDERS as FOLDERS
from discreet.office.house import SOURCES as SOURCES
from discreet.office.house import House
from discreet.office.roles import Member, present
from discreet.rows.connection import Connection, place
from discreet.rows.database import LITE, verified
from discreet.rows.elsewhere import Address, Cluster, Folder, LiveSource
from discreet.rows.refusals import Unreachable

PADDED = 6.0  # seconds: what cannot be reached is told after one, two, three ... of these
EXAMPLES = "db.inside:5432/registry sqlite:/srv/registers/*.db"


def patterns(environment: Mapping[str, str] = os.environ) -> list[tuple[str, ...]]:
    """Return what may be opened, in parts; refuse what is no pattern."""
    given = [_parts(pattern) for pattern in environment.get(DATABASES, "").split()]
    if None in given:
        raise ParameterError(
            "{name} holds HOST:PORT/DATABASE or sqlite:/FILE, with blanks between them, as in {examples}.",
            name=DATABASES,
            examples=EXAMPLES,
        )
    return [parts for parts in given if parts is not None]


def roots(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """Return the folders that rows may lie in; refuse what is none."""
    folders = [Path(folder) for folder in environment.get(FOLDERS, "").split()]
    if not all(folder.is_absolute() for folder in folders):
        raise ParameterError("{name} holds folders, from / on, with blanks between them.", name=FOLDERS)
    return [folder.resolve() for folder in folders]


def clusters(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the clusters that may be asked, HOST:PORT; refuse what is none."""
    given = environment.get(CLUSTERS, "").lower().split()
    parts = [place.rpartition(":") for place in given]
    if not all(host and (port == "*" or port.isdigit()) for host, _, port in parts):
        raise ParameterError("{name} holds HOST:PORT, with blanks between them.", name=CLUSTERS)
    return given


def others(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return patterns of the addresses of other packages that may be opened; refuse what is no address."""
    given = environment.get(SOURCES, "").split()
    if not all("://" in pattern for pattern in given):
        raise ParameterError(
            "{name} lists addresses, separated by spaces. A * matches anything, as in acme://store/*.", name=SOURCES
        )
    return given


def tables(environment: Mapping[str, str] = os.environ) -> bool:
    """Say whether any table may be named at all, of a database, of a cluster or of what another package reads."""
    return bool(patterns(environment) or clusters(environment) or others(environment))


def permit(where: Address, environment: Mapping[str, str] = os.environ) -> None:
    """Refuse what the configuration does not name."""
    if isinstance(where, Cluster):
        return _permit_cluster(where, environment)
    if isinstance(where, Connection):
        return _permit_database(where, environment)
    if not isinstance(where, Folder):
        return _permit_other(where, environment)
    if not any(where.resolved.is_relative_to(root) for root in roots(environment)):
        raise ParameterError(
            "This server may not open this folder. Whoever keeps the server names those that it may in {name}.",
            name=FOLDERS,
        )


def _permit_database(connection: Connection, environment: Mapping[str, str]) -> None:
    """Refuse a database that the configuration does not name, and one without verified TLS."""
    where = tuple(str(part) for part in place(connection.address))
    if not any(len(parts) == len(where) and all(map(fnmatchcase, where, parts)) for parts in patterns(environment)):
        raise ParameterError(
            "This server may not open this database. Whoever keeps the server names those that it may in {name}.",
            name=DATABASES,
        )
    if not verified(connection.address):
        raise ParameterError(
            "The connection to another machine must be encrypted and its certificate verified. "
            "Leave sslmode away, or write sslmode=verify-full."
        )


def _permit_cluster(cluster: Cluster, environment: Mapping[str, str]) -> None:
    """Refuse a cluster that the configuration does not name, and one without verified TLS."""
    if not any(fnmatchcase(f"{cluster.host}:{cluster.port}", pattern) for pattern in clusters(environment)):
        raise ParameterError(
            "This server may not ask this cluster. Whoever keeps the server names those that it may in {name}.",
            name=CLUSTERS,
        )
    if not cluster.verified:
        raise ParameterError(
            "The connection to another machine must be encrypted and its certificate verified. Write ;use_ssl=true "
            "behind the address."
        )


def _permit_other(where: Address, environment: Mapping[str, str]) -> None:
    """Refuse an address of another package that the configuration does not name."""
    if not any(fnmatchcase(where.place, pattern) for pattern in others(environment)):
        raise ParameterError(
            "This server is not allowed to open this address. Ask its administrator to name the address in {name}.",
            name=SOURCES,
        )


def look(house: House, who: Member, where: Address) -> LiveSource:
    """Return rows for an officer to declare; only their columns are looked at."""
    with house.store.reading() as reading:
        present(reading, who, "officer")
    source = where.source()
    opened(where, lambda: source.names)
    return source


def settled(where: Address) -> LiveSource:
    """Return rows under the one full name of where they are."""
    source: LiveSource = opened(where, where.source().settled)
    return source


def opened(where: Address, step: Callable[[], Any]) -> Any:
    """Open what may be opened; how long it takes to fail tells nothing of why."""
    permit(where)
    with _padded():
        return step()


@contextmanager
def _padded() -> Iterator[None]:
    start = time.monotonic()
    try:
        yield
    except Unreachable:
        time.sleep(PADDED - (time.monotonic() - start) % PADDED)
        raise


def _parts(pattern: str) -> tuple[str, ...] | None:
    """Return a pattern in the parts of a place."""
    if pattern.startswith(f"{LITE}:"):
        file = pattern.removeprefix(f"{LITE}:")
        return (LITE, file) if file.startswith("/") else None
    server, _, database = pattern.rpartition("/")
    host, _, port = server.rpartition(":")
    if not host or not database or not (port == "*" or port.isdigit()):
        return None
    return "postgresql", host.lower(), port, database
