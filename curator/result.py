"""Result: what may be shown of a query that was asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from discreet.budget import Cost
from discreet.curator.request import Request
from discreet.mechanisms.laws.law import Answer


@dataclass(frozen=True)
class Release:
    """What may be shown of a query: answer or refusal, cost, ledger entry, and a safe interval if there is one.

    Grouped answers are pairs of level and answer, and so are their intervals and sizes. Sizes are noisy numbers of
    rows, where they were drawn for the answer and are released with it. A finer answer names the one that it `refines`,
    and its cost is the difference. `packages` are the third-party packages, with their versions, that the query or the
    reading of its rows used.
    """

    id: str
    request: Request
    answer: Answer
    cost: Cost
    entry: int
    interval: Any = None
    size: Any = None
    refines: str | None = None
    packages: tuple[str, ...] = ()
    at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def releases(self) -> tuple[Release, ...]:
        """The release itself; a plan has one for each row."""
        return (self,)

    @property
    def refused(self) -> bool:
        """Whether there is no answer at all."""
        if self.request.groups and isinstance(self.answer, tuple):
            return all(answer is None for _, answer in self.answer)
        return self.answer is None
