"""A version of the rows can wait for a second officer, too, and so can the word that people are others."""

from __future__ import annotations

from discreet.office.house.migrations import proposals

revision = "0018"
down_revision = "0017"

KINDS = ("policy", "roles", "declaration", "publication", "deletion", "version", "apart")


def upgrade() -> None:
    """Make the table anew."""
    proposals.remade(KINDS, "stead TEXT NOT NULL DEFAULT ''")


def downgrade() -> None:
    """Refuse: what waits for a second officer would be lost."""
    raise NotImplementedError("What waits is never dropped. Restore a backup instead.")
