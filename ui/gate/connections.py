"""Connections: how many are open at once, so that no browser takes the room of all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

MOST, MOST_OF_ONE = 1000, 40
KEPT = MOST // 4  # for whoever is signed in


class Connections:
    """The open connections, by the browser that they belong to; without a cookie by nobody."""

    def __init__(self) -> None:
        """Start with none."""
        self._open: Counter[str] = Counter()

    @property
    def crowded(self) -> bool:
        """Say whether the places that are left are kept for those who are signed in."""
        return self._open.total() >= MOST - KEPT

    @contextmanager
    def place(self, browser: str, signed_in: bool = False) -> Iterator[bool]:
        """Hold a place for one more, and say whether there is one.

        Those without a cookie share a fourth of all places; another fourth is kept for those who
        are known to be signed in.
        """
        most = MOST_OF_ONE if browser else MOST // 4
        room = self._open.total() < MOST and (signed_in or not self.crowded)
        free = self._open[browser] < most and room
        self._open[browser] += free
        try:
            yield free
        finally:
            self._open[browser] -= free
            if not self._open[browser]:
                del self._open[browser]
