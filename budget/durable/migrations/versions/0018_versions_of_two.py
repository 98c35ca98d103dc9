"""A version of the rows can wait for a second officer, too, and so can the claim that rows are of other people."""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"

# proposals are not permanent: the table is rebuilt with two more kinds
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
    """Rebuild the table."""
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """Raise NotImplementedError: pending motions would be lost."""
    raise NotImplementedError("What waits is never dropped. Restore a backup instead.")
