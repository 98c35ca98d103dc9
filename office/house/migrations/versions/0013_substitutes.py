"""Substitutes of officers, the substituted officer of a first approval, and mail preferences."""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0011"

STATEMENTS = (
    """
    CREATE TABLE substitutes (
      id TEXT PRIMARY KEY,
      officer TEXT NOT NULL REFERENCES people (id),
      substitute TEXT NOT NULL REFERENCES people (id),
      since DOUBLE PRECISION NOT NULL,
      until DOUBLE PRECISION NOT NULL,
      mark TEXT NOT NULL,
      CHECK (officer <> substitute),
      CHECK (since < until)
    )""",
    "CREATE INDEX substitutes_by ON substitutes (substitute)",
    "ALTER TABLE proposals ADD COLUMN stead TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE approvals ADD COLUMN stead TEXT NOT NULL DEFAULT ''",
    """
    CREATE TABLE mailboxes (
      person TEXT PRIMARY KEY REFERENCES people (id),
      address TEXT NOT NULL,
      mark TEXT NOT NULL,
      wants TEXT NOT NULL,
      daily BOOLEAN NOT NULL,
      code TEXT NOT NULL,
      code_until DOUBLE PRECISION NOT NULL,
      guesses INTEGER NOT NULL,
      codes INTEGER NOT NULL,
      day TEXT NOT NULL,
      seq INTEGER NOT NULL,
      tries INTEGER NOT NULL,
      after DOUBLE PRECISION NOT NULL
    )""",
)


def upgrade() -> None:
    """Create both tables, and add the represented officer to motions and approvals."""
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """Raise NotImplementedError: the officer behind an approval would be lost."""
    raise NotImplementedError("Who stood in for whom is never dropped. Restore a backup instead.")
