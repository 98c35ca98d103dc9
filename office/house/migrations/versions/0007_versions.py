"""Versions of the rows of a dataset, each from a request on, and dated corrections of its description."""

from __future__ import annotations

from alembic import op

from discreet.budget.durable.migrations import guards

revision = "0007"
down_revision = "0006"

TABLES = (
    """
    CREATE TABLE versions (
      dataset TEXT NOT NULL REFERENCES datasets (id),
      version INTEGER NOT NULL,
      since INTEGER NOT NULL,
      fingerprint TEXT NOT NULL UNIQUE,
      content TEXT NOT NULL,
      layout TEXT NOT NULL,
      why TEXT NOT NULL,
      by TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (dataset, version)
    )""",
    """
    CREATE TABLE errata (
      dataset TEXT NOT NULL REFERENCES datasets (id),
      number INTEGER NOT NULL,
      text TEXT NOT NULL,
      by TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (dataset, number)
    )""",
)
OTHER = "these rows are registered already"
# table, a condition that no new line may meet, and why; {0} is the schema of the tables
FORBIDDEN = (
    (
        "versions",
        "NEW.version <> COALESCE((SELECT MAX(version) + 1 FROM {0}versions WHERE dataset = NEW.dataset), 2)",
        "a version follows the last one",
    ),
    (
        "versions",
        "NEW.since <= COALESCE((SELECT MAX(number) FROM {0}requests), 0)",
        "what was asked stays with the rows it was asked of",
    ),
    (
        "versions",
        "EXISTS (SELECT 1 FROM {0}datasets WHERE fingerprint = NEW.fingerprint)"
        " OR EXISTS (SELECT 1 FROM {0}versions WHERE fingerprint = NEW.fingerprint)",
        OTHER,
    ),
    ("datasets", "EXISTS (SELECT 1 FROM {0}versions WHERE fingerprint = NEW.fingerprint)", OTHER),
    (
        "errata",
        "NEW.number <> COALESCE((SELECT MAX(number) + 1 FROM {0}errata WHERE dataset = NEW.dataset), 1)",
        "a note follows the last one",
    ),
)
GROWING = ("versions", "errata")
FIXED = "what was written of a dataset never changes"


def upgrade() -> None:
    """Create everything, in the SQL of the database."""
    for table in TABLES:
        op.execute(table)
    for at, (table, what, why) in enumerate(FORBIDDEN):
        guards.forbidden(f"{table}_new_{at}", table, "INSERT", (what, why))
    for table in GROWING:
        guards.fixed(table, FIXED)


def downgrade() -> None:
    """Raise NotImplementedError: answers name the version of their rows."""
    raise NotImplementedError("Versions are never dropped. Restore a backup instead.")
