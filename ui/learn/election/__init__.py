"""Lesson 7: an election by exact chances, four ways to choose, and a day that noise would miss."""

from __future__ import annotations

from discreet.ui.learn.election.choice_exercises import EXERCISES
from discreet.ui.learn.election.outing import OUTING
from discreet.ui.learn.election.rivalry import RIVALRY
from discreet.ui.learn.election.voting import VOTING

STEPS = (VOTING, RIVALRY, OUTING)
__all__ = ["EXERCISES", "STEPS"]
