"""Lesson 3: the density of Laplace noise, a noisy count, and the ratio that is the definition."""

from discreet.course.lesson import lesson
from discreet.course.lessons.laplace import EXERCISES, STEPS

lesson("lesson_3_laplace", STEPS, EXERCISES)
