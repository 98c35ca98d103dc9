"""Guesses of lesson 4: a changed row, what moves a sum, the best bound, and which way leaks."""

from __future__ import annotations

import numpy as np

from discreet.budget import Cost, Phrase
from discreet.course.lessons.sensitivity import numbers
from discreet.course.lessons.sensitivity.bounds import FIRM, PEOPLE, WAYS
from discreet.queries import Bounds
from discreet.queries.sum import Sum
from discreet.ui.session.guesses import OneOf, OnFactors, OnScale, Prediction

EPSILON = 0.1

GUESSES = {
    "distance": Prediction(
        Phrase("Mia's age is corrected from 45 to 60. What is the distance between the two datasets?"),
        OnScale(0.0, 4.0, 1.0),
        lambda: float(numbers.pair(0, 0, 60).distance),
        Phrase("A changed row is one row removed and one row added, however much the value changes."),
    ),
    "statistics": Prediction(
        Phrase("Values are from 20 to 100. How much can one added or removed person change their sum?"),
        OnScale(0.0, 150.0, 10.0),
        lambda: numbers.moved(Sum.name, Bounds(20, 100, integer=True)),
        Phrase(
            "A whole value is added or removed, so it is the largest value, not u − l. Books that "
            "print u − l change a row."
        ),
    ),
    "functions": Prediction(
        Phrase("f(x) = x², and x changes from 50 to 51. How much does f change?"),
        OnScale(0.0, 200.0, 1.0),
        lambda: numbers.moved_by_one("square", 50, 1),
        Phrase(
            "2x + 1: the larger x is, the more f changes. From 99 to 100 it is 199. Without a bound, it has no limit."
        ),
    ),
    "mean": Prediction(
        Phrase("The mean age is a noisy sum divided by a noisy count, each at ε = 0.5. What ε does the mean cost?"),
        OnScale(0.0, 2.0, 0.25),
        lambda: (Cost.of("0.5") + Cost.of("0.5")).epsilon,
        Phrase("The costs of both results add up. Whatever is computed from results alone is free."),
    ),
    "clipping": Prediction(
        Phrase(
            "Capital gains are up to 100,000, and few people have any. Which upper bound gives the "
            "best sum over 3,000 people?"
        ),
        OnFactors(100, 100_000),
        lambda: _best(),
        Phrase(
            "Here clipping and noise together are smallest, yet neither is small. Each doubling of the bound doubles "
            "the noise."
        ),
    ),
    "bounds": Prediction(
        Phrase("The firm needs a bound for incomes. Which of four ways to choose it reveals the highest, Mia's?"),
        OneOf(WAYS),
        lambda: max(WAYS, key=_sure),
        Phrase(
            "The maximum is Mia's income. A bound found by looking at the data has a privacy loss "
            "that no budget records."
        ),
    ),
}


def _best() -> float:
    """Return the bound with the smallest total of bias and noise."""
    curve = numbers.clipping(numbers.people("capital_gain", PEOPLE), EPSILON)
    return float(curve.bounds[int(np.argmin(curve.bias + curve.noise))])


def _sure(way: str) -> float:
    return numbers.chosen(way, FIRM, 600_000, 0.5).guess
