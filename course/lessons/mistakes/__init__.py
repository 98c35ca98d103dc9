"""Lesson 9: five published guarantees, what they are worth, and what passes the same test."""

from __future__ import annotations

from discreet.course.lessons.mistakes.exercises import EXERCISES
from discreet.course.lessons.mistakes.exhibits import CHUNKS, GLOBAL, LOCAL, SMOOTH, TEST
from discreet.course.lessons.mistakes.publishing import CATASTROPHE

STEPS = (GLOBAL, LOCAL, TEST, CHUNKS, CATASTROPHE, SMOOTH)
__all__ = ["EXERCISES", "STEPS"]
