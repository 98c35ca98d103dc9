"""Exercises of lesson 3: scales, widths, and why noise must not end."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.lab.lessons import laplace
from discreet.lab.lessons.guesses import OneOf, Prediction, Typed

EXERCISES = (
    Prediction(
        Phrase("One person moves an answer by 1, ε = 0.1. What is the scale b?"),
        Typed(),
        lambda: laplace.noise(1, 0.1).scale,
        Phrase("1 / 0.1."),
    ),
    Prediction(
        Phrase("b = 2. Within which distance of 0 lie half of all draws?"),
        Typed(),
        lambda: laplace.half_width(laplace.noise(1, 0.5), 0.5),
        Phrase("b ln 2, because e^(−x/b) = 1/2."),
    ),
    Prediction(
        Phrase("b = 1. Within which distance of 0 lie 99 in 100 draws?"),
        Typed(),
        lambda: laplace.half_width(laplace.noise(1, 1.0), 0.99),
        Phrase("ln 100."),
    ),
    Prediction(
        Phrase("What is the standard deviation of Laplace noise of scale 5?"),
        Typed(),
        lambda: 5 * math.sqrt(2),
        Phrase("The variance is 2 b²."),
    ),
    Prediction(
        Phrase(
            "Two vote counts get Laplace noise of scale 1 each. What is the standard deviation of their difference?"
        ),
        Typed(),
        lambda: math.sqrt(2 + 2),
        Phrase("Variances add up: 2 + 2."),
    ),
    Prediction(
        Phrase("Why is noise that is even from −10 to 10 never ε-differentially private?"),
        OneOf(
            {
                "ends": Phrase("An answer at its end is possible for one neighbour only"),
                "mean": Phrase("Its mean is 0"),
                "small": Phrase("It is too small"),
            }
        ),
        lambda: "ends",
        Phrase(
            "The ratio of the chances there is infinite, for every ε. Proof: the answer f(x) + 10, and "
            "f(x') = f(x) − 1."
        ),
    ),
)
