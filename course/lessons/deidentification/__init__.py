"""Lesson 1: who can be found in a table without names, and what it costs to hide everyone."""

from __future__ import annotations

from discreet.course.lessons.deidentification.coarsening import COARSENING
from discreet.course.lessons.deidentification.exercises import EXERCISES
from discreet.course.lessons.deidentification.grouping import GROUPING
from discreet.course.lessons.deidentification.joining import JOINING
from discreet.course.lessons.deidentification.spoiling import SPOILING

STEPS = (JOINING, GROUPING, COARSENING, SPOILING)
__all__ = ["EXERCISES", "STEPS"]
