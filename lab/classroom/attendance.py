"""Attendance: who is in a class, under a name that may be shown, and when they were heard of last."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

LONGEST_NAME = 20
HERE = 30.0  # seconds after which somebody who asks for nothing is not here
GONE = 300.0  # seconds after which their place is somebody else's, where there are no more


@dataclass
class Participant:
    """Somebody who joined: what they like to be called, when their browser was last heard of, where they are.

    The address is that of their machine in the network; a school may have one for everybody.
    """

    name: str
    seen: float
    address: str = ""
    place: str = ""


def plain_name(text: str) -> str:
    """Return a name as it may be shown: letters, digits and single blanks, and not many."""
    letters = "".join(c if c.isalnum() else " " for c in unicodedata.normalize("NFKC", text))
    return " ".join(letters.split())[:LONGEST_NAME].strip()


@dataclass
class Attendance:
    """Who is in the class, by their browsers, and from which addresses nobody may be in it."""

    people: dict[str, Participant] = field(default_factory=dict)
    teachers: set[str] = field(default_factory=set)
    shut: set[str] = field(default_factory=set)

    def makes_room(self, most: int, address: str, now: float) -> bool:
        """Say whether there is a place for one more: a free one, or that of whoever has been away for long.

        In a full class an address with more than a quarter of all places gives one to somebody from another address.
        """
        if len(self.people) < most or self._takes(lambda person: person.seen <= now - GONE, now):
            return True
        counts, share = self.addresses(), max(1, most // 4)
        crowded = next((other for other, count in counts.most_common() if other != address and count > share), None)
        return crowded is not None and self._takes(lambda person: person.address == crowded, now)

    def _takes(self, fits: Callable[[Participant], bool], now: float) -> bool:
        """Take one of the places that fit: of who is away the longest, or where all are here, of who came last."""
        fitting = [(browser, person) for browser, person in reversed(self.people.items()) if fits(person)]
        if fitting:
            del self.people[min(fitting, key=lambda entry: min(entry[1].seen, now - HERE))[0]]
        return bool(fitting)

    def addresses(self) -> Counter[str]:
        """Return how many places each address has, where it is known."""
        return Counter(person.address for person in self.people.values() if person.address)

    def let_go(self, fits: Callable[[Participant], bool]) -> set[str]:
        """Take the places of all whom it fits; return their browsers."""
        gone = {browser for browser, person in self.people.items() if fits(person)}
        for browser in gone:
            del self.people[browser]
        return gone
