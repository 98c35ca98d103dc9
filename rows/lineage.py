"""Lineage: which tables and views a database offers, as the database itself says. Only names are looked at."""

from __future__ import annotations

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


def offered(connection: Connection) -> list[str]:
    """Return the full names of the tables and views that may be read here."""
    with database.moment(database.engine(connection.address)) as db:
        database.refuse_office(db)
        return sorted(".".join(row) for row in db.exec_driver_sql(OFFERED[db.dialect.name]))
