"""Checklist: seventeen points before a release; what is found out now, what people answer.

What is false may be approved all the same, but somebody has to write down why: `to_answer`. Answers
are kept under the names of the points, so that a new point changes no old answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from discreet.budget import Phrase
from discreet.office import points
from discreet.office.dossier import Dossier
from discreet.office.points import Found


@dataclass(frozen=True)
class Item:
    """One point: its question, what was found (None: a person says), a note, and on whose word.

    `said` is true where it rests on what was said when the data were registered. The number is
    where it stands on the list today.
    """

    name: str
    number: int
    question: Phrase
    verified: bool | None
    note: Phrase
    said: bool = False


def checklist(dossier: Dossier) -> list[Item]:
    """Return the seventeen points for a request as it stands."""
    return [
        Item(name, number, question, *point(dossier))
        for number, (name, (question, point)) in enumerate(POINTS.items(), start=1)
    ]


def to_answer(items: Sequence[Item]) -> tuple[str, ...]:
    """Return which points need a person's word before an approval: all that are not true."""
    return tuple(item.name for item in items if item.verified is not True)


POINTS: dict[str, tuple[Phrase, Callable[[Dossier], Found]]] = {
    "unit": (Phrase("Is a person protected with all of their rows?"), points.unit),
    "limits": (Phrase("Are epsilon and delta small enough?"), points.limits),
    "public": (Phrase("Do bounds, levels and settings come from public knowledge?"), points.public),
    "total": (Phrase("Does it fit in the budget with all other releases of these data?"), points.total),
    "others": (Phrase("Are all other releases of these data known and listed?"), points.others),
    "method": (Phrase("Is the mechanism allowed, and does its evidence hold?"), points.method),
    "pure": (Phrase("Is there no delta, or a good reason for it?"), points.pure),
    "noise": (Phrase("Does the noise come from the release source?"), points.noise),
    "silent": (Phrase("Do card, ledger and trail keep quiet about the rows?"), points.silent),
    "after": (Phrase("Is what happens after the noise fair to small groups?"), points.after),
    "trust": (Phrase("Is it known who administers the server, and could read the rows?"), points.trust),
    "apart": (Phrase("Is the analyst somebody else than the approver?"), points.apart),
    "readable": (Phrase("Could you defend “What is promised” to a person in the data?"), points.readable),
    "deletion": (Phrase("Is there a day on which the rows are deleted?"), points.deletion),
    "chains": (Phrase("Do the ledger and the trail verify?"), points.chains),
    "unseen": (Phrase("Is this decision about the question, before any answer?"), points.unseen),
    "purpose": (Phrase("Does the purpose agree with why the data were collected?"), points.purpose),
}
