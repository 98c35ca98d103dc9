"""Lesson 8: a watched stream at a constant price, and asking people who trust nobody."""

from discreet.ui.learn.lesson import lesson
from discreet.ui.learn.streams import EXERCISES, STEPS

lesson("lesson_8_streams", STEPS, EXERCISES)
