"""Deadlines: what ends on which day: requests that expire, rows that must be deleted, questions that end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256

from discreet.budget import Phrase
from discreet.office import charges, registry
from discreet.office.asked import listed, select_requests
from discreet.office.house import House
from discreet.office.registry import Registered
from discreet.office.relations import requests
from discreet.office.roles import Member, require

EXPIRES = Phrase("The request expires undecided")
DELETED = Phrase("The rows have to be deleted")
ASKED = Phrase("The last day of questions")
LONGEST = 73  # bytes of a line of a calendar file, before its fold


@dataclass(frozen=True)
class Deadline:
    """One day: what ends on it, and of which dataset or request."""

    day: date
    what: Phrase
    of: str


def deadlines(house: House, who: Member) -> list[Deadline]:
    """Return what ends when of the data that somebody keeps, the nearest first; what is past stands before it."""
    mine = charges.of_reader(house, require(who, "officer", "administrator"))
    datasets = {data.id: data for data in registry.everything(house) if data.id in mine}
    waiting = listed(house, select_requests().where(requests.c.state == "waiting", requests.c.dataset.in_(mine)))
    ends = [
        Deadline(
            datetime.fromtimestamp(each.until, UTC).date(), EXPIRES, f"#{each.number}, {datasets[each.dataset].name}"
        )
        for each in waiting
    ]
    for data in datasets.values():
        ends += _of(data)
    return sorted(ends, key=lambda each: (each.day, each.of))


def _of(data: Registered) -> Iterator[Deadline]:
    """Return what ends with a dataset itself."""
    if data.state != "deleted" and data.registration.keep_until:
        yield Deadline(date.fromisoformat(data.registration.keep_until), DELETED, data.name)
    if data.state == "open" and data.policy.until:
        yield Deadline(date.fromisoformat(data.policy.until), ASKED, data.name)


def as_calendar(house: House, ends: Sequence[Deadline], words: Sequence[str]) -> bytes:
    """Write days as a file that every calendar opens, each with what is said of it."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Discreet//Deadlines//EN"]
    for each, text in zip(ends, words, strict=True):
        name = sha256(f"{each.day}:{each.what}:{each.of}".encode()).hexdigest()[:32]
        lines += ["BEGIN:VEVENT", f"UID:{name}@discreet", f"DTSTAMP:{house.now.astimezone(UTC):%Y%m%dT%H%M%SZ}"]
        lines += [f"DTSTART;VALUE=DATE:{each.day:%Y%m%d}", f"DTEND;VALUE=DATE:{each.day + timedelta(days=1):%Y%m%d}"]
        lines += [f"SUMMARY:{_escaped(text)}", "TRANSP:TRANSPARENT", "END:VEVENT"]
    lines.append("END:VCALENDAR")
    return b"".join(_folded(line) + b"\r\n" for line in lines)


def _escaped(text: str) -> str:
    """Return a text as it stands in a calendar file: names are people's own words."""
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def _folded(line: str) -> bytes:
    """Break a long line where no letter is cut, as the format wants it."""
    pieces, piece = list[bytes](), b""
    for letter in line:
        if len(piece) + len(letter.encode()) > LONGEST:
            pieces.append(piece)
            piece = b""
        piece += letter.encode()
    return b"\r\n ".join([*pieces, piece])
