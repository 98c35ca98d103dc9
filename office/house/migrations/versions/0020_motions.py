"""What waits for a second person is one table: proposals, and the first of two approvals of a request."""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0019"

STATEMENTS = (
    """
    CREATE TABLE motions (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (
        kind IN ('policy', 'roles', 'declaration', 'publication', 'deletion', 'version', 'apart', 'approval')
      ),
      about TEXT NOT NULL,
      body TEXT NOT NULL,
      by TEXT NOT NULL REFERENCES people (id),
      stead TEXT NOT NULL,
      until DOUBLE PRECISION,
      UNIQUE (kind, about),
      CHECK ((kind = 'approval') = (until IS NULL))
    )""",
    "INSERT INTO motions (id, kind, about, body, by, stead, until)"
    " SELECT id, kind, about, body, by, stead, until FROM proposals",
    # of a request that waits still: what was decided keeps the word of the first on the trail
    "INSERT INTO motions (id, kind, about, body, by, stead, until)"
    " SELECT request, 'approval', request, checklist, by, stead, NULL FROM approvals"
    " WHERE request IN (SELECT id FROM requests WHERE state = 'waiting')",
    "DROP TABLE proposals",
    "DROP TABLE approvals",
)


def upgrade() -> None:
    """Move what waits, and drop the tables before."""
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """Refuse: what waits for a second person would be lost."""
    raise NotImplementedError("What waits is never dropped. Restore a backup instead.")
