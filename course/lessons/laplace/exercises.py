"""Exercises of lesson 3: scales, widths, and why noise must be unbounded."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.course.lessons.differencing import numbers
from discreet.course.lessons.laplace import numbers as laplace
from discreet.ui.session.guesses import InOrder, OneOf, Prediction, Typed

EXERCISES = (
    Prediction(
        Phrase("One person changes a result by 1, ε = 0.1. What is the scale b?"),
        Typed(),
        lambda: laplace.noise(1, 0.1).scale,
        Phrase("1 / 0.1."),
    ),
    Prediction(
        Phrase("b = 2. Within which distance of 0 are half of all draws?"),
        Typed(),
        lambda: laplace.half_width(laplace.noise(1, 0.5), 0.5),
        Phrase("b ln 2, because e^(−x/b) = 1/2."),
    ),
    Prediction(
        Phrase("b = 1. Within which distance of 0 are 99 in 100 draws?"),
        Typed(),
        lambda: laplace.half_width(laplace.noise(1, 1.0), 0.99),
        Phrase("ln 100."),
    ),
    Prediction(
        Phrase("Laplace noise of scale b has the variance 2 b². What is its standard deviation at scale 5?"),
        Typed(),
        lambda: 5 * math.sqrt(2),
        Phrase("√50."),
    ),
    Prediction(
        Phrase(
            "Two vote counts get independent Laplace noise of scale 1 each, and variances of independent noises add "
            "up. What is the standard deviation of their difference?"
        ),
        Typed(),
        lambda: math.sqrt(2 + 2),
        Phrase("√(2 + 2): variances add up, of a difference too."),
    ),
    Prediction(
        Phrase("Why is uniform noise from −10 to 10 never ε-differentially private?"),
        OneOf(
            {
                "ends": Phrase("A result at its end is possible for one neighbouring dataset only"),
                "mean": Phrase("Its mean is 0"),
                "small": Phrase("It is too small"),
            }
        ),
        lambda: "ends",
        Phrase(
            "The ratio of the probabilities there is infinite, for every ε. Proof: take the result "
            "f(x) + 10, and f(x') = f(x) − 1."
        ),
    ),
    Prediction(
        Phrase("A web page shows the number 14,238. Is this number differentially private?"),
        OneOf(
            {
                "noise": Phrase("Yes, if it differs from the exact value"),
                "never": Phrase("A number cannot be private: only the algorithm that produced it can"),
                "exact": Phrase("No, if it is the exact value"),
            }
        ),
        lambda: "never",
        Phrase(
            "Differential privacy is a property of an algorithm: it compares the possible results on "
            "two datasets. A private algorithm may even return the exact value."
        ),
    ),
    Prediction(
        Phrase("An algorithm rounds a count down to tens. Is it ε-differentially private for some ε?"),
        OneOf(
            {
                "mostly": Phrase("Yes: nine neighbouring pairs in ten have the same result"),
                "jump": Phrase("No: 39 and 40 never have the same result"),
            }
        ),
        lambda: "jump",
        Phrase(
            "The definition is about all neighbouring datasets. At 39 and 40 the ratio of the "
            "probabilities is infinite."
        ),
    ),
    Prediction(
        Phrase(
            "Write a program: a count has integer noise of ε = 0.2: k has a probability in proportion to e^(−0.2 |k|). "
            "How often is it off by more than 10, in percent?"
        ),
        Typed(),
        lambda: 200 * float(numbers.law(100, 0.2).cdf(89)),
        Phrase(
            "By symmetry, it is twice the tail above 10: 2 a¹¹ / (1 + a) with a = e^(−0.2). With Laplace noise it is "
            "e^(−2), 13.5%."
        ),
        """
import math

a = math.exp(-0.2)
near = sum((1 - a) / (1 + a) * a ** abs(noise) for noise in range(-10, 11))
print(100 * (1 - near))
""",
    ),
    Prediction(
        Phrase("Prove: the Laplace mechanism is ε-differentially private. One line does not belong."),
        InOrder(
            {
                "A": Phrase(
                    "By the triangle inequality, this is at most |f(x) − f(x')| / b, and therefore at most s / b."
                ),
                "B": Phrase("At a result a, its density is e^(−|a − f(x)|/b) / 2b."),
                "C": Phrase(
                    "With b = s/ε the densities differ at most by the factor e^ε, and so do the probabilities "
                    "of every set."
                ),
                "D": Phrase("The noise is 0 on average, so nothing is revealed on average."),
                "E": Phrase(
                    "The logarithm of the ratio at two neighbouring datasets is (|a − f(x')| − |a − f(x)|) / b."
                ),
            }
        ),
        lambda: "BEAC",
        Phrase("D is true of the mean, but has nothing to do with privacy."),
    ),
)
