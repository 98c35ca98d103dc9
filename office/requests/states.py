"""States: those of a request, each with its words and its properties."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from discreet.budget import Phrase

DRAFT = "Draft"
PENDING = "Pending"
CHANGES_REQUIRED = "Changes Required"
GRANTED = "Approved"


@dataclass(frozen=True)
class State:
    """One of them; its name is stored and never changes."""

    name: str
    words: Phrase
    card: str = DRAFT  # its status on a card
    live: bool = False  # what it may cost is reserved, and an answer may come of it
    granted: bool = False  # it may be answered now
    verdict: bool = False  # an officer decides so
    returned: bool = False  # it ended without an answer, and its reservation came back
    over: Phrase | None = None  # message to the analyst, who may ask again: the request ended without an answer


WAITING = State("waiting", Phrase("waiting for approval"), PENDING, live=True)
ALLOWED = State("allowed", Phrase("within policy"), GRANTED, live=True, granted=True)
APPROVED = State("approved", Phrase("approved"), GRANTED, live=True, granted=True, verdict=True)
ANSWERED = State("answered", Phrase("answered"), GRANTED)  # never stored: there is an answer
DENIED = State(
    "denied", Phrase("denied"), verdict=True, returned=True, over=Phrase("Request #{number} was denied: {reason}")
)
CHANGES = State(
    "changes",
    Phrase("changes requested"),
    CHANGES_REQUIRED,
    verdict=True,
    returned=True,
    over=Phrase("An officer asks you to change request #{number}: {reason}"),
)
WITHDRAWN = State(
    "withdrawn", Phrase("withdrawn"), returned=True, over=Phrase("Request #{number} withdrawn. Nothing was spent.")
)
EXPIRED = State(
    "expired",
    Phrase("expired"),
    returned=True,
    over=Phrase("Request #{number} expired without a decision. Nothing was spent."),
)
REFUSED = State(
    "refused", Phrase("over budget"), over=Phrase("Request #{number} exceeded the budget. Nothing was spent.")
)

EVERY = {value.name: value for value in list(vars().values()) if isinstance(value, State)}


def those(wanted: Callable[[State], object]) -> tuple[str, ...]:
    """Return the stored names of the states that satisfy a condition."""
    return tuple(state.name for state in EVERY.values() if wanted(state))


LIVE = those(lambda state: state.live)
RUNNABLE = those(lambda state: state.granted)
VERDICTS = those(lambda state: state.verdict)
RETURNED = those(lambda state: state.returned)
OVER = those(lambda state: state.over)
