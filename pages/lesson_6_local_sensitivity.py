"""Lesson 6: local sensitivity, why noise must not be scaled to it, and three safe alternatives."""

from discreet.course.lesson import lesson
from discreet.course.lessons.local import EXERCISES, STEPS

lesson("lesson_6_local_sensitivity", STEPS, EXERCISES)
