"""A secret of a budget file, of which the ids of its results are made."""

from __future__ import annotations

from alembic import op

from discreet.budget.durable.migrations import guards

revision = "1001"
down_revision = None


def upgrade() -> None:
    """Create the table; the secret is drawn when it is first needed, and never changes."""
    op.execute("CREATE TABLE secrets (budget TEXT NOT NULL PRIMARY KEY, secret TEXT NOT NULL)")
    guards.fixed("secrets", "what is written in a ledger never changes")


def downgrade() -> None:
    """Refuse: without the secret the same query would be charged again."""
    raise NotImplementedError("A secret is never dropped. Restore a backup instead.")
