"""Exercises of lesson 6: rungs, distances, scales."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.lab.lessons import local
from discreet.lab.lessons.guesses import Prediction, Typed
from discreet.lab.textbook import printed_beta
from discreet.queries import Column
from discreet.queries.median import Median

EXERCISES = (
    Prediction(
        Phrase("Ages 20, 30, 40, 50, 60; one person comes or goes. How far can the median move?"),
        Typed(),
        lambda: local.local(Median(), Column.from_values(local.AGES, [20, 30, 40, 50, 60])),
        Phrase("Half way to the next age: from 40 to 35 or 45."),
    ),
    Prediction(
        Phrase("u = 100. For which n is u/(n+1) equal to b = 0.005?"),
        Typed(),
        lambda: 100 / 0.005 - 1,
        Phrase("u/b − 1."),
    ),
    Prediction(
        Phrase("n = 32,561. How many must leave until u/(n+1) reaches b = 0.005?"),
        Typed(),
        lambda: 32_561 - (100 / 0.005 - 1),
        Phrase("That is the book's distance D before its noise of a half."),
    ),
    Prediction(
        Phrase("u = 100, ε = 1, and the noise has the scale 0.5. How many people are there?"),
        Typed(),
        lambda: 100 / 0.5 - 1,
        Phrase("n = u / LS − 1: the noise has told it."),
    ),
    Prediction(
        Phrase("600 blocks, their means counted from 20 to 80, ε = 1. What is the scale of the noise?"),
        Typed(),
        lambda: (80 - 20) / 600,
        Phrase("(u − l) / (k ε)."),
    ),
    Prediction(
        Phrase("ε = 1, δ = 1e-6. What is the printed β = ε / (2 ln(2/δ))?"),
        Typed(),
        lambda: printed_beta(1, 1e-6),
        Phrase("So e^(−βk) halves every 20 persons."),
    ),
)
