"""Guesses of lesson 4: a changed row, what moves a sum, the best bound, and which way leaks."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.course.lessons.sensitivity import numbers
from discreet.course.lessons.sensitivity.bounds import FIRM, PEOPLE, WAYS
from discreet.queries import Bounds
from discreet.queries.sum import Sum
from discreet.ui.session.guesses import OneOf, OnFactors, OnScale, Prediction

EPSILON = 0.1

GUESSES = {
    "distance": Prediction(
        Phrase("Somebody's age is corrected from 45 to 60. At which distance are the two datasets?"),
        OnScale(0.0, 4.0, 1.0),
        lambda: float(numbers.pair(0, 0, 60).distance),
        Phrase("A changed row is one row that goes and one that comes, however far the value moved."),
    ),
    "statistics": Prediction(
        Phrase("Values count from 20 to 100. How far can one person who comes or goes move their sum?"),
        OnScale(0.0, 150.0, 10.0),
        lambda: numbers.moved(Sum.name, Bounds(20, 100, integer=True)),
        Phrase("A whole value comes or goes: so the largest value, not u − l. Books that print u − l change a row."),
    ),
    "functions": Prediction(
        Phrase("f(x) = x², and x moves from 50 to 51. How far does f move?"),
        OnScale(0.0, 200.0, 1.0),
        lambda: numbers.moved_by_one("square", 50, 1),
        Phrase(
            "2x + 1: the further out x stands, the more. From 99 to 100 it is 199, and without a bound there is no end."
        ),
    ),
    "clipping": Prediction(
        Phrase(
            "Capital gains reach 100,000; few people have any. Which upper bound gives the best sum of 3,000 people?"
        ),
        OnFactors(100, 100_000),
        lambda: _best(),
        Phrase("Few values lie above it, so little is clipped away; each doubling of the bound doubles the noise."),
    ),
    "bounds": Prediction(
        Phrase("A bound for incomes is wanted. Which of four ways tells everybody the highest income?"),
        OneOf(WAYS),
        lambda: max(WAYS, key=_sure),
        Phrase("The maximum is somebody's income. A bound that is looked up has spent what no budget counts."),
    ),
}


def _best() -> float:
    """Return the bound with the smallest total of bias and noise."""
    curve = numbers.clipping(numbers.people("capital_gain", PEOPLE), EPSILON)
    return float(curve.bounds[int(np.argmin(curve.bias + curve.noise))])


def _sure(way: str) -> float:
    return numbers.chosen(way, FIRM, 600_000, 0.5).guess
