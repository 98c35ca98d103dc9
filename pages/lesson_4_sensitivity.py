"""Lesson 4: distance, how far one person moves a statistic, clipping, and three ways to a bound."""

from discreet.course.lesson import lesson
from discreet.course.lessons.sensitivity import EXERCISES, STEPS

lesson("lesson_4_sensitivity", STEPS, EXERCISES)
