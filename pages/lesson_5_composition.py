"""Lesson 5: what many answers cost, by adding up and by better accounts."""

from discreet.course.lesson import lesson
from discreet.course.lessons.composition import EXERCISES, STEPS

lesson("lesson_5_composition", STEPS, EXERCISES)
