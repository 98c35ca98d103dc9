"""Bulletins: what leaves the house for one person by mail: that something happened, and where.

They are made of the same lines as the page News, under the same guard, and hold less: a time, what
kind of thing it is, the number of the request, and an address. No question, no answer, no comment,
no name of a person or of data.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from discreet.budget import Phrase
from discreet.office.house import House
from discreet.office.news import OF_ACCOUNT, lines
from discreet.office.roles import Member

Say = Callable[..., str]  # says a sentence in the language of who reads it
KINDS: dict[str, tuple[Phrase, tuple[str, ...]]] = {
    "waiting": (
        Phrase("Something waits for you"),
        (
            "asked",
            "approved first",
            "policy proposed",
            "extension proposed",
            "publication proposed",
            "deletion proposed",
            "version proposed",
            "roles proposed",
        ),
    ),
    "decided": (Phrase("Your request was decided or answered"), ("approved", "denied", "changes", "answered")),
    "ending": (Phrase("A request expires soon, has expired, or was withdrawn"), ("reminded", "expired", "withdrawn")),
    "talk": (Phrase("Somebody commented on a request"), ("remarked",)),
    "account": (Phrase("Something happened with the second factor of your account"), OF_ACCOUNT),
    "alarms": (Phrase("Something does not verify, or could not be sent"), ("alarmed", "unsent")),
}


@dataclass(frozen=True)
class Bulletin:
    """One thing: which act it is of, when, of which kind, and of which request if of one."""

    seq: int
    at: datetime
    kind: str
    number: str
    path: str

    def title(self, say: Say) -> str:
        """Return what it says in one line."""
        return " · ".join(filter(None, (f"#{self.number}" if self.number else "", say(KINDS[self.kind][0]))))


def bulletins(
    house: House, connection: Connection, reader: Member, after: int = -1, wanted: Collection[str] = tuple(KINDS)
) -> list[Bulletin]:
    """Return what is new to somebody after an act, of the kinds that are wanted, newest first."""
    every = [_bulletin(line) for line in lines(house, connection, reader, after)]
    return [each for each in every if each.kind in wanted]


def _bulletin(line: Any) -> Bulletin:
    kind = next(name for name, (_, what) in KINDS.items() if line["what"] in what)
    number = line["about"][1:] if line["about"][:1] == "#" and line["about"][1:].isdecimal() else ""
    page = f"/requests?request={number}" if line["own"] else f"/review?waiting={number}"
    return Bulletin(line["seq"], datetime.fromisoformat(line["time"]), kind, number, page if number else "/news")
