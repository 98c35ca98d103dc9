"""Checklist: seventeen points before a release; what is found out now, what people answer.

What is false may be approved all the same, but somebody has to write down why: `to_answer`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from budget import Phrase
from curator.office import points
from curator.office.asked import Asked
from curator.office.house import House
from curator.office.people import Person
from curator.office.points import Found, Look


@dataclass(frozen=True)
class Item:
    """One point: its question, what was found (None: a person says), a note, and on whose word.

    `said` is true where it rests on what was said when the data were registered.
    """

    number: int
    question: Phrase
    verified: bool | None
    note: Phrase
    said: bool = False


def checklist(house: House, asked: Asked, who: Person | None = None) -> list[Item]:
    """Return the seventeen points for a request as it stands; `who` is about to decide."""
    look = Look(house, asked, who)
    return [
        Item(number, question, *found(look))
        for number, (question, found) in enumerate(POINTS, start=1)
    ]


def to_answer(items: Sequence[Item]) -> tuple[str, ...]:
    """Return which points need a person's word before an approval: all that are not true."""
    return tuple(str(item.number) for item in items if item.verified is not True)


POINTS: tuple[tuple[Phrase, Callable[[Look], Found]], ...] = (
    (Phrase("Is a person protected with all of their rows?"), points.unit),
    (Phrase("Are epsilon and delta small enough?"), points.limits),
    (Phrase("Do bounds, levels and settings come from public knowledge?"), points.public),
    (Phrase("Does it fit in the budget with all other releases of these data?"), points.total),
    (Phrase("Are all other releases of these data known and listed?"), points.others),
    (Phrase("Is the mechanism allowed, and does its evidence hold?"), points.method),
    (Phrase("Is there no delta, or a good reason for it?"), points.pure),
    (Phrase("Does the noise come from the release source?"), points.noise),
    (Phrase("Do card, ledger and trail keep quiet about the rows?"), points.silent),
    (Phrase("Is what happens after the noise fair to small groups?"), points.after_),
    (Phrase("Is it known who administers the server, and could read the rows?"), points.trust),
    (Phrase("Is the analyst somebody else than the approver?"), points.apart),
    (Phrase("Could you defend “What is promised” to a person in the data?"), points.readable),
    (Phrase("Is there a day on which the rows are deleted?"), points.deletion),
    (Phrase("Do the ledger and the trail verify?"), points.chains),
    (Phrase("Is this decision about the question, before any answer?"), points.unseen),
    (Phrase("Does the purpose agree with why the data were collected?"), points.purpose),
)
