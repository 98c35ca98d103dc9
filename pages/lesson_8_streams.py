"""Lesson 8: a watched stream at a constant price, and asking people who trust nobody."""

from discreet.course.lesson import lesson
from discreet.course.lessons.streams import EXERCISES, STEPS

lesson("lesson_8_streams", STEPS, EXERCISES)
