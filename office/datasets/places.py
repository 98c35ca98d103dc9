"""Places: which databases, clusters and folders this server may open for an officer, and how a refusal sounds.

Officers name tables of databases; which databases may be named at all says who keeps the server:
DISCREET_DATABASES holds patterns with blanks between them, HOST:PORT/DATABASE or sqlite:/FILE, in
which * stands for anything. Without it there is none. DISCREET_FOLDERS holds the folders, with blanks
between them, in which and below which rows may lie. DISCREET_CLUSTERS holds the clusters, HOST:PORT.
DISCREET_SOURCES holds patterns of the addresses that other packages know how to read.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from sqlalchemy import Connection as Writing
from sqlalchemy import insert, select, update

from discreet.budget import Phrase
from discreet.budget.errors import ParameterError
from discreet.office.house import acts, replay
from discreet.office.house.house import CLUSTERS as CLUSTERS
from discreet.office.house.house import DATABASES as DATABASES
from discreet.office.house.house import FOLDERS as FOLDERS
from discreet.office.house.house import SOURCES as SOURCES
from discreet.office.house.house import House
from discreet.office.house.roles import ADMINISTRATOR, OFFICER, TERMINAL, Member, present, require
from discreet.office.house.tables import connections, datasets
from discreet.office.people.accounts import readable
from discreet.office.rules.visit import Visit, acting, looking
from discreet.rows.engines.connection import DatabaseSource, offered, place
from discreet.rows.engines.database import LITE, verified
from discreet.rows.engines.folder import Folder
from discreet.rows.engines.registry import Address, Cluster, LiveSource, Tabled, table_at
from discreet.rows.intake.parser import Unreachable

# Approach: the address of a place of rows, in which secrets of the server's environment may be named.

ANY_TABLE = "any"
SECRET = re.compile(r"\$\{(CONNECTION_[A-Z0-9_]+)\}")
CONCEALED = "x"  # what stands for a secret where only the place is looked at


def resolved(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return an address with the secrets that the environment holds in it."""

    def secret(name: re.Match[str]) -> str:
        if not environment.get(name[1]):
            raise ParameterError(
                "The environment of this server does not set {name}. Set it, then restart the server.", name=name[1]
            )
        return quote(environment[name[1]], safe="")

    return SECRET.sub(secret, text)


def address_of_place(text: str, table: str = ANY_TABLE) -> Address:
    """Return the place that an address leads to, for looking at it; nothing can be opened with it."""
    return _address(SECRET.sub(CONCEALED, text), table)


def address_for(text: str, table: str = ANY_TABLE) -> Address:
    """Return the place with all that opens it."""
    return _address(resolved(text), table)


def table_of(where: Address) -> str:
    """Return the table of an address; a folder has none."""
    return where.table if isinstance(where, Tabled) else ""


def _address(url: str, table: str) -> Address:
    return Folder(url) if url.startswith("/") else table_at(url, table)


PADDED = 6.0  # seconds: a failed connection is reported after a multiple of this
EXAMPLES = "db.inside:5432/registry sqlite:/srv/registers/*.db"


def patterns(environment: Mapping[str, str] = os.environ) -> list[tuple[str, ...]]:
    """Return what may be opened, in parts; refuse an invalid pattern."""
    given = [_parts(pattern) for pattern in environment.get(DATABASES, "").split()]
    if None in given:
        raise ParameterError(
            "{name} must list HOST:PORT/DATABASE or sqlite:/FILE entries, separated by spaces, as in {examples}.",
            name=DATABASES,
            examples=EXAMPLES,
        )
    return [parts for parts in given if parts is not None]


