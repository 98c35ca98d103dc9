"""Credentials: personal tokens of programs; a keyed hash of each, never the token itself."""

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
    """Create the table, and an index of a person's tokens."""
    op.execute(TABLE)
    op.execute("CREATE INDEX credentials_of ON credentials (person)")


def downgrade() -> None:
    """Drop the tokens: their owners can create new ones."""
    op.execute("DROP TABLE credentials")
