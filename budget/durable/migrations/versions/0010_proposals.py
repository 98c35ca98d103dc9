"""Publication and deletion can wait for a second officer, too."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"

# proposals are not permanent: the table is rebuilt with two more kinds
STATEMENTS = (
    """
    CREATE TABLE proposed (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('policy', 'roles', 'declaration', 'publication', 'deletion')),
      about TEXT NOT NULL,
      body TEXT NOT NULL,
      by TEXT NOT NULL REFERENCES people (id),
      until DOUBLE PRECISION NOT NULL,
      UNIQUE (kind, about)
    )""",
    "INSERT INTO proposed SELECT id, kind, about, body, by, until FROM proposals",
    "DROP TABLE proposals",
    "ALTER TABLE proposed RENAME TO proposals",
)


def upgrade() -> None:
    """Rebuild the table."""
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """Raise NotImplementedError: pending motions would be lost."""
    raise NotImplementedError("What waits is never dropped. Restore a backup instead.")
