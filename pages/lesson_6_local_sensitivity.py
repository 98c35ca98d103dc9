"""Lesson 6: local sensitivity, why noise must not follow it, and three ways that are safe."""

from discreet.course.lesson import lesson
from discreet.course.lessons.local import EXERCISES, STEPS

lesson("lesson_6_local_sensitivity", STEPS, EXERCISES)
