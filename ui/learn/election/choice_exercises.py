"""Exercises of lesson 7: weights, leads, and lists."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.lab.lessons import election
from discreet.lab.lessons.guesses import OneOf, Prediction, Typed
from discreet.ui.learn.election.choice_guesses import CHOICE

EXERCISES = (
    Prediction(
        Phrase("Votes 5 and 3, each vote multiplies by e^ε, ε = 1. How often does the first win, in percent?"),
        Typed(),
        lambda: 100 * election.right((5, 3), election.chances(CHOICE, (5, 3), 1.0)),
        Phrase("1 / (1 + e^(−2))."),
    ),
    Prediction(
        Phrase("The same with the printed exp(εu/2Δu), in percent."),
        Typed(),
        lambda: 100 * election.right((5, 3), election.chances(CHOICE, (5, 3), 0.5)),
        Phrase("1 / (1 + e^(−1)): half of the ε."),
    ),
    Prediction(
        Phrase("At which ε does a lead of one vote win 9 times in 10?"),
        Typed(),
        lambda: math.log(9),
        Phrase("e^ε / (1 + e^ε) = 0.9."),
    ),
    Prediction(
        Phrase("One place has 5 votes, 100 places have none, ε = 1. How often does it win, in percent?"),
        Typed(),
        lambda: 100 * math.exp(5) / (math.exp(5) + 100),
        Phrase("e⁵ = 148 against 100: a long list costs accuracy, not privacy."),
    ),
    Prediction(
        Phrase("The list of candidates is made of the votes that were given. Is the choice still private?"),
        OneOf({"yes": Phrase("Yes: only the winner is told"), "no": Phrase("No: the list itself tells")}),
        lambda: "no",
        Phrase("A place on which one person voted can only win if that person is there."),
    ),
    Prediction(
        Phrase("Noise on one of 14 days, ε = 0.5. What is its scale?"),
        Typed(),
        lambda: (election.DAYS - 1) / 0.5,
        Phrase("One pupil can move the best day by 13."),
    ),
)
