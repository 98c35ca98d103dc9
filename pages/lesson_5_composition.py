"""Lesson 5: what many answers cost, by adding up and by better accounts."""

from discreet.ui.learn.composition import EXERCISES, STEPS
from discreet.ui.learn.lesson import lesson

lesson("lesson_5_composition", STEPS, EXERCISES)
