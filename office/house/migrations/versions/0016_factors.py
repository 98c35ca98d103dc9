"""The second factor of an account, and the period of the last code that was used."""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"

STATEMENTS = (
    "ALTER TABLE people ADD COLUMN factor TEXT",
    "CREATE TABLE factor_steps (person TEXT PRIMARY KEY REFERENCES people (id), step BIGINT NOT NULL)",
)


def upgrade() -> None:
    """Add the columns of the second factor; no account has one yet."""
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """Raise NotImplementedError: accounts would open with a password alone."""
    raise NotImplementedError("Second factors are never dropped. Restore a backup instead.")
