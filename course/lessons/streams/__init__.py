"""Lesson 8: monitoring a stream at a constant cost, and asking people who trust no one."""

from __future__ import annotations

from discreet.course.lessons.streams.exercises import EXERCISES
from discreet.course.lessons.streams.patience import PATIENCE
from discreet.course.lessons.streams.placing import PLACING
from discreet.course.lessons.streams.survey import SURVEY
from discreet.course.lessons.streams.trust import TRUST
from discreet.course.lessons.streams.watching import WATCHING

STEPS = (WATCHING, SURVEY, TRUST, PLACING, PATIENCE)
__all__ = ["EXERCISES", "STEPS"]
