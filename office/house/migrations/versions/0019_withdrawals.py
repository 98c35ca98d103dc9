"""Datasets that were never queried can be withdrawn: their description is kept, and the rest is deleted."""

from __future__ import annotations

from alembic import op

from discreet.budget.durable.migrations import guards

revision = "0019"
down_revision = "0018"

TABLE = """
    CREATE TABLE withdrawn (
      id TEXT PRIMARY KEY REFERENCES budgets (id),
      name TEXT NOT NULL,
      body TEXT NOT NULL,
      policy TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      places TEXT NOT NULL,
      why TEXT NOT NULL,
      by TEXT NOT NULL,
      at TEXT NOT NULL
    )"""
ASKED = "EXISTS (SELECT 1 FROM {0}requests WHERE dataset = {1}) OR EXISTS (SELECT 1 FROM {0}lines WHERE budget = {1})"
GONE = "NOT EXISTS (SELECT 1 FROM {0}withdrawn WHERE id = {1})"
GROWN = ("declarations", "versions", "errata")
KEPT = "this is kept for good"
FIXED = "what was written of a dataset never changes"
USED = "something was asked of these data"
# table, moment, forbidden condition, and why; {0} is the schema of the tables
FORBIDDEN = (
    ("datasets", "DELETE", f"{GONE.format('{0}', 'OLD.id')} OR {ASKED.format('{0}', 'OLD.id')}", KEPT),
    *((table, "DELETE", GONE.format("{0}", "OLD.dataset"), FIXED) for table in GROWN),
    ("withdrawn", "INSERT", ASKED.format("{0}", "NEW.id"), USED),
    ("withdrawn", "INSERT", "EXISTS (SELECT 1 FROM {0}withdrawn WHERE id = NEW.id)", KEPT),
    ("withdrawn", "UPDATE", "TRUE", KEPT),
    ("withdrawn", "DELETE", "TRUE", KEPT),
)


def upgrade() -> None:
    """Create the table, and replace the guards of what belongs to a dataset."""
    op.execute(TABLE)
    guards.dropped("datasets_delete_10", "datasets")
    for table in GROWN:
        guards.deletable(table)
    guards.never_emptied("withdrawn_all", "withdrawn")
    for at, (table, verb, what, why) in enumerate(FORBIDDEN):
        guards.forbidden(f"{table}_kept_{at}", table, verb, (what, why))


def downgrade() -> None:
    """Raise NotImplementedError: a withdrawn dataset would remain on the trail only."""
    raise NotImplementedError("Withdrawals are never dropped. Restore a backup instead.")
