"""Attendance: who is in a class, under a name that may be shown, and when they were heard of last."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

LONGEST_NAME = 20


@dataclass
class Participant:
    """Somebody who joined: what they like to be called, when their browser was last heard of, where they are."""

    name: str
    seen: float
    place: str = ""


def plain_name(text: str) -> str:
    """Return a name as it may be shown: letters, digits and single blanks, and not many."""
    letters = "".join(c if c.isalnum() else " " for c in unicodedata.normalize("NFKC", text))
    return " ".join(letters.split())[:LONGEST_NAME].strip()


@dataclass
class Attendance:
    """Who is in the class, by their browsers."""

    people: dict[str, Participant] = field(default_factory=dict)
    teachers: set[str] = field(default_factory=set)
