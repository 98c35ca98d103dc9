"""Lesson 7: an election with exact probabilities, four ways to choose, and a day that noise would miss."""

from discreet.course.lesson import lesson
from discreet.course.lessons.election import EXERCISES, STEPS

lesson("lesson_7_election", STEPS, EXERCISES)
