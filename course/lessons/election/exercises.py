"""Exercises of lesson 7: weights, leads, and lists."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.course.lessons.election import numbers
from discreet.course.lessons.election.guesses import CHOICE
from discreet.ui.session.guesses import InOrder, OneOf, Prediction, Typed

EXERCISES = (
    Prediction(
        Phrase("Votes 5 and 3, each vote multiplies by e^ε, ε = 1. How often does the first win, in percent?"),
        Typed(),
        lambda: 100 * numbers.right((5, 3), numbers.chances(CHOICE, (5, 3), 1.0)),
        Phrase("1 / (1 + e^(−2))."),
    ),
    Prediction(
        Phrase("The same with the printed exp(εu/2Δu), in percent."),
        Typed(),
        lambda: 100 * numbers.right((5, 3), numbers.chances(CHOICE, (5, 3), 0.5)),
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
        lambda: (numbers.DAYS - 1) / 0.5,
        Phrase("One pupil can move the best day by 13."),
    ),
    Prediction(
        Phrase(
            "Write a program: votes 12, 11 and 3, each vote multiplies by e^ε, ε = 0.5. "
            "How often does the first win, in percent?"
        ),
        Typed(),
        lambda: 100 * numbers.right((12, 11, 3), numbers.chances(CHOICE, (12, 11, 3), 0.5)),
        Phrase("A lead of one vote is a factor of 1.65 only."),
        """
import numpy as np
from discreet.mechanisms.selection import ExponentialMechanism
from discreet.queries.column import Scores

votes = Scores(("first", "second", "third"), np.array([12, 11, 3]))
print(100 * ExponentialMechanism(epsilon=0.5).law(votes).probabilities[0])
""",
    ),
    Prediction(
        Phrase("Prove: drawing a place by the weight e^(ε votes) is ε-differentially private. One line is wrong."),
        InOrder(
            {
                "A": Phrase("Somebody joins with one vote: one weight is multiplied by e^ε, the others stay."),
                "B": Phrase("So every place's chance changes by a factor between e^(−ε) and e^ε."),
                "C": Phrase("The sum of all weights stays the same."),
                "D": Phrase("So the sum of all weights is multiplied by something between 1 and e^ε."),
                "E": Phrase("The chance of a place is its weight divided by the sum."),
            }
        ),
        lambda: "EADB",
        Phrase("A place gains e^ε at most, and all others lose at most as much. No factor 2 is needed for votes."),
    ),
)
