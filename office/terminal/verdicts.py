"""Verdicts: the commands with which somebody of the house reads a request and decides about it.

They act for the account that is named, under all guards of it; the trail says that it was by command.
"""

from __future__ import annotations

import json
from pathlib import Path

from discreet.budget import ParameterError
from discreet.office import asked, decisions, pairs, seal
from discreet.office.asked import Inquiry
from discreet.office.cards import card, card_json
from discreet.office.checklist import checklist, to_answer
from discreet.office.dossier import dossier
from discreet.office.house import House
from discreet.office.snapshot import snapshot
from discreet.office.terminal.lookup import somebody
from discreet.office.terminal.speech import document, stop, tell, waits

VERDICTS = {"approve": "approved", "deny": "denied", "changes": "changes"}
BACK = "back"


def request(house: House, number: str) -> None:
    """request NUMBER: print the card of a request, as JSON."""
    document(card_json(card(snapshot(house, numbered(house, number)))))


def points(house: House, number: str, *, acting: str = "") -> None:
    """points NUMBER --as LOGIN: print the checklist of a request, and the seal of what is read."""
    who = somebody(house, acting or stop("Say for whom: --as LOGIN."))
    here = dossier(house, numbered(house, number), who)
    items = checklist(here)
    waiting = to_answer(items)
    for item in items:
        state = "answer it" if item.name in waiting else "settled"
        tell(name=item.name, state=state, question=item.question, note=item.note)
    tell(seen=seal.of_decision(here.snapshot, items))


def decide(
    house: House, number: str, verdict: str, why: str = "", *, acting: str = "", answers: str = "", seen: str = ""
) -> int:
    """decide NUMBER approve|deny|changes|back [WHY] --as LOGIN [--answers FILE] [--seen SEAL]: decide for an officer.

    back takes an approval back that is the first of two.

    FILE is JSON with an answer for each open point, as yes: WHY or no: WHY; SEAL is what points printed.
    """
    who = somebody(house, acting or stop("Say for whom: --as LOGIN."))
    inquiry = numbered(house, number)
    if verdict == BACK:
        pairs.take_back(house, who, inquiry.id)
        tell(f"The first approval of #{inquiry.number} is taken back.")
        return 0
    if verdict not in VERDICTS:
        stop("A decision is approve, deny, changes or back.")
    if verdict == "approve" and not seen:
        stop("Read the points first, and say with --seen which text you approve.")
    said = _answers(answers) if answers else {}
    done = decisions.decide(house, who, inquiry.id, VERDICTS[verdict], why, said, seen or None)
    tell(number=f"#{done.number}", state=done.status)
    if verdict == "approve" and done.state == "waiting":
        return waits(f"#{done.number} is approved by the first of two officers, and has not run.")
    return 0


def numbered(house: House, number: str) -> Inquiry:
    """Return a request by its number, as #7 or 7."""
    digits = number.removeprefix("#")
    found_id = asked.number_of(house, int(digits)) if digits.isascii() and digits.isdecimal() else None
    return asked.find(house, found_id or stop("There is no request of this number."))


def _answers(file: str) -> dict[str, str]:
    """Read the answers to the open points."""
    try:
        said = json.loads(Path(file).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not all(isinstance(word, str) for word in said.values()):
        raise ParameterError("The answers are a JSON object: a text for the name of each open point.")
    return said
