"""Soak: `make test` uses small numbers of repetitions, `make soak` runs the same tests with large ones."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")
SOAKS = bool(os.environ.get("SOAK"))


def times(few: int, many: int) -> int:
    """Return how often a test repeats its check."""
    return many if SOAKS else few


def some(every: Iterable[T], step: int) -> list[T]:
    """Return every n-th item, starting with the first; in `make soak` all of them."""
    return list(every)[:: times(step, 1)]
