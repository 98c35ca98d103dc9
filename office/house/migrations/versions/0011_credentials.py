"""Credentials: personal tokens of programs; of each a keyed hash, never what opens."""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"

TABLE = """
    CREATE TABLE credentials (
      id TEXT PRIMARY KEY,
      person TEXT NOT NULL REFERENCES people (id),
      name TEXT NOT NULL,
      scopes TEXT NOT NULL,
      mark TEXT NOT NULL,
      since DOUBLE PRECISION NOT NULL,
      until DOUBLE PRECISION NOT NULL,
      used DOUBLE PRECISION
    )"""


def upgrade() -> None:
    """Create the table, and find the tokens of a person at once."""
    op.execute(TABLE)
    op.execute("CREATE INDEX credentials_of ON credentials (person)")


def downgrade() -> None:
    """Forget them: whoever needs one makes another one."""
    op.execute("DROP TABLE credentials")
