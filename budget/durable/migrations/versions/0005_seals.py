"""Seals of every line; an answer needs the line of its release; guards look at the tables of one schema."""

from __future__ import annotations

from alembic import op

from discreet.budget.durable.migrations import guards

revision = "0005"
down_revision = "0003"

TABLE = """
    CREATE TABLE seals (
      chain TEXT NOT NULL,
      seq INTEGER NOT NULL,
      seal TEXT NOT NULL,
      PRIMARY KEY (chain, seq)
    )"""
FIXED = "what is sealed never changes"
RELEASED = "EXISTS (SELECT 1 FROM lines WHERE budget = NEW.budget AND request = NEW.request AND kind = 'release'{0})"
UNRELEASED = "an answer needs the line of its release"
SAME = " AND note = encode(sha256(convert_to(NEW.body, 'UTF8')), 'hex')"


def upgrade() -> None:
    """Create everything, in the words of the database at hand."""
    op.execute(TABLE)
    lite = guards.lite()
    released = RELEASED.format("" if lite else SAME)
    guards.forbidden("answers_released", "answers", "INSERT", (f"NOT {released}", UNRELEASED), function="released")
    if lite:
        same = "EXISTS (SELECT 1 FROM seals WHERE chain = NEW.chain AND seq = NEW.seq)"
        guards.forbidden("seals_replace", "seals", "INSERT", (same, FIXED))
        for verb in ("UPDATE", "DELETE"):
            guards.forbidden(f"seals_{verb.lower()}", "seals", verb, ("TRUE", FIXED))
    else:
        guards.fixed("seals", FIXED)
    guards.settled(("budgets", "lines", "answers", "seals"))


def downgrade() -> None:
    """Refuse: what was sealed stays sealed."""
    raise NotImplementedError("Seals are never dropped. Restore a backup instead.")
