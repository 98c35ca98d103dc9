"""Lesson 3: the density of Laplace noise, a noisy count, and the ratio that is the definition."""

from __future__ import annotations

from discreet.ui.learn.laplace.comparing import COMPARING
from discreet.ui.learn.laplace.counting import COUNTING
from discreet.ui.learn.laplace.noise_exercises import EXERCISES
from discreet.ui.learn.laplace.scaling import SCALING
from discreet.ui.learn.laplace.weighing import DECIDING

STEPS = (SCALING, COUNTING, COMPARING, DECIDING)
__all__ = ["EXERCISES", "STEPS"]
