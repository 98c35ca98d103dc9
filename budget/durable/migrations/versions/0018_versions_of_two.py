"""A version of the rows can wait for a second officer, too, and so can the word that people are others."""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"

# proposals are not kept for good: the table is made anew, with two kinds more
STATEMENTS = (
    """
    CREATE TABLE proposed (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (
        kind IN ('policy', 'roles', 'declaration', 'publication', 'deletion', 'version', 'apart')
      ),
      about TEXT NOT NULL,
      body TEXT NOT NULL,
      by TEXT NOT NULL REFERENCES people (id),
      until DOUBLE PRECISION NOT NULL,
      stead TEXT NOT NULL DEFAULT '',
      UNIQUE (kind, about)
    )""",
    "INSERT INTO proposed SELECT id, kind, about, body, by, until, stead FROM proposals",
    "DROP TABLE proposals",
    "ALTER TABLE proposed RENAME TO proposals",
)


def upgrade() -> None:
    """Make the table anew."""
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """Refuse: what waits for a second officer would be lost."""
    raise NotImplementedError("What waits is never dropped. Restore a backup instead.")
