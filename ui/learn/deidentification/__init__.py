"""Lesson 1: who is found in a table without names, and what it costs to hide everybody."""

from __future__ import annotations

from discreet.ui.learn.deidentification.coarsening import COARSENING
from discreet.ui.learn.deidentification.grouping import GROUPING
from discreet.ui.learn.deidentification.joining import JOINING
from discreet.ui.learn.deidentification.people_exercises import EXERCISES
from discreet.ui.learn.deidentification.spoiling import SPOILING

STEPS = (JOINING, GROUPING, COARSENING, SPOILING)
__all__ = ["EXERCISES", "STEPS"]
