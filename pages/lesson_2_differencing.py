"""Lesson 2: two harmless questions, one pointed question, and one question asked too often."""

from discreet.course.lesson import lesson
from discreet.course.lessons.differencing import EXERCISES, STEPS

lesson("lesson_2_differencing", STEPS, EXERCISES)
