"""Answers: what was released, stored permanently beside the line of its release."""

from __future__ import annotations

from alembic import op

from discreet.budget.durable.migrations import guards

revision = "0002"
down_revision = "0001"

TABLE = """
    CREATE TABLE answers (
      budget TEXT NOT NULL REFERENCES budgets (id),
      request TEXT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (budget, request)
    )"""
FIXED = "what is written in a ledger never changes"


def upgrade() -> None:
    """Create the table and its guards."""
    op.execute(TABLE)
    guards.fixed("answers", FIXED)


def downgrade() -> None:
    """Raise NotImplementedError: a released answer stays released."""
    raise NotImplementedError("Answers are never dropped. Restore a backup instead.")
