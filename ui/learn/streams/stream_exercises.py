"""Exercises of lesson 8: coins, corrections, and watches."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.lab.lessons import streams
from discreet.lab.lessons.guesses import Prediction, Typed

EXERCISES = (
    Prediction(
        Phrase(
            "Toss a coin: heads, tell the truth; tails, toss again and say yes for heads. How often is a "
            "report true, in percent?"
        ),
        Typed(),
        lambda: 100 * (0.5 + 0.5 * 0.5),
        Phrase("Half the time by will, a quarter by luck."),
    ),
    Prediction(Phrase("Which ε is that?"), Typed(), lambda: math.log(0.75 / 0.25), Phrase("ln 3: three to one.")),
    Prediction(
        Phrase("Reports are true with chance 75 %, and 40 % of them say yes. Which percentage says yes in truth?"),
        Typed(),
        lambda: 100 * (0.4 - 0.25) / (0.75 - 0.25),
        Phrase("Solve 0.75 p + 0.25 (1 − p) = 0.4."),
    ),
    Prediction(
        Phrase("A stream is watched for 365 days at ε = 0.5, until one day is told. What does it cost?"),
        Typed(),
        lambda: streams.watch(0.5, 100).cost().epsilon,
        Phrase("Days that are not told are free."),
    ),
    Prediction(
        Phrase("And if each day's count is told at ε = 0.5?"),
        Typed(),
        lambda: 365 * 0.5,
        Phrase("Somebody may be in all of them."),
    ),
    Prediction(
        Phrase("Nobody is trusted; 10,000 people give an error of 1 %. What is it with 1,000,000, in percent?"),
        Typed(),
        lambda: 1 / math.sqrt(1_000_000 / 10_000),
        Phrase("It falls with the root of the people. With trust it would be a hundredth."),
    ),
)
