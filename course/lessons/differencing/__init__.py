"""Lesson 2: two harmless queries, one targeted query, twenty guesses, and one query asked too often."""

from __future__ import annotations

from discreet.course.lessons.differencing.averaging import AVERAGING
from discreet.course.lessons.differencing.exercises import EXERCISES
from discreet.course.lessons.differencing.pointed import POINTED
from discreet.course.lessons.differencing.twenty_guesses import TWENTY
from discreet.course.lessons.differencing.twice import TWICE

STEPS = (TWICE, POINTED, TWENTY, AVERAGING)
__all__ = ["EXERCISES", "STEPS"]
