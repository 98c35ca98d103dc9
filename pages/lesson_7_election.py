"""Lesson 7: an election by exact chances, four ways to choose, and a day that noise would miss."""

from discreet.ui.learn.election import EXERCISES, STEPS
from discreet.ui.learn.lesson import lesson

lesson("lesson_7_election", STEPS, EXERCISES)
