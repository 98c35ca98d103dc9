"""In which language somebody gets mail, their feed and their calendar."""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"

TONGUES = "CREATE TABLE tongues (person TEXT PRIMARY KEY REFERENCES people (id), language TEXT NOT NULL)"


def upgrade() -> None:
    """Create the table; whoever is not in it is written to in English, as before."""
    op.execute(TONGUES)


def downgrade() -> None:
    """Refuse, as every step back: only a backup is a state that was."""
    raise NotImplementedError("The tables of an office are never dropped. Restore a backup instead.")
