"""Lesson 2: two harmless questions, one pointed question, and one question asked too often."""

from discreet.ui.learn.differencing import EXERCISES, STEPS
from discreet.ui.learn.lesson import lesson

lesson("lesson_2_differencing", STEPS, EXERCISES)
