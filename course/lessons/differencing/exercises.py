"""Exercises of lesson 2: differences, guesses and averages."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.course.lessons.deidentification.numbers import town
from discreet.course.lessons.differencing import numbers
from discreet.ui.session.guesses import InOrder, Prediction, Typed

EXERCISES = (
    Prediction(
        Phrase("900 people smoke; 899 without Mia, 899 without Pavi, 898 without both. How many of the two smoke?"),
        Typed(),
        lambda: 900 - 898,
        Phrase("Each difference reveals one person."),
    ),
    Prediction(
        Phrase("ε = ln 3, so e^ε = 3. How often is a guess right at most, in percent?"),
        Typed(),
        lambda: 100 * math.exp(math.log(3)) / (1 + math.exp(math.log(3))),
        Phrase("3 / (1 + 3)."),
    ),
    Prediction(
        Phrase(
            "Each of twenty people smokes with probability 1/2. A count of each is released at ε = ln "
            "3. How many does the best guesser get right on average?"
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
            "(15504 + 4845 + 1140 + 190 + 20 + 1) / 2²⁰. The best guesser at ε = ln 3 reaches 15 in "
            "62 rounds of a hundred: one round proves little."
        ),
    ),
    Prediction(
        Phrase("How many results of ε = 0.25 can a budget of ε = 3 pay for?"),
        Typed(),
        lambda: 3 / 0.25,
        Phrase("The ledger refuses the thirteenth result before its noise is drawn."),
    ),
    Prediction(
        Phrase(
            "Both results get noise of −1, 0 or 1, each with probability 1/3. Someone smokes. How "
            "often does the difference prove it, in percent?"
        ),
        Typed(),
        lambda: 100 / 9,
        Phrase("The difference must be 3: noise 1 on the first result and −1 on the second, 1/3 times 1/3."),
    ),
    Prediction(
        Phrase("How many results must be averaged to reduce the error to a tenth?"),
        Typed(),
        lambda: 10**2,
        Phrase("The error falls with the root of the number of results."),
    ),
    Prediction(
        Phrase("Those hundred results cost ε = 0.1 each. What do they cost together?"),
        Typed(),
        lambda: 100 * 0.1,
        Phrase("It is better to ask once: one result of ε = 1 has about the same error and costs a tenth."),
    ),
    Prediction(
        Phrase(
            "Write a program: run two exact counts about each of the first 40 people of the town. How "
            "many of them smoke? The program in the book of the first step contains the town."
        ),
        Typed(),
        lambda: float(town().smokes[:40].sum()),
        Phrase("Eighty exact results, each harmless alone, reveal 40 secrets."),
        """
from discreet.course.lessons.deidentification.numbers import town

smokes = town().smokes
smokers = 0
for person in range(40):
    first = sum(smokes)
    second = sum(smokes[:person]) + sum(smokes[person + 1 :])
    smokers += first - second
print(smokers)
""",
    ),
    Prediction(
        Phrase(
            "Prove: if both possibilities are equally likely beforehand, a guess is right with "
            "probability at most e^ε/(1 + e^ε). One line is wrong."
        ),
        InOrder(
            {
                "A": Phrase(
                    "If both possibilities are equally likely beforehand, their probabilities after that "
                    "result are in the ratio p to q."
                ),
                "B": Phrase("Differential privacy requires p ≤ e^ε q and q ≤ e^ε p."),
                "C": Phrase("Let a result have the probability p with the person, and q without."),
                "D": Phrase("The mean of the noise is 0, so p = q."),
                "E": Phrase(
                    "So the more likely of the two has the probability e^ε/(1 + e^ε) at most, whatever the result is."
                ),
            },
            also=("CBAE",),
        ),
        lambda: "CABE",
        Phrase("D is wrong: p and q differ at almost every result, and the definition limits by how much."),
    ),
)
