"""Shelved: who answers for a table whose rows are not here: what was answered stays, nothing is asked."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NoReturn

from discreet.budget import Ledger, ParameterError, Phrase
from discreet.budget.prospect import Terms, TooMuch
from discreet.curator import Release, Request
from discreet.curator.fixed import FixedPlan
from discreet.curator.records import recall, recalled
from discreet.curator.release import name_of

AWAY = Phrase("The rows of this table are not here. Bring the same file again on the page Data to ask more of it.")


@dataclass(frozen=True)
class Shelved:
    """The answers of a table, and its budget."""

    latest: Callable[[], Ledger]  # another browser may put a new budget in the place of this one
    asked: Collection[str]

    @property
    def ledger(self) -> Ledger:
        """The budget as it stands."""
        return self.latest()

    @property
    def releases(self) -> tuple[Release, ...]:
        """All answers, oldest first."""
        return recalled(self.ledger, tuple(self.asked))

    @property
    def share(self) -> None:
        """Nobody else asks."""

    def terms(self, request: Request | FixedPlan) -> Terms:
        """Say that nothing can be asked."""
        return TooMuch(AWAY, self.ledger.left)

    def stored(self, request: Request, nonce: str = "") -> Release | None:
        """Return the answer of a question, if there is one."""
        release: Release | None = recall(self.ledger, name_of(request, nonce))
        return release

    def ask(self, request: Request, nonce: str = "", purpose: str = "") -> NoReturn:
        """Refuse: there are no rows."""
        raise ParameterError(AWAY)

    def run(self, plan: FixedPlan, nonce: str = "", purpose: str = "") -> NoReturn:
        """Refuse: there are no rows."""
        raise ParameterError(AWAY)

    def step(self, earlier: str, epsilon: object) -> NoReturn:
        """Refuse: there are no rows."""
        raise ParameterError(AWAY)

    def refine(self, earlier: str, epsilon: object) -> NoReturn:
        """Refuse: there are no rows."""
        raise ParameterError(AWAY)
