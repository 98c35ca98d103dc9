"""Remarks on a request, its predecessor, the first of two approvals, current readers, and sent notices."""

from __future__ import annotations

from alembic import op

from discreet.budget.durable.migrations import guards

revision = "0009"
down_revision = "0007"

TABLES = (
    """
    CREATE TABLE looks (
      person TEXT PRIMARY KEY REFERENCES people (id),
      request TEXT NOT NULL REFERENCES requests (id),
      at DOUBLE PRECISION NOT NULL
    )""",
    """
    CREATE TABLE remarks (
      id TEXT PRIMARY KEY,
      place INTEGER NOT NULL UNIQUE,
      request TEXT NOT NULL REFERENCES requests (id),
      author TEXT NOT NULL REFERENCES people (id),
      at TEXT NOT NULL,
      audience TEXT NOT NULL CHECK (audience IN ('all', 'officers')),
      body TEXT NOT NULL
    )""",
    "CREATE INDEX remarks_of ON remarks (request, place)",
    """
    CREATE TABLE revisions (
      request TEXT PRIMARY KEY REFERENCES requests (id),
      earlier TEXT NOT NULL REFERENCES requests (id)
    )""",
    """
    CREATE TABLE readings (
      person TEXT PRIMARY KEY REFERENCES people (id),
      seq INTEGER NOT NULL
    )""",
    """
    CREATE TABLE approvals (
      request TEXT PRIMARY KEY REFERENCES requests (id),
      by TEXT NOT NULL REFERENCES people (id),
      at TEXT NOT NULL,
      checklist TEXT NOT NULL
    )""",
    """
    CREATE TABLE couriers (
      name TEXT PRIMARY KEY,
      seq INTEGER NOT NULL,
      tries INTEGER NOT NULL,
      after DOUBLE PRECISION NOT NULL
    )""",
)
LASTING = ("remarks", "revisions")  # the other tables are not permanent: no decision depends on them
FIXED = "what was said stays as it was said"
# what SQLite's REPLACE would delete silently
SAME = {"remarks": "id = NEW.id OR place = NEW.place", "revisions": "request = NEW.request"}


def upgrade() -> None:
    """Create everything, in the SQL of the database."""
    for table in TABLES:
        op.execute(table)
    for table in LASTING:
        guards.fixed(table, FIXED)
        if guards.lite():
            same = f"EXISTS (SELECT 1 FROM {table} WHERE {SAME[table]})"
            guards.forbidden(f"{table}_once", table, "INSERT", (same, FIXED))


def downgrade() -> None:
    """Raise NotImplementedError: remarks are permanent."""
    raise NotImplementedError("The thread is never dropped. Restore a backup instead.")
