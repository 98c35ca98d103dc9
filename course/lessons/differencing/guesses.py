"""Guesses of lesson 2: a difference, a targeted query, and an average of a thousand."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.course.lessons.deidentification.numbers import MIA, town
from discreet.course.lessons.differencing import numbers
from discreet.course.lessons.differencing.numbers import PEOPLE, twenty
from discreet.ui.session.guesses import OneOf, OnRungs, OnScale, Prediction

EPSILON = 0.5
AGAIN = 0.1
TIMES = 1000

GUESSES = {
    "two": Prediction(
        Phrase("900 of 2,000 people smoke. Without Mia it is 899. What do you know about Mia?"),
        OneOf(
            {
                "nothing": Phrase("Nothing about Mia"),
                "likely": Phrase("That Mia probably smokes"),
                "smokes": Phrase("That Mia smokes"),
            }
        ),
        lambda: _learned(),
        Phrase("Two exact results differ by Mia. Their difference reveals whether she smokes."),
    ),
    "named": Prediction(
        Phrase(
            "A count of one person is 0 or 1, equally likely, and gets noise of ε = 0.5. How "
            "often is the best guess right, in percent?"
        ),
        OnScale(50.0, 100.0, 1.0, "%"),
        lambda: 100 * numbers.pointed(EPSILON).right,
        Phrase(
            "Never more often than e^ε / (1 + e^ε), if both were equally likely before. The "
            "noise leaves the guess close to a coin flip."
        ),
    ),
    "twenty": Prediction(
        Phrase(
            "Twenty people are counted one by one with noise of ε = 0.5. How many does the best "
            "guesser get right on average?"
        ),
        OnScale(0.0, 20.0, 0.5),
        lambda: PEOPLE * twenty(EPSILON, 1).allowed,
        Phrase("A coin gets ten right. At ε = 0.5 no one averages more than 20 e^ε / (1 + e^ε), whatever the method."),
    ),
    "again": Prediction(
        Phrase(
            "A thousand results of ε = 0.1 are averaged. What is the margin of error of the average (95%), in people?"
        ),
        OnRungs((0.1, 0.3, 1, 3, 10, 30)),
        lambda: 1.96 * numbers.spread(AGAIN) / math.sqrt(TIMES),
        Phrase(
            "The standard deviation of one result is 14.1. Averaging divides it by the root of 1,000, and 95% of the "
            "averages are within 1.96 times that. It costs ε = 100."
        ),
    ),
}


def _learned() -> str:
    """State what the two exact counts reveal about the person left out."""
    everyone, others = numbers.exact(town().names[MIA])
    return "smokes" if everyone > others else "nothing"
