"""Lesson 3: noise that falls, the density of Laplace noise, a noisy count, and the ratio that is the definition."""

from __future__ import annotations

from discreet.course.lessons.laplace.comparing import COMPARING
from discreet.course.lessons.laplace.counting import COUNTING
from discreet.course.lessons.laplace.dropping import DROPPING
from discreet.course.lessons.laplace.exercises import EXERCISES
from discreet.course.lessons.laplace.scaling import SCALING
from discreet.course.lessons.laplace.weighing import DECIDING

STEPS = (DROPPING, SCALING, COUNTING, COMPARING, DECIDING)
__all__ = ["EXERCISES", "STEPS"]
