"""Publication and deletion can wait for a second officer, too."""

from __future__ import annotations

from discreet.office.house.migrations import proposals

revision = "0010"
down_revision = "0009"

KINDS = ("policy", "roles", "declaration", "publication", "deletion")


def upgrade() -> None:
    """Make the table anew."""
    proposals.remade(KINDS)


def downgrade() -> None:
    """Refuse: what waits for a second officer would be lost."""
    raise NotImplementedError("What waits is never dropped. Restore a backup instead.")