def roots(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """Return the folders that rows may lie in; refuse what is none."""
    folders = [Path(folder) for folder in environment.get(FOLDERS, "").split()]
    if not all(folder.is_absolute() for folder in folders):
        raise ParameterError("{name} must list absolute folder paths, separated by spaces.", name=FOLDERS)
    return [folder.resolve() for folder in folders]


def clusters(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the clusters that may be asked, HOST:PORT; refuse what is none."""
    given = environment.get(CLUSTERS, "").lower().split()
    parts = [place.rpartition(":") for place in given]
    if not all(host and (port == "*" or port.isdigit()) for host, _, port in parts):
        raise ParameterError("{name} must list HOST:PORT entries, separated by spaces.", name=CLUSTERS)
    return given


def others(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return patterns of the addresses of other packages that may be opened; refuse an invalid address."""
    given = environment.get(SOURCES, "").split()
    if not all("://" in pattern for pattern in given):
        raise ParameterError(
            "{name} must list addresses, separated by spaces. A * matches anything, as in acme://store/*.", name=SOURCES
        )
    return given


def tables(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether any table may be named at all, of a database, of a cluster or of what another package reads."""
    return bool(patterns(environment) or clusters(environment) or others(environment))


def permit(where: Address, environment: Mapping[str, str] = os.environ) -> None:
    """Refuse what the configuration does not name."""
    if isinstance(where, Cluster):
        return _permit_cluster(where, environment)
    if isinstance(where, DatabaseSource):
        return _permit_database(where, environment)
    if not isinstance(where, Folder):
        return _permit_other(where, environment)
    if not any(where.resolved.is_relative_to(root) for root in roots(environment)):
        raise ParameterError(
            "This server may not open this folder. The server administrator lists the allowed folders in {name}.",
            name=FOLDERS,
        )


def _permit_database(connection: DatabaseSource, environment: Mapping[str, str]) -> None:
    """Refuse a database that the configuration does not name, and one without verified TLS."""
    where = tuple(str(part) for part in place(connection.address))
    if not any(len(parts) == len(where) and all(map(fnmatchcase, where, parts)) for parts in patterns(environment)):
        raise ParameterError(
            "This server may not open this database. The server administrator lists the allowed databases in {name}.",
            name=DATABASES,
        )
    if not verified(connection.address):
        raise ParameterError(
            "The connection to another machine must be encrypted and its certificate verified. Remove "
            "sslmode, or write sslmode=verify-full."
        )


def _permit_cluster(cluster: Cluster, environment: Mapping[str, str]) -> None:
    """Refuse a cluster that the configuration does not name, and one without verified TLS."""
    if not any(fnmatchcase(f"{cluster.host}:{cluster.port}", pattern) for pattern in clusters(environment)):
        raise ParameterError(
            "This server may not query this cluster. The server administrator lists the allowed clusters in {name}.",
            name=CLUSTERS,
        )
    if not cluster.verified:
        raise ParameterError(
            "The connection to another machine must be encrypted and its certificate verified. Add "
            ";use_ssl=true to the address."
        )


def _permit_other(where: Address, environment: Mapping[str, str]) -> None:
    """Refuse an address of another package that the configuration does not name."""
    if not any(fnmatchcase(where.place, pattern) for pattern in others(environment)):
        raise ParameterError(
            "This server may not open this address. The server administrator lists the allowed addresses in {name}.",
            name=SOURCES,
        )


def look(house: House, who: Member, where: Address) -> LiveSource:
    """Return rows for an officer to declare; only their columns are looked at."""
    with house.store.reading() as reading:
        present(reading, who, OFFICER)
    source = where.source()
    opened(where, lambda: source.names)
    return source


def settled(where: Address) -> LiveSource:
    """Return rows under the one full name of where they are."""
    source: LiveSource = opened(where, where.source().settled)
    return source


def opened(where: Address, step: Callable[[], Any]) -> Any:
    """Open what may be opened; the time until it fails does not depend on the reason."""
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


# Connections: places of rows that an administrator sets up once; officers pick them by name and see no password.

OPEN = "open"
REMOVED = "removed"
THROUGH = "through"  # what the layout of rows calls the connection that leads to them
LONGEST = 80
ABSENT = Phrase("This connection does not exist, or you may not use it. Ask an administrator.")
OTHERWISE = Phrase(
    "This connection does not match the audit log, so no data was read. Contact the server administrator."
)
SILENT = Phrase("The connection {name} does not respond. Try again later, or ask an administrator to test it.")


@dataclass(frozen=True)
class NamedConnection:
    """A connection as people see it: never with its password."""

    id: str
    name: str
    officers: tuple[str, ...]  # by login; none: all of them
    folder: bool
    place: str


def connect(house: House, who: Member | None, name: str, address: str, officers: tuple[str, ...] = ()) -> None:
    """Set a connection up, or say the whole address of one again, with another password; it leads to the same place."""
    require(who, ADMINISTRATOR)
    name = readable(name)
    if not 1 <= len(name) <= LONGEST:
        raise ParameterError("Give the connection a name of 1 to {most} characters.", most=LONGEST)
    with house.store.reading() as reading:
        present(reading, who, ADMINISTRATOR)
    where = address_for(address.strip())
    permit(where)
    with house.vault.keeping(address.strip().encode()) as content, acting(house, who, ADMINISTRATOR) as visit:
        before = _row(visit, connections.c.name == name)
        if before is not None and before["state"] == OPEN:
            _check_same(house, before, where)
        values = {"content": content, "officers": ",".join(sorted(set(officers))), "state": OPEN}
        if before is None:
            visit.connection.execute(insert(connections).values(id=uuid4().hex, name=name, **values))
        else:
            visit.connection.execute(update(connections).filter_by(id=before["id"]).values(**values))
        visit.act(acts.CONNECTION, name, values)
    if before is not None:
        house.vault.delete(before["content"])


def disconnect(house: House, who: Member | None, name: str) -> None:
    """Remove a connection; refuse while registered rows are read through it."""
    with acting(house, who, ADMINISTRATOR) as visit:
        row = _open(visit, connections.c.name == name)
        every = visit.connection.execute(select(datasets)).mappings()
        users = [data["name"] for data in every if _uses(data, row["id"])]
        if users:
            raise ParameterError(
                "The rows of {names} are reached through this connection. Delete them first.", names=", ".join(users)
            )
        visit.connection.execute(update(connections).filter_by(id=row["id"]).values(state=REMOVED))
        visit.act(acts.CONNECTION_REMOVED, name, {"state": REMOVED})
    house.vault.delete(row["content"])


def all_connections(house: House, who: Member | None) -> list[NamedConnection]:
    """Return every connection, for administrators."""
    with looking(house, require(who, ADMINISTRATOR)) as visit:
        present(visit.connection, who, ADMINISTRATOR)
        return [_named(house, row) for row in _rows(visit)]


def own_connections(house: House, who: Member | None) -> list[NamedConnection]:
    """Return the connections that an officer may register rows through."""
    who = require(who, OFFICER)
    with looking(house, who) as visit:
        who = present(visit.connection, who, OFFICER)
        return [_named(house, row) for row in _rows(visit) if _may_use(row, who)]


def reach(house: House, who: Member | None, connection: str, table: str) -> Address:
    """Return the address of a table by a connection that an officer may use; a folder has no table."""
    who = require(who, OFFICER)
    with house.store.reading() as reading:
        visit = Visit(house, reading, present(reading, who, OFFICER))
        check_usable(visit, connection)
        row = _open(visit, connections.c.id == connection)
    return address_for(_text(house, row), table)


def knock(house: House, who: Member | None, name: str) -> None:
    """See whether a connection answers; one sentence says where it does not."""
    with looking(house, require(who, ADMINISTRATOR)) as visit:
        present(visit.connection, who, ADMINISTRATOR)
        row = _open(visit, connections.c.name == name)
    where = address_for(_text(house, row))
    try:
        opened(where, where.knock)
    except Unreachable:
        raise Unreachable(Phrase(SILENT, name=name)) from None


def offers(house: House, who: Member | None, connection: str) -> list[str]:
    """Return what an officer may name of a connection: its tables and views, without a look at a row."""
    where = reach(house, who, connection, ANY_TABLE)
    if not isinstance(where, DatabaseSource):
        return []
    listed: list[str] = opened(where, lambda: offered(where))
    return listed


def name_through(house: House, layout: str) -> str:
    """Return the name of the connection through which rows are reached; empty where their address is their own."""
    row = _through(house, layout)
    return "" if row is None else str(row["name"])


def current(house: House, row: Mapping[str, Any], source: LiveSource) -> LiveSource:
    """Return rows by the address that leads to them now; it must lead to the place that was registered."""
    way = _through(house, row["layout"])
    if way is None:
        return source
    where = address_for(_text(house, way), table_of(source.where))
    if where.digest != source.where.digest:
        raise ParameterError(OTHERWISE)
    return where.source()


def mark(house: House, row: Mapping[str, Any]) -> str:
    """Return what changes when rows are reached in another way: who answers for them then begins anew."""
    way = _through(house, row["layout"])
    return "" if way is None else house.vault.fingerprint(f"connection:{resolved(_text(house, way))}")


def contents(connection: Writing) -> list[str]:
    """Return where in the vault the addresses of connections lie."""
    used = select(connections.c.content).filter_by(state=OPEN)
    return [str(content) for content in connection.execute(used).scalars()]


def check_usable(visit: Visit, through: str) -> None:
    """Refuse a connection that is removed, or that this officer may not use, in a transaction that is under way."""
    if not _may_use(_open(visit, connections.c.id == through), visit.who):
        raise ParameterError(ABSENT)


def _rows(visit: Visit) -> list[Any]:
    ordered = select(connections).filter_by(state=OPEN).order_by(connections.c.name)
    rows = visit.connection.execute(ordered).mappings().all()
    return [row for row in rows if replay.holds(visit.trail, "connection", dict(row))]


def _row(visit: Visit, which: Any) -> Any:
    """Return the row of a connection, if there is one; refuse one that was not set up."""
    row = visit.connection.execute(select(connections).where(which)).mappings().first()
    if row is not None and not replay.holds(visit.trail, "connection", dict(row)):
        raise ParameterError(OTHERWISE)
    return row


def _open(visit: Visit, which: Any) -> Any:
    row = _row(visit, which)
    if row is None or row["state"] != OPEN:
        raise ParameterError(ABSENT)
    return row


def _through(house: House, layout: str) -> Any:
    """Return the row of the connection through which rows are reached; none where their address is their own."""
    through = json.loads(layout).get(THROUGH)
    if through is None:
        return None
    with looking(house) as visit:
        return _open(visit, connections.c.id == through)


def _named(house: House, row: Any) -> NamedConnection:
    where = address_of_place(_text(house, row))
    return NamedConnection(row["id"], row["name"], _logins(row), table_of(where) == "", where.place)


def _may_use(row: Any, who: Member) -> bool:
    return who == TERMINAL or not _logins(row) or who.login in _logins(row)


def _logins(row: Any) -> tuple[str, ...]:
    return tuple(filter(None, row["officers"].split(",")))


def _text(house: House, row: Any) -> str:
    """Return the address as the vault keeps it."""
    return house.vault.secret(row["content"])


def _check_same(house: House, before: Any, where: Address) -> None:
    """Refuse another place under a name through which rows may be reached."""
    if address_of_place(_text(house, before)).digest != where.digest:
        raise ParameterError(
            "This connection points to a different place. Set it up under another name, or remove the "
            "existing connection first."
        )


def _uses(data: Any, connection: str) -> bool:
    return bool(data["state"] != "deleted" and json.loads(data["layout"]).get(THROUGH) == connection)
