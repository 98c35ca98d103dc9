"""Exercises of lesson 2: differences, guesses and averages."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.lab.lessons.guesses import Prediction, Typed

EXERCISES = (
    Prediction(
        Phrase("900 people smoke; 899 without Ann, 899 without Ben, 898 without both. How many of the two smoke?"),
        Typed(),
        lambda: 900 - 898,
        Phrase("Each difference is one person's answer."),
    ),
    Prediction(
        Phrase("ε = ln 3. How often is a guess right at most, in percent?"),
        Typed(),
        lambda: 100 * math.exp(math.log(3)) / (1 + math.exp(math.log(3))),
        Phrase("3 / (1 + 3)."),
    ),
    Prediction(
        Phrase("A budget of 3 and answers of ε = 0.25: how many?"),
        Typed(),
        lambda: 3 / 0.25,
        Phrase("The ledger refuses the thirteenth before it is drawn."),
    ),
    Prediction(
        Phrase(
            "Both answers get noise of −1, 0 or 1, each with chance 1/3. Somebody smokes. How often does "
            "the difference prove it, in percent?"
        ),
        Typed(),
        lambda: 100 / 9,
        Phrase("It must be 3: noise 1 on the first answer and −1 on the second, 1/3 times 1/3."),
    ),
    Prediction(
        Phrase("How many answers must be averaged for a tenth of the error of one?"),
        Typed(),
        lambda: 10**2,
        Phrase("The error falls with the root of their number."),
    ),
    Prediction(
        Phrase("Each of them costs ε = 0.1. What do they cost together?"),
        Typed(),
        lambda: 100 * 0.1,
        Phrase("Better: one answer of ε = 1 has the same error and costs a tenth."),
    ),
)
