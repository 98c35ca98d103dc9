"""Guesses of lesson 8: the cost of monitoring, of long streams, and of the local model."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.lessons.streams import numbers
from discreet.ui.session.guesses import OnFactors, OnRungs, Prediction

LENGTH = 100
YES = 0.3

GUESSES = {
    "stream": Prediction(
        Phrase(
            "Every day for 60 days, a query asks whether the count is at least 100, at ε = 0.2. "
            "What does watching cost?"
        ),
        OnRungs((0.2, 0.4, 1, 3, 6, 12)),
        lambda: float(numbers.watch(0.2, 100).cost().epsilon),
        Phrase("The whole watch costs ε once, however long it takes. A day below the threshold costs nothing more."),
    ),
    "patience": Prediction(
        Phrase(
            "100 counts have ε = 1 in total. How many times larger is the error if all are released "
            "than if you only watch?"
        ),
        OnRungs((1, 3, 10, 30, 100)),
        lambda: _dearer(),
        Phrase("A person may be in all counts, so each gets a hundredth of ε. Watching pays once."),
    ),
    "local": Prediction(
        Phrase("1,000 people, ε = 1. How many times larger is the error if no one is trusted with the answers?"),
        OnRungs((1, 2, 5, 10, 20, 50, 100)),
        lambda: numbers.surveyed(1000, round(YES * 1000), 1.0).ratio,
        Phrase(
            "A curator adds noise once; 1,000 people add it 1,000 times. The error of their sum grows "
            "with the root of 1,000."
        ),
    ),
    "people": Prediction(
        Phrase(
            "100 people trust a curator. How many people without a trusted curator give the same 95% margin, at ε = 1?"
        ),
        OnFactors(100, 100_000),
        lambda: numbers.worth(100, YES, 1.0),
        Phrase(
            "With trust the error falls like 1/n, without it like 1/√n. To reach the same error, the "
            "number must grow like n²."
        ),
    ),
    "places": Prediction(
        Phrase(
            "1,000 values, ε = 1. How many times larger is the error of the mean if each person adds "
            "noise than if the mean gets it?"
        ),
        OnRungs((1, 3, 10, 30, 100, 300)),
        lambda: numbers.error("input", 1000, 1.0) / numbers.error("output", 1000, 1.0),
        Phrase("The sum of a thousand noises is about √1,000 times as wide as one of them. Either is divided by n."),
    ),
}


def _dearer() -> float:
    slack = numbers.slack(1.0)
    at = numbers.LENGTHS.index(LENGTH)
    return float(slack.counted[at] / slack.watched[at])
