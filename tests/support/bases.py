"""Bases: databases with existing tables of a third party, and what tests do with them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from discreet.rows.engines.connection import DatabaseSource

PASSWORD = "opensesame-4711"


class Base:
    """A database of one kind, and what tests do with it."""

    def __init__(self, url: str) -> None:
        """Connect to it."""
        self.lite = url.startswith("sqlite")
        self.engine = sa.create_engine(url, poolclass=sa.NullPool)
        self.url = url if self.lite else url.replace("postgres:@", f"postgres:{PASSWORD}@")

    def run(self, *statements: str) -> None:
        """Execute SQL statements unchanged."""
        with self.engine.begin() as db:
            for statement in statements:
                db.exec_driver_sql(statement.replace("%", "%%") if not self.lite else statement)

    def table(
        self, rows: list[dict[str, Any]], types: dict[str, Any], name: str = "people", schema: str | None = None
    ) -> DatabaseSource:
        """Create a table of rows."""
        columns = [sa.Column(column, kind) for column, kind in types.items()]
        table = sa.Table(name, sa.MetaData(), *columns, schema=schema)
        with self.engine.begin() as db:
            table.create(db)
            if rows:
                db.execute(sa.insert(table), rows)
        return DatabaseSource(self.url, name if schema is None else f"{schema}.{name}")
