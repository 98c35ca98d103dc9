"""Long arms: `make test` takes the few, `make soak` runs the same tests with the many."""

from __future__ import annotations

import os


def times(few: int, many: int) -> int:
    """Return how often a test repeats what it does."""
    return many if os.environ.get("DISCREET_SOAK") else few
