"""The registering organisation, named connections that are set up once, and drafts of forms."""

from __future__ import annotations

from alembic import op

from discreet.budget.durable.migrations import guards

revision = "0014"
down_revision = "0013"

TABLES = (
    "CREATE TABLE letterhead (name TEXT PRIMARY KEY, body TEXT NOT NULL)",
    """
    CREATE TABLE connections (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      content TEXT NOT NULL,
      officers TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('open', 'removed'))
    )""",
    """
    CREATE TABLE drafts (
      person TEXT NOT NULL REFERENCES people (id),
      form TEXT NOT NULL,
      id TEXT NOT NULL UNIQUE,
      title BYTEA NOT NULL,
      body BYTEA NOT NULL,
      at DOUBLE PRECISION NOT NULL,
      PRIMARY KEY (person, form)
    )""",
)


def upgrade() -> None:
    """Create the tables; the type of bytes depends on the database."""
    for statement in TABLES:
        op.execute(statement.replace("BYTEA", "BLOB") if guards.lite() else statement)


def downgrade() -> None:
    """Raise NotImplementedError: rows are reached through connections, and drafts are users' work."""
    raise NotImplementedError("Connections are never dropped. Restore a backup instead.")
