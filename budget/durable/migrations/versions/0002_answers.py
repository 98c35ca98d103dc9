"""Answers: what was released, stored permanently beside the line of its release."""

from __future__ import annotations

from alembic import op

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
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER answers_{verb.lower()} BEFORE {verb} ON answers"
                f" BEGIN SELECT RAISE(ABORT, '{FIXED}'); END"
            )
        return
    op.execute(
        "CREATE TRIGGER answers_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON answers"
        " FOR EACH STATEMENT EXECUTE FUNCTION fixed()"
    )


def downgrade() -> None:
    """Raise NotImplementedError: a released answer stays released."""
    raise NotImplementedError("Answers are never dropped. Restore a backup instead.")
