"""Connections: places of rows that an administrator sets up once; officers pick them by name and see no password.

The address lies in the vault, as the addresses of registered tables do. It may name secrets of the
server's environment, as in postgresql+psycopg://reader:${CONNECTION_REGISTRY}@host/database: these are
read at each opening. Data that are registered through a connection keep the bare place in the vault,
and are reached by what the connection says now, so that a new password is said once. The name of
a connection is no part of what identifies a table: its budget is the same by whatever way it is reached.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection as Writing
from sqlalchemy import insert, select, update

from discreet.budget import ParameterError, Phrase
from discreet.office import places, replay
from discreet.office.approach import ANY_TABLE, address_for, address_of_place, resolved, table_of
from discreet.office.house import House
from discreet.office.names import readable
from discreet.office.relations import connections, datasets
from discreet.office.roles import TERMINAL, Member, present, require
from discreet.rows.connection import Connection as Table
from discreet.rows.elsewhere import Address, LiveSource
from discreet.rows.lineage import offered
from discreet.rows.refusals import Unreachable

OPEN, REMOVED = "open", "removed"
THROUGH = "through"  # what the layout of rows calls the connection that leads to them
LONGEST = 80
ABSENT = Phrase("There is no such connection, or it is not for you. Ask an administrator.")
OTHERWISE = Phrase("The trail knows another connection of this name. Nothing is read: tell whoever keeps the server.")
SILENT = Phrase("The connection {name} does not answer now. Try again later, or tell an administrator to test it.")


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
    who, name = require(who, "administrator"), readable(name)
    if not 1 <= len(name) <= LONGEST:
        raise ParameterError("Give the connection a name of 1 to {most} characters.", most=LONGEST)
    with house.store.reading() as reading:
        present(reading, who, "administrator")
    where = address_for(address.strip())
    places.permit(where)
    with house.vault.keeping(address.strip().encode()) as content, house.writing() as connection:
        who = present(connection, who, "administrator")
        before = _row(house, connection, connections.c.name == name)
        if before is not None and before["state"] == OPEN:
            _check_same(house, before, where)
        values = {"content": content, "officers": ",".join(sorted(set(officers))), "state": OPEN}
        if before is None:
            connection.execute(insert(connections).values(id=uuid4().hex, name=name, **values))
        else:
            connection.execute(update(connections).filter_by(id=before["id"]).values(**values))
        house.act(connection, who.id, "connection", name, values)
    if before is not None:
        house.vault.delete(before["content"])


def disconnect(house: House, who: Member | None, name: str) -> None:
    """Let nobody use a connection any more; not while rows are reached through it."""
    who = require(who, "administrator")
    with house.writing() as connection:
        who = present(connection, who, "administrator")
        row = _open(house, connection, connections.c.name == name)
        users = [data["name"] for data in connection.execute(select(datasets)).mappings() if _uses(data, row["id"])]
        if users:
            raise ParameterError(
                "The rows of {names} are reached through this connection. Delete them first.", names=", ".join(users)
            )
        connection.execute(update(connections).filter_by(id=row["id"]).values(state=REMOVED))
        house.act(connection, who.id, "connection removed", name, {"state": REMOVED})
    house.vault.delete(row["content"])


def all_connections(house: House, who: Member | None) -> list[NamedConnection]:
    """Return every connection, for whoever sets them up."""
    with house.store.reading() as connection:
        present(connection, require(who, "administrator"), "administrator")
        return [_named(house, row) for row in _rows(house, connection)]


def own_connections(house: House, who: Member | None) -> list[NamedConnection]:
    """Return the connections that an officer may register rows through."""
    who = require(who, "officer")
    with house.store.reading() as connection:
        who = present(connection, who, "officer")
        return [_named(house, row) for row in _rows(house, connection) if _may_use(row, who)]


def reach(house: House, who: Member | None, connection: str, table: str) -> Address:
    """Return the address of a table by a connection that an officer may use; a folder has no table."""
    who = require(who, "officer")
    with house.store.reading() as reading:
        check_usable(house, reading, present(reading, who, "officer"), connection)
        row = _open(house, reading, connections.c.id == connection)
    return address_for(_text(house, row), table)


def knock(house: House, who: Member | None, name: str) -> None:
    """See whether a connection answers; one sentence says where it does not."""
    with house.store.reading() as reading:
        present(reading, require(who, "administrator"), "administrator")
        row = _open(house, reading, connections.c.name == name)
    where = address_for(_text(house, row))
    try:
        places.opened(where, where.knock)
    except Unreachable:
        raise Unreachable(Phrase(SILENT, name=name)) from None


def offers(house: House, who: Member | None, connection: str) -> list[str]:
    """Return what an officer may name of a connection: its tables and views, without a look at a row."""
    where = reach(house, who, connection, ANY_TABLE)
    if not isinstance(where, Table):
        return []
    listed: list[str] = places.opened(where, lambda: offered(where))
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


def check_usable(house: House, connection: Writing, who: Member, through: str) -> None:
    """Refuse a connection that is removed, or that this officer may not use, in a transaction that is under way."""
    if not _may_use(_open(house, connection, connections.c.id == through), who):
        raise ParameterError(ABSENT)


def _rows(house: House, connection: Writing) -> list[Any]:
    rows = connection.execute(select(connections).filter_by(state=OPEN).order_by(connections.c.name)).mappings()
    return [row for row in rows if replay.holds(connection, house.seal, "connection", dict(row))]


def _row(house: House, connection: Writing, which: Any) -> Any:
    """Return the row of a connection, if there is one; refuse one that nobody set up."""
    row = connection.execute(select(connections).where(which)).mappings().first()
    if row is not None and not replay.holds(connection, house.seal, "connection", dict(row)):
        raise ParameterError(OTHERWISE)
    return row


def _open(house: House, connection: Writing, which: Any) -> Any:
    row = _row(house, connection, which)
    if row is None or row["state"] != OPEN:
        raise ParameterError(ABSENT)
    return row


def _through(house: House, layout: str) -> Any:
    """Return the row of the connection through which rows are reached; none where their address is their own."""
    through = json.loads(layout).get(THROUGH)
    if through is None:
        return None
    with house.store.reading() as connection:
        return _open(house, connection, connections.c.id == through)


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
        raise ParameterError("This is another place. Set it up under another name, or remove the connection first.")


def _uses(data: Any, connection: str) -> bool:
    return bool(data["state"] != "deleted" and json.loads(data["layout"]).get(THROUGH) == connection)
