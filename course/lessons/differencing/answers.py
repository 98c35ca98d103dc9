"""Answers of lesson 2: what one sees on trying, with numbers of the laws that release."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.course.figures import percent
from discreet.course.lessons.differencing import numbers
from discreet.course.steps import Answer
from discreet.ui.frame.words import number

BUDGET = 1.0


def _two() -> dict[str, str]:
    return {"right": percent(numbers.difference(0.1).right)}


def _named() -> dict[str, str]:
    """Three results of ε = 0.1 together have ε = 0.3, of which the best guess is right most often."""
    return {"three": percent(numbers.pointed(0.3).right, 1), "log": number(math.log(3))}


def _twenty() -> dict[str, str]:
    best = {epsilon: number(numbers.PEOPLE * numbers.pointed(epsilon).right, 3) for epsilon in (0.1, 3.0)}
    return {"coin": number(numbers.PEOPLE * numbers.COIN), "little": best[0.1], "much": best[3.0]}


def _again() -> dict[str, str]:
    """Return the margins of both averages within the budget."""
    times = {epsilon: round(BUDGET / epsilon) for epsilon in (0.1, 0.05)}
    margins = {epsilon: number(1.96 * numbers.spread(epsilon) / math.sqrt(n), 3) for epsilon, n in times.items()}
    return {"few": str(times[0.1]), "before": margins[0.1], "many": str(times[0.05]), "after": margins[0.05]}


ANSWERS = {
    "two": Answer(
        Phrase(
            "−2 proves that Mia does not smoke, 3 that she does. At ε = 0.1 the best guess is right in "
            "{right} of cases."
        ),
        _two,
    ),
    "named": Answer(
        Phrase(
            "No: a guess from all three is right in at most {three} of cases. Yes: at ε = ln 3 = {log}, "
            "e^ε / (1 + e^ε) is 3/4."
        ),
        _named,
    ),
    "twenty": Answer(
        Phrase(
            "At ε = 0.1: the best guesser gets {little} of 20 right on average, and a coin {coin}. At ε = 3 the best "
            "guesser gets {much}."
        ),
        _twenty,
    ),
    "again": Answer(
        Phrase(
            "No: with a budget of 1, {many} results have a margin of ± {after}, and {few} had ± {before}. Half "
            "of ε doubles the noise, and averaging twice as many results divides it by √2 only."
        ),
        _again,
    ),
}
