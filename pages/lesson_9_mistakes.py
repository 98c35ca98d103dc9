"""Lesson 9: five published guarantees, what they are worth, and what passes the same test."""

from discreet.course.lesson import lesson
from discreet.course.lessons.mistakes import EXERCISES, STEPS

lesson("lesson_9_mistakes", STEPS, EXERCISES)
