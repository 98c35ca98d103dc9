"""What is written is never replaced, either: SQLite's REPLACE fires no trigger of a deletion."""

from __future__ import annotations

from discreet.budget.durable.migrations import guards

revision = "0003"
down_revision = "0002"

# guard, table, and what an earlier line shares with a new one that would replace it
REPLACED = (
    ("budgets_insert_17", "budgets", "id = NEW.id"),
    (
        "lines_insert_18",
        "lines",
        "budget = NEW.budget AND (seq = NEW.seq OR (request = NEW.request AND kind = NEW.kind AND kind <> 'refuse'))",
    ),
    ("answers_insert_19", "answers", "budget = NEW.budget AND request = NEW.request"),
)


def upgrade() -> None:
    """Create the guards on SQLite; PostgreSQL has no such statement."""
    if guards.lite():
        for name, table, same in REPLACED:
            what = f"EXISTS (SELECT 1 FROM {table} WHERE {same})"
            guards.forbidden(name, table, "INSERT", (what, "what is written is unique and never replaced"))


def downgrade() -> None:
    """Refuse: what was written stays written."""
    raise NotImplementedError("Guards are never dropped. Restore a backup instead.")
