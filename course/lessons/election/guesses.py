"""Guesses of lesson 7: a lead of two votes, four ways to choose, and a day."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.lessons.election import numbers
from discreet.ui.session.guesses import OneOf, OnScale, Prediction

CHOICE, FLIP, NOISY, COUNTED = numbers.WAYS
WAYS = {
    CHOICE: Phrase("Exponential"),
    FLIP: Phrase("Permute-and-flip"),
    NOISY: Phrase("Noisy max"),
    COUNTED: Phrase("All noisy counts"),
}

GUESSES = {
    "election": Prediction(
        Phrase(
            "Votes are 9, 7, 6 and 3. Each vote multiplies a place's weight by e^ε, ε = 1. How often "
            "does the first win?"
        ),
        OnScale(0.0, 100.0, 1.0, "%"),
        lambda: 100 * numbers.right(_votes(), numbers.chances(CHOICE, _votes(), 1.0)),
        Phrase("A lead of two votes is a factor of e² = 7.4. Books that write exp(εu/2Δu) use half of that ε: 60.9%."),
    ),
    "ways": Prediction(
        Phrase("There are four ways to choose the winner at ε = 0.5. Which is right most often?"),
        OneOf(WAYS),
        lambda: max(WAYS, key=lambda way: numbers.right(_votes(), numbers.chances(way, _votes(), 0.5))),
        Phrase("Permute-and-flip is never worse than picking by weight, and publishes no count that is not needed."),
    ),
    "date": Prediction(
        Phrase(
            "21 of 25 pupils can come on the best day. Noise of ε = 1 is added to the day. How many come on average?"
        ),
        OnScale(0.0, 25.0, 1.0),
        lambda: numbers.by_noise(1, 1.0).pupils,
        Phrase("The day after the best one may be the worst. A number is not a good result just because it is near."),
    ),
}


def _votes() -> tuple[int, ...]:
    return tuple(numbers.votes().counts.tolist())
