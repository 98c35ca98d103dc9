"""Lesson 5: what many results cost together, by simple addition and by tighter accounting."""

from discreet.course.lesson import lesson
from discreet.course.lessons.composition import EXERCISES, STEPS

lesson("lesson_5_composition", STEPS, EXERCISES)
