"""Lesson 1: who can be found in a table without names, and what it costs to hide everyone."""

from discreet.course.lesson import lesson
from discreet.course.lessons.deidentification import EXERCISES, STEPS

lesson("lesson_1_deidentification", STEPS, EXERCISES)
