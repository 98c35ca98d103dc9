"""Lesson 7: an election with exact probabilities, four ways to choose, and a day that noise would miss."""

from __future__ import annotations

from discreet.course.lessons.election.exercises import EXERCISES
from discreet.course.lessons.election.outing import OUTING
from discreet.course.lessons.election.rivalry import RIVALRY
from discreet.course.lessons.election.voting import VOTING

STEPS = (VOTING, RIVALRY, OUTING)
__all__ = ["EXERCISES", "STEPS"]
