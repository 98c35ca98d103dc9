"""Answers of lesson 3: what one sees on trying, with numbers of the laws that release."""

from __future__ import annotations

from collections import Counter

from discreet.budget import Phrase
from discreet.course.figures import percent
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.laplace import numbers
from discreet.course.steps import Answer
from discreet.ui.frame.words import number

AGED, EPSILON = 85, 0.05


def _margin(epsilon: float) -> float:
    """Return the 95% margin of error of a count."""
    return float(differencing.law(0, epsilon).quantile(0.975))


def _drops() -> dict[str, str]:
    narrow, wide = _margin(0.5), _margin(0.1)
    return {"times": number(wide / narrow, 2), "narrow": number(narrow), "wide": number(wide)}


def _count() -> dict[str, str]:
    people, margin = numbers.aged(AGED), _margin(EPSILON)
    return {"people": number(people), "margin": number(margin), "share": percent(margin / people)}


def _choosing() -> dict[str, str]:
    """Return how many chose each unit, and what the smallest daily ε adds up to."""
    units = Counter(str(each.unit) for each in numbers.DEPLOYMENTS)
    smallest = min((each for each in numbers.DEPLOYMENTS if each.unit == numbers.DAY), key=numbers.yearly)
    of = {"days": numbers.DAY, "months": numbers.MONTH, "births": numbers.BIRTH, "persons": numbers.PERSON}
    shown = {name: str(units[str(unit)]) for name, unit in of.items()}
    return shown | {"epsilon": number(smallest.epsilon), "year": number(numbers.yearly(smallest))}


ANSWERS = {
    "drops": Answer(
        Phrase("{times} times as wide: 95% of results are within {wide} of 40, and at ε = 0.5 within {narrow}."), _drops
    ),
    "scales": Answer(Phrase("Yes: b is global sensitivity / ε, and both double it.")),
    "count": Answer(
        Phrase(
            "{people} people, with a margin of ± {margin}: {share} of the count. A result is worth its budget "
            "if its margin is small enough for the question that it answers."
        ),
        _count,
    ),
    "ratio": Answer(
        Phrase(
            "No: the probability of S is the sum over its results. Each is at most e^ε times as likely "
            "on one dataset as on the other, so their sum is, too."
        )
    ),
    "choosing": Answer(
        Phrase(
            "To a person's day: {days}; to a person's month: {months}; to a birth: {births}; to a person: {persons}. "
            "If ε = {epsilon} is charged on each day of a year, it adds up to {year}."
        ),
        _choosing,
    ),
}
