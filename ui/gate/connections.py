"""Connections: how many pages are open at once, so that no browser and no address takes the room of all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

MOST_OF_ONE = 40  # pages of one browser
PART = 4  # a fourth for one address, and for all without a cookie; a fourth is kept for those who are known


class Connections:
    """The pages that are open, by browser and by address; without a cookie they are nobody's."""

    def __init__(self, most: int, of_address: int) -> None:
        """Start with none."""
        self._most, self._of_address = most, of_address
        self._browsers: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    @property
    def crowded(self) -> bool:
        """Say whether the places that are left are kept for those who are known."""
        return self._browsers.total() >= self._most - self._most // PART

    @contextmanager
    def place(self, browser: str, address: str, known: bool = False) -> Iterator[bool]:
        """Hold a place for one more, and say whether there is one.

        Who is known needs none of those that their address has: somebody else there may have taken all of them.
        """
        most = MOST_OF_ONE if browser else self._most // PART
        room = self._browsers.total() < self._most and (known or not self.crowded)
        near = known or self._addresses[address] < self._of_address
        free = self._browsers[browser] < most and room and near
        if not free:
            yield False
            return
        self._browsers[browser] += 1
        self._addresses[address] += 1
        try:
            yield True
        finally:
            for counted, name in ((self._browsers, browser), (self._addresses, address)):
                counted[name] -= 1
                if not counted[name]:
                    del counted[name]

    def full(self, address: str) -> bool:
        """Say whether only those who are known find a place now."""
        return self.crowded or self._addresses[address] >= self._of_address
