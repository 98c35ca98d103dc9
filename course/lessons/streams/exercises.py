"""Exercises of lesson 8: coins, corrections, and monitoring."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.course.lessons.streams import numbers
from discreet.ui.session.guesses import InOrder, Prediction, Typed


def _needed(yes: float, epsilon: float, error: float) -> int:
    """Return how many people in the local model suffice for an error of the share."""
    true = numbers.truthful(epsilon)
    said = yes * true + (1 - yes) * (1 - true)
    return math.ceil(said * (1 - said) * (1.96 / (error * (2 * true - 1))) ** 2)


EXERCISES = (
    Prediction(
        Phrase(
            "Toss a coin. Heads: answer truthfully. Tails: toss again and answer yes for heads. How "
            "often is a report true, in percent?"
        ),
        Typed(),
        lambda: 100 * (0.5 + 0.5 * 0.5),
        Phrase("Half of the reports are true on purpose, a quarter by chance."),
    ),
    Prediction(Phrase("Which ε is this?"), Typed(), lambda: math.log(0.75 / 0.25), Phrase("ln 3: three to one.")),
    Prediction(
        Phrase(
            "Reports are true with probability 75%, and 40% of them are yes. For which percentage is "
            "the true answer yes?"
        ),
        Typed(),
        lambda: 100 * (0.4 - 0.25) / (0.75 - 0.25),
        Phrase("Solve 0.75 p + 0.25 (1 − p) = 0.4."),
    ),
    Prediction(
        Phrase("A stream is watched for 365 days at ε = 0.5, until one day is published. What does it cost?"),
        Typed(),
        lambda: numbers.watch(0.5, 100).cost().epsilon,
        Phrase("Days that are not published are free."),
    ),
    Prediction(
        Phrase("What does it cost if the count of each of the 365 days is released at ε = 0.5?"),
        Typed(),
        lambda: 365 * 0.5,
        Phrase("365 · 0.5: a person may be counted on all days."),
    ),
    Prediction(
        Phrase("Without a trusted curator, 10,000 people give an error of 1%. What is it with 1,000,000, in percent?"),
        Typed(),
        lambda: 1 / math.sqrt(1_000_000 / 10_000),
        Phrase("It falls with the root of the number of people. With trust it would be a hundredth."),
    ),
    Prediction(
        Phrase(
            "Calculate, or write a program: 30% have the true answer yes, and everyone answers "
            "through a coin of ε = 1. A report is true with probability p, and yes with "
            "probability q. The standard error of the share is √(q (1 − q) / n) / (2p − 1). From "
            "how many people n on is 1.96 times that below 5%?"
        ),
        Typed(),
        lambda: float(_needed(0.3, 1.0, 0.05)),
        Phrase("p = e / (1 + e) = 0.731 and q = 0.3 p + 0.7 (1 − p) = 0.408."),
        """
import math

p = math.exp(1) / (1 + math.exp(1))
q = 0.3 * p + 0.7 * (1 - p)
n = 1
while 1.96 * math.sqrt(q * (1 - q) / n) / (2 * p - 1) >= 0.05:
    n += 1
print(n)
""",
    ),
    Prediction(
        Phrase(
            "Prove: a report that is true with probability e^ε / (1 + e^ε) is ε-differentially "
            "private. One line is wrong."
        ),
        InOrder(
            {
                "A": Phrase(
                    "If yes is true, it is reported with probability p. Otherwise the probability is 1 − p. "
                    "For no it is the reverse."
                ),
                "B": Phrase("Only the average of all reports is published, so one report may be exact."),
                "C": Phrase("Let p be the probability of a true report; a false one has the probability 1 − p."),
                "D": Phrase("p / (1 − p) = e^ε, so both reports satisfy the definition, in both directions."),
            }
        ),
        lambda: "CAD",
        Phrase("B forgets that no one is trusted: the collector sees every report."),
    ),
)
