"""Exercises of lesson 2: differences, guesses and averages."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.course.lessons.deidentification.numbers import town
from discreet.course.lessons.differencing import numbers
from discreet.ui.session.guesses import InOrder, Prediction, Typed

EXERCISES = (
    Prediction(
        Phrase("900 people smoke; 899 without Ann, 899 without Ben, 898 without both. How many of the two smoke?"),
        Typed(),
        lambda: 900 - 898,
        Phrase("Each difference is one person's answer."),
    ),
    Prediction(
        Phrase("ε = ln 3, so e^ε = 3. How often is a guess right at most, in percent?"),
        Typed(),
        lambda: 100 * math.exp(math.log(3)) / (1 + math.exp(math.log(3))),
        Phrase("3 / (1 + 3)."),
    ),
    Prediction(
        Phrase(
            "Each of twenty people smokes as likely as not, and a count of each is told at ε = ln 3. How many of them "
            "does the best guesser get right, on average?"
        ),
        Typed(),
        lambda: numbers.PEOPLE * numbers.twenty(math.log(3), 1).allowed,
        Phrase("Three guesses in four are right, and 3/4 of twenty is 15."),
    ),
    Prediction(
        Phrase("A coin guesses for the same twenty people. How often does it get 15 or more right, in percent?"),
        Typed(),
        lambda: 100 * numbers.luck(15, numbers.COIN),
        Phrase(
            "(15504 + 4845 + 1140 + 190 + 20 + 1) / 2²⁰. The best guesser at ε = ln 3 manages it in 62 rounds of a "
            "hundred: one round proves little."
        ),
    ),
    Prediction(
        Phrase("How many answers of ε = 0.25 does a budget of ε = 3 pay for?"),
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
        Phrase("Those hundred answers cost ε = 0.1 each. What do they cost together?"),
        Typed(),
        lambda: 100 * 0.1,
        Phrase("Better: one answer of ε = 1 has the same error and costs a tenth."),
    ),
    Prediction(
        Phrase(
            "Write a program: ask two exact counts about each of the first 50 people of the town. "
            "How many of them turn out to smoke? The program in the book of the first step knows the town."
        ),
        Typed(),
        lambda: float(town().smokes[:50].sum()),
        Phrase("A hundred exact answers, each harmless by itself, and 50 secrets are told."),
        """
from discreet.course.lessons.differencing.numbers import exact
from discreet.course.lessons.deidentification.numbers import town

pairs = [exact(name) for name in town().names[:50]]
print(sum(everybody - others for everybody, others in pairs))
""",
    ),
    Prediction(
        Phrase("Prove: with even odds before, a guess is right with chance e^ε/(1 + e^ε) at most. One line is wrong."),
        InOrder(
            {
                "A": Phrase("With even odds before, the odds after that answer are p to q."),
                "B": Phrase("Differential privacy says p ≤ e^ε q and q ≤ e^ε p."),
                "C": Phrase("Let an answer have the chance p with the person, and q without."),
                "D": Phrase("The mean of the noise is 0, so p = q."),
                "E": Phrase("So the likelier of the two has the chance e^ε/(1 + e^ε) at most, whatever the answer is."),
            }
        ),
        lambda: "CABE",
        Phrase("D is wrong: p and q differ at almost every answer, and the definition says by how much."),
    ),
)
