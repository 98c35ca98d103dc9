"""The language of a person's mail, feed and calendar."""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"

TONGUES = "CREATE TABLE tongues (person TEXT PRIMARY KEY REFERENCES people (id), language TEXT NOT NULL)"


def upgrade() -> None:
    """Create the table; people without a row are written to in English, as before."""
    op.execute(TONGUES)


def downgrade() -> None:
    """Raise NotImplementedError, as for every downgrade: only a backup is an earlier state."""
    raise NotImplementedError("The tables of an office are never dropped. Restore a backup instead.")
