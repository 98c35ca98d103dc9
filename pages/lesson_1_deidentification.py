"""Lesson 1: who is found in a table without names, and what it costs to hide everybody."""

from discreet.ui.learn.deidentification import EXERCISES, STEPS
from discreet.ui.learn.lesson import lesson

lesson("lesson_1_deidentification", STEPS, EXERCISES)
