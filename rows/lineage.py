"""Lineage: which tables a database offers, and of which tables a view is made, as the database itself says.

Only names are looked at, never a row. PostgreSQL keeps what a view is made of; SQLite tells it when
it is asked how it would read the view.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from discreet.budget.errors import ParameterError
from discreet.rows import database
from discreet.rows.connection import Connection
from discreet.rows.database import LITE

OFFERED = {
    LITE: """
        SELECT 'main', name FROM sqlite_master
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'""",
    "postgresql": """
        SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
        AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')""",
}
# a view is made of what its rule reads, a divided table of its parts
BENEATH = """
    WITH RECURSIVE parts(above, base) AS (
        SELECT r.ev_class, d.refobjid FROM pg_catalog.pg_rewrite r
        JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid
        WHERE r.ev_type = '1' AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid <> r.ev_class
        UNION SELECT inhparent, inhrelid FROM pg_catalog.pg_inherits
    ), below(oid) AS (
        SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = :schema AND c.relname = :name
        UNION SELECT parts.base FROM below JOIN parts ON parts.above = below.oid
    )
    SELECT n.nspname, c.relname FROM below JOIN pg_catalog.pg_class c ON c.oid = below.oid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')"""


def offered(connection: Connection) -> list[str]:
    """Return the full names of the tables and views that may be read here."""
    with database.moment(database.engine(connection.address)) as db:
        database.refuse_office(db)
        return sorted(".".join(row) for row in db.exec_driver_sql(OFFERED[db.dialect.name]))


def beneath(connection: Connection, tables: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return the full names of what each table or view is made of, itself among them; what is gone is left out."""
    named = {}
    with database.moment(database.engine(connection.address)) as db:
        for table in tables:
            with suppress(ParameterError):
                named[table] = _below(db, *database.find(db, table))
    return named


def _below(db: sa.Connection, schema: str, name: str) -> frozenset[str]:
    if db.dialect.name == LITE:
        return frozenset(f"{schema}.{each}".casefold() for each in {name, *_read_by(db, name)})
    return frozenset(".".join(row) for row in db.execute(sa.text(BENEATH), {"schema": schema, "name": name}))


def _read_by(db: sa.Connection, view: str) -> set[str]:
    """Return what SQLite would look at to read a view; nothing of it is run."""
    read, raw = set[str](), db.connection.driver_connection

    def note(action: int, table: str | None, *_: Any) -> int:
        if action == sqlite3.SQLITE_READ and table:
            read.add(table)
        return sqlite3.SQLITE_OK

    assert raw is not None
    raw.set_authorizer(note)
    try:
        quoted = view.replace('"', '""')
        raw.execute(f'EXPLAIN SELECT * FROM "{quoted}"').close()
    finally:
        raw.set_authorizer(None)
    return read
