"""Exercises of lesson 7: weights, leads, and lists."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.course.lessons.election import numbers
from discreet.course.lessons.election.guesses import CHOICE
from discreet.ui.session.guesses import InOrder, OneOf, Prediction, Typed

EXERCISES = (
    Prediction(
        Phrase("Votes are 5 and 3, each vote multiplies by e^ε, ε = 1. How often does the first win, in percent?"),
        Typed(),
        lambda: 100 * numbers.right((5, 3), numbers.chances(CHOICE, (5, 3), 1.0)),
        Phrase("1 / (1 + e^(−2))."),
    ),
    Prediction(
        Phrase("What is it with the textbook's exp(εu/2Δu), in percent?"),
        Typed(),
        lambda: 100 * numbers.right((5, 3), numbers.chances(CHOICE, (5, 3), 0.5)),
        Phrase("1 / (1 + e^(−1)): this is half of the ε."),
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
        OneOf({"yes": Phrase("Yes: only the winner is published"), "no": Phrase("No: the list itself reveals votes")}),
        lambda: "no",
        Phrase("A place with the vote of one person can only win if that person is present."),
    ),
    Prediction(
        Phrase(
            "The best of 14 days is a number from 1 to 14, and gets noise at ε = 0.5. What is the scale of the noise?"
        ),
        Typed(),
        lambda: (numbers.DAYS - 1) / 0.5,
        Phrase("One pupil can change the best day by 13."),
    ),
    Prediction(
        Phrase(
            "Calculate, or write a program: votes are 12, 11 and 3, each vote multiplies by e^ε, ε = 0.5. How often "
            "does the first win, in percent?"
        ),
        Typed(),
        lambda: 100 * numbers.right((12, 11, 3), numbers.chances(CHOICE, (12, 11, 3), 0.5)),
        Phrase("A lead of one vote is only a factor of 1.65."),
        """
import math

weights = [math.exp(0.5 * votes) for votes in (12, 11, 3)]
print(100 * weights[0] / sum(weights))
""",
    ),
    Prediction(
        Phrase(
            "Prove: picking a place at random with the weight e^(ε votes) is ε-differentially "
            "private. One line is wrong."
        ),
        InOrder(
            {
                "A": Phrase("A person with one vote joins: one weight is multiplied by e^ε, the others are unchanged."),
                "B": Phrase("So the probability of every place changes by a factor between e^(−ε) and e^ε."),
                "C": Phrase("The sum of all weights is unchanged."),
                "D": Phrase("So the sum of all weights is multiplied by something between 1 and e^ε."),
                "E": Phrase("The probability of a place is its weight divided by the sum."),
            },
            also=("AEDB", "ADEB"),
        ),
        lambda: "EADB",
        Phrase(
            "A place gains at most the factor e^ε, and all others lose at most as much. Votes do not need the factor 2."
        ),
    ),
)
