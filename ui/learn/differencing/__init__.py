"""Lesson 2: two harmless questions, one pointed question, twenty guesses, and one question asked too often."""

from __future__ import annotations

from discreet.ui.learn.differencing.asking_exercises import EXERCISES
from discreet.ui.learn.differencing.averaging import AVERAGING
from discreet.ui.learn.differencing.pointed import POINTED
from discreet.ui.learn.differencing.twenty_guesses import TWENTY
from discreet.ui.learn.differencing.twice import TWICE

STEPS = (TWICE, POINTED, TWENTY, AVERAGING)
__all__ = ["EXERCISES", "STEPS"]
