"""Lesson 3: the density of Laplace noise, a noisy count, and the ratio that is the definition."""

from discreet.ui.learn.laplace import EXERCISES, STEPS
from discreet.ui.learn.lesson import lesson

lesson("lesson_3_laplace", STEPS, EXERCISES)
