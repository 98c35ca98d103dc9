"""Dials: the controls that several steps share, and their legend."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.lessons.composition.numbers import GAUSSIAN, LAPLACE

DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
EPSILONS = (0.05, 0.1, 0.2, 0.5, 1.0)
NOISES = {LAPLACE: Phrase("Laplace"), GAUSSIAN: Phrase("Gaussian")}
LEGEND = {"orientation": "h", "y": 0, "yanchor": "bottom", "yref": "container"}  # below the axis title
