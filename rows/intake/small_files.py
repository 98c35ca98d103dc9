"""Aside: small files that people bring, plans and declarations among them, read in the process that has limits.

A function of ours turns such a file into a text of our own form, there; here only that text is read. A file is
measured before anything else is done with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from discreet.budget.errors import ParameterError, Phrase
from discreet.rows.capacity import MIB
from discreet.rows.files.format import READ, REFUSED
from discreet.rows.intake.parser import UNTOLD, Feed, Report, hand_over, pair, small_turn, word

SECONDS = 10  # of a processor; three times as many by the clock
ROOM = 256 * MIB
MOST_ANSWER = 64 * MIB  # of our own form
TOO_MUCH = Phrase("This file takes more time or memory to read than a file of its kind may. Shorten it.")
Reader = Callable[[bytes, Any], bytes]  # a function of a module: it gets a file and what is said beside it


def silent(share: float) -> None:
    """Report to nobody how long a file waits."""


def read_aside(reader: Reader, data: bytes, beside: Any = None, report: Report = silent) -> bytes:
    """Return what a function of ours makes of a file, in the process that has limits; its refusals are raised here."""
    names = {"module": reader.__module__, "function": reader.__qualname__}
    limits = {"seconds": SECONDS, "patience": 3 * SECONDS, "room": ROOM, "size": len(data)}
    with small_turn(report):
        answer = _answer(names | limits, [json.dumps(beside).encode() + b"\n", data])
    if answer.startswith(READ):
        return answer[1:]
    said = Phrase.of(json.loads(answer[1:])) if answer.startswith(REFUSED) else TOO_MUCH  # a constant of ours, there
    raise ParameterError(said)


def _answer(job: dict[str, Any], pieces: list[bytes]) -> bytes:
    """Return what the process answers; nothing where it was ended."""
    (ours, theirs), (told, telling) = pair(job), pair(job)
    with ours, told:
        with theirs, telling:
            hand_over(job, theirs, telling)
        feed = Feed(ours, pieces)
        answer = bytearray()
        with suppress(OSError):
            while len(answer) <= MOST_ANSWER and (piece := ours.recv(MIB)):
                answer += piece
        feed.end()
        reason, _, late = json.loads(word(told) or UNTOLD)
    return b"" if reason or late or len(answer) > MOST_ANSWER else bytes(answer)
