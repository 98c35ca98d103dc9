"""Rounding: a result that is rounded afterwards reveals no more than before."""

from __future__ import annotations

from discreet.course import figures
from discreet.course.figures import Series
from discreet.course.lesson import numbers
from discreet.course.lessons.composition import numbers as composition
from discreet.course.lessons.composition.numbers import PEOPLE
from discreet.ui.frame.words import number, say


def rounded(epsilon: float, unit: int, key: str) -> None:
    """Draw the probabilities of a rounded count on two neighbours."""
    after = composition.afterwards(epsilon, unit)
    numbers(
        {
            say("Loss of the result"): number(after.loss_before),
            say("Loss after rounding"): number(after.loss_after),
            say("δ at ε/2"): number(after.delta_before, 3),
            say("δ at ε/2, rounded"): number(after.delta_after, 3),
        }
    )
    words = say(
        "Probabilities of a count rounded to multiples of {unit}, with and without Mia. The loss is {loss}.",
        unit=unit,
        loss=number(after.loss_after),
    )
    _figure(after, words, key)


def _figure(after: composition.Afterwards, words: str, key: str) -> None:
    """Draw the rounded results with and without the person."""
    figures.bars(
        after.answers.tolist(),
        [
            Series(say("with Mia"), after.with_.tolist(), "with"),
            Series(say("without Mia"), after.without.tolist(), "without"),
        ],
        (say("Rounded noisy count"), say("Probability")),
        words,
        key,
        yaxis_tickformat=".0%",
        xaxis_range=[PEOPLE - 45, PEOPLE + 45],
    )
