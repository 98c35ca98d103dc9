"""Lesson 4: distance, how far one person moves a statistic, clipping, and three ways to a bound."""

from __future__ import annotations

from discreet.ui.learn.sensitivity.bound_exercises import EXERCISES
from discreet.ui.learn.sensitivity.choosing import CHOOSING
from discreet.ui.learn.sensitivity.clipping import CLIPPING
from discreet.ui.learn.sensitivity.distance import DISTANCE
from discreet.ui.learn.sensitivity.influence import INFLUENCE
from discreet.ui.learn.sensitivity.stretching import STRETCHING

STEPS = (DISTANCE, INFLUENCE, STRETCHING, CLIPPING, CHOOSING)
__all__ = ["EXERCISES", "STEPS"]
