"""Lesson 8: monitoring a stream at a constant cost, and asking people who trust no one."""

from discreet.course.lesson import lesson
from discreet.course.lessons.streams import EXERCISES, STEPS

lesson("lesson_8_streams", STEPS, EXERCISES)
