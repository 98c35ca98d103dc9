"""The wave of a version's rows, where each wave has a budget of its own."""

from __future__ import annotations

from alembic import op

from discreet.budget.durable.migrations import guards

revision = "0015"
down_revision = "0014"

NEWEST = "COALESCE((SELECT MAX(wave) FROM {0}versions WHERE dataset = NEW.dataset), 1)"
SKIPPED = f"NEW.wave IS NOT NULL AND NEW.wave NOT IN ({NEWEST}, {NEWEST} + 1)"


def upgrade() -> None:
    """Add what a version says, and its guard."""
    op.execute("ALTER TABLE versions ADD COLUMN wave INTEGER")
    guards.forbidden("versions_wave", "versions", "INSERT", (SKIPPED, "a wave is the newest one or follows it"))


def downgrade() -> None:
    """Refuse: the wave of each answer would be lost."""
    raise NotImplementedError("Waves are never dropped. Restore a backup instead.")
