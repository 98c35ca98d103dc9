"""Guesses of lesson 3: the width of the noise, its effect on a large count, and the largest ratio."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.laplace import numbers
from discreet.ui.session.guesses import OnRungs, OnScale, Prediction

EPSILON = 0.5
COUNTED = 0.1
AGE = 40

GUESSES = {
    "scales": Prediction(
        Phrase(
            "One person moves the answer by 1, and ε = 0.5: the scale b is 2. How far from 0 do 19 in 20 draws stay?"
        ),
        OnScale(0.0, 20.0, 0.5),
        lambda: numbers.half_width(numbers.noise(1, EPSILON)),
        Phrase("The share e^(−x/b) of the draws lies beyond x. For a share of 1 in 20 that is x = b ln 20, about 3 b."),
    ),
    "count": Prediction(
        Phrase("13,916 people of the census are 40 or older. How far off is a noisy count of ε = 0.1, 19 times in 20?"),
        OnRungs((1, 3, 10, 30, 100, 300, 1000)),
        lambda: float(differencing.law(0, COUNTED).quantile(0.975)),
        Phrase("The noise hides one person, not a share. It would be the same for a count of 10."),
    ),
    "ratio": Prediction(
        Phrase("ε = 0.5. How many times likelier can an answer be with a person than without, at most?"),
        OnScale(1.0, 5.0, 0.1),
        lambda: math.exp(numbers.neighbours(numbers.aged(AGE), EPSILON, EPSILON).loss),
        Phrase("e^ε, for every answer and both ways. That sentence is the definition of ε-differential privacy."),
    ),
    "choosing": Prediction(
        Phrase(
            "A maker of phones counts emojis at ε = 4 for each person's day. How often can a guess about a day be "
            "right at most, with even odds before?"
        ),
        OnScale(50.0, 100.0, 1.0, "%"),
        lambda: 100 * numbers.right(4.0),
        Phrase("e⁴ / (1 + e⁴). It is what the definition promises; the attack may be harder than that in practice."),
    ),
}
