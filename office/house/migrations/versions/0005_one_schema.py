"""The guards of the office look at the tables of one schema, whatever a session calls its own."""

from __future__ import annotations

from discreet.budget.durable.migrations import guards

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Name the tables in full; SQLite has one schema."""
    guards.settled(("acts", "requests", "datasets", "people", "links", "sessions", "attempts"))


def downgrade() -> None:
    """Refuse, as every step back: only a backup is a state that was."""
    raise NotImplementedError("The tables of an office are never dropped. Restore a backup instead.")
