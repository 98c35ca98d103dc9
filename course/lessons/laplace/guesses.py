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
FEW = 40

GUESSES = {
    "drops": Prediction(
        Phrase("A count of 40 gets noise at ε = 0.5, a hundred times. How often is the result exactly 40, in percent?"),
        OnScale(0.0, 100.0, 1.0, "%"),
        lambda: 100 * numbers.within(EPSILON, 0),
        Phrase("No result is more likely than the exact one, but three of four are another number."),
    ),
    "scales": Prediction(
        Phrase(
            "One person changes the result by 1, and ε = 0.5: the scale b is 2. Within which distance "
            "of 0 is the noise, 95 times of 100?"
        ),
        OnScale(0.0, 20.0, 0.5),
        lambda: numbers.half_width(numbers.noise(1, EPSILON)),
        Phrase("About 3 b: noise is beyond ±x with probability e^(−x/b), which is 5% at x = b ln 20."),
    ),
    "count": Prediction(
        Phrase(
            "13,916 people of the census are 40 or older. What is the margin of error (95%) of a "
            "noisy count at ε = 0.1?"
        ),
        OnRungs((1, 3, 10, 30, 100, 300, 1000)),
        lambda: float(differencing.law(0, COUNTED).quantile(0.975)),
        Phrase("The noise hides one person, not a share. It would be the same for a count of 10."),
    ),
    "ratio": Prediction(
        Phrase("ε = 0.5. By what factor can a result be more likely with Mia than without, at most?"),
        OnScale(1.0, 5.0, 0.1),
        lambda: math.exp(numbers.neighbours(numbers.aged(AGE), EPSILON, EPSILON).loss),
        Phrase(
            "The factor is e^ε, for every result and in both directions. That sentence is the "
            "definition of ε-differential privacy."
        ),
    ),
    "choosing": Prediction(
        Phrase(
            "A phone manufacturer counts emojis at ε = 4 for each person's day. A day's two "
            "possibilities are equally likely beforehand. How often can a guess be right at most?"
        ),
        OnScale(50.0, 100.0, 1.0, "%"),
        lambda: 100 * numbers.right(4.0),
        Phrase("e⁴ / (1 + e⁴). This is what the definition guarantees. In practice the attack may be harder."),
    ),
}
