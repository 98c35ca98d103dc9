"""Exercises of lesson 3: scales, widths, and why noise must be unbounded."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.course.lessons.differencing import numbers
from discreet.course.lessons.laplace import numbers as laplace
from discreet.ui.session.guesses import InOrder, OneOf, Prediction, Typed

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
    Prediction(
        Phrase("A web page shows the number 14,238. Is this number differentially private?"),
        OneOf(
            {
                "noise": Phrase("Yes, if it differs from the truth"),
                "never": Phrase("A number cannot be: only the algorithm that gave it can"),
                "exact": Phrase("No, if it is the truth"),
            }
        ),
        lambda: "never",
        Phrase(
            "Differential privacy is a property of an algorithm: it compares what it might have said on two datasets. "
            "A private algorithm may even say the truth."
        ),
    ),
    Prediction(
        Phrase("An algorithm rounds a count down to tens. Is it ε-differentially private for some ε?"),
        OneOf(
            {
                "mostly": Phrase("Yes: nine neighbours in ten have the same answer"),
                "jump": Phrase("No: 39 and 40 never have the same answer"),
            }
        ),
        lambda: "jump",
        Phrase("The definition is about all neighbours. At 39 and 40 the ratio of the chances is infinite."),
    ),
    Prediction(
        Phrase("Write a program: a count has noise of ε = 0.2. How often is it off by more than 10, in percent?"),
        Typed(),
        lambda: 200 * float(numbers.law(100, 0.2).cdf(89)),
        Phrase("Twice the tail below 90, by symmetry: 2 a¹¹ / (1 + a) with a = e^(−0.2)."),
        """
from discreet.course.lessons.differencing.numbers import law

answer = law(100, epsilon=0.2)
print(100 * (answer.cdf(89) + 1 - answer.cdf(110)))
""",
    ),
    Prediction(
        Phrase("Prove: the Laplace mechanism is ε-differentially private. One line does not belong."),
        InOrder(
            {
                "A": Phrase("By the triangle inequality that is at most |f(x) − f(x')| / b, so at most s / b."),
                "B": Phrase("At an answer a its density is e^(−|a − f(x)|/b) / 2b."),
                "C": Phrase("With b = s/ε the densities differ by e^ε at most, and so do the chances of every set."),
                "D": Phrase("The noise is 0 on average, so nothing is told on average."),
                "E": Phrase("The logarithm of the ratio at two neighbours is (|a − f(x')| − |a − f(x)|) / b."),
            }
        ),
        lambda: "BEAC",
        Phrase("D is true of the mean, and says nothing about privacy."),
    ),
)
