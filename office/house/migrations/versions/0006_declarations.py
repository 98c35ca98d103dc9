"""Declarations of registered data that were extended, each from a request on; two officers may want one."""

from __future__ import annotations

from alembic import op

from discreet.budget.durable.migrations import guards
from discreet.office.house.migrations import proposals

revision = "0006"
down_revision = "0005"

TABLE = """
    CREATE TABLE declarations (
      dataset TEXT NOT NULL REFERENCES datasets (id),
      version INTEGER NOT NULL,
      since INTEGER NOT NULL,
      body TEXT NOT NULL,
      by TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (dataset, version)
    )"""
# what must not be true of a new line, and why; {0} is where the tables lie
FORBIDDEN = (
    (
        "NEW.version <> COALESCE((SELECT MAX(version) + 1 FROM {0}declarations WHERE dataset = NEW.dataset), 1)",
        "a declaration follows the last one",
    ),
    (
        "NEW.since <= COALESCE((SELECT MAX(number) FROM {0}requests), 0)",
        "what was asked stays under the declaration it was asked under",
    ),
)
FIXED = "a declaration that was asked under never changes"


def upgrade() -> None:
    """Create everything, in the words of the database at hand."""
    op.execute(TABLE)
    proposals.remade(("policy", "roles", "declaration"))
    guards.forbidden("declarations_follow", "declarations", "INSERT", *FORBIDDEN, function="declared")
    guards.fixed("declarations", FIXED)


def downgrade() -> None:
    """Refuse: what was asked was asked under a declaration."""
    raise NotImplementedError("Declarations are never dropped. Restore a backup instead.")
