"""Small files: uploaded files such as plans and declarations, read in the process that has limits.

There, one of our functions converts such a file to a text in our own format; here only that text is parsed. A file's
size is checked before anything else.
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

SECONDS = 10  # of processor time; three times as many of wall-clock time
ROOM = 256 * MIB
MOST_ANSWER = 64 * MIB  # of our own format
TOO_MUCH = Phrase("This file needs more time or memory than allowed for its kind. Shorten it.")
Reader = Callable[[bytes, Any], bytes]  # a function of a module, called with the file and an argument


def silent(share: float) -> None:
    """Ignore the waiting time."""


def read_aside(reader: Reader, data: bytes, beside: Any = None, report: Report = silent) -> bytes:
    """Return the result of one of our functions on a file, run in the process that has limits; re-raise its errors."""
    names = {"module": reader.__module__, "function": reader.__qualname__}
    limits = {"seconds": SECONDS, "patience": 3 * SECONDS, "room": ROOM, "size": len(data)}
    with small_turn(report):
        answer = _answer(names | limits, [json.dumps(beside).encode() + b"\n", data])
    if answer.startswith(READ):
        return answer[1:]
    said = Phrase.of(json.loads(answer[1:])) if answer.startswith(REFUSED) else TOO_MUCH  # a constant of ours
    raise ParameterError(said)


def _answer(job: dict[str, Any], pieces: list[bytes]) -> bytes:
    """Return the answer of the process; empty if it was killed."""
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
