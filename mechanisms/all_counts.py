"""Counts of all categories or bins at once: what every way to count them has in common."""

from __future__ import annotations

from typing import ClassVar

from discreet.budget.phrase import Phrase
from discreet.mechanisms.families import GLOBAL, Family
from discreet.mechanisms.levels import LevelCounts
from discreet.mechanisms.mechanism import Mechanism
from discreet.mechanisms.topic import Topic
from discreet.mechanisms.view import View
from discreet.queries.scores import Bins, HowRead

COUNTS = Topic("counts", Phrase("Counts of all categories or bins"), numbers_only=False, zeroless=True)
READINGS = Phrase("How cells are read")


class AllCounts(Mechanism):
    """What both ways to count have in common: the counts that they take, and what they answer."""

    family: ClassVar[Family] = GLOBAL
    answers: ClassVar[tuple[Topic, ...]] = (COUNTS,)
    single: ClassVar[bool] = False
    after: ClassVar[Phrase] = Phrase("Counts below 0 become 0. Small groups are not hidden: their noise hides them.")

    bins: Bins | HowRead | None

    @property
    def view(self) -> View:
        """The counts themselves."""
        return LevelCounts(self.bins)

    @property
    def subject(self) -> str:
        """What is counted."""
        return READINGS if self.view.every_kind else self.title

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the candidates."""
        return self.view.labels(declared)
