"""Lesson 2: two harmless queries, one targeted query, and one query asked too often."""

from discreet.course.lesson import lesson
from discreet.course.lessons.differencing import EXERCISES, STEPS

lesson("lesson_2_differencing", STEPS, EXERCISES)
