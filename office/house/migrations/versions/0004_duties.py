"""Motions that a second officer must confirm, known browsers, and counts of refused sign-ins."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"

TABLES = (
    """
    CREATE TABLE proposals (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('policy', 'roles')),
      about TEXT NOT NULL,
      body TEXT NOT NULL,
      by TEXT NOT NULL REFERENCES people (id),
      until DOUBLE PRECISION NOT NULL,
      UNIQUE (kind, about)
    )""",
    """
    CREATE TABLE devices (
      id TEXT PRIMARY KEY,
      person TEXT NOT NULL REFERENCES people (id),
      until DOUBLE PRECISION NOT NULL
    )""",
    """
    CREATE TABLE refusals (
      who TEXT NOT NULL,
      day TEXT NOT NULL,
      times INTEGER NOT NULL CHECK (times > 0),
      PRIMARY KEY (who, day)
    )""",
    "CREATE INDEX acts_about ON acts (about, what)",
)


def upgrade() -> None:
    """Create the tables; their rows are not permanent, so no trigger guards them."""
    for statement in TABLES:
        op.execute(statement)


def downgrade() -> None:
    """Raise NotImplementedError: the office's tables are never dropped."""
    raise NotImplementedError("The office is never dropped. Restore a backup instead.")
