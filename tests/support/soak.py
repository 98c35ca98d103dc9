"""Long arms: `make test` takes the few, `make soak` runs the same tests with the many."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")
SOAKS = bool(os.environ.get("SOAK"))


def times(few: int, many: int) -> int:
    """Return how often a test repeats what it does."""
    return many if SOAKS else few


def some(every: Iterable[T], step: int) -> list[T]:
    """Return each so-manieth of what a test walks over, from the first on; in `make soak` every one."""
    return list(every)[:: times(step, 1)]
