"""Lesson 4: distance, how far one person moves a statistic, a mean, clipping, and three ways to a bound."""

from __future__ import annotations

from discreet.course.lessons.sensitivity.choosing import CHOOSING
from discreet.course.lessons.sensitivity.clipping import CLIPPING
from discreet.course.lessons.sensitivity.distance import DISTANCE
from discreet.course.lessons.sensitivity.dividing import DIVIDING
from discreet.course.lessons.sensitivity.exercises import EXERCISES
from discreet.course.lessons.sensitivity.influence import INFLUENCE
from discreet.course.lessons.sensitivity.stretching import STRETCHING

STEPS = (DISTANCE, INFLUENCE, STRETCHING, DIVIDING, CLIPPING, CHOOSING)
__all__ = ["EXERCISES", "STEPS"]
