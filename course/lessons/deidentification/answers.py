"""Answers of lesson 1: what one sees on trying, computed from the same tables."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from discreet.budget import Phrase
from discreet.course.figures import percent
from discreet.course.lessons.deidentification import numbers
from discreet.course.steps import Answer
from discreet.ui.frame.words import number


def _identified(*columns: str) -> str:
    return percent(numbers.attack(columns).recognised.size / numbers.PATIENTS, 1)


def _join() -> dict[str, str]:
    return {
        "alone": _identified("birthday"),
        "before": _identified("sex", "age", "postcode"),
        "after": _identified("birthday", "age", "postcode"),
    }


@lru_cache(maxsize=1)
def _smallest() -> int:
    return int(numbers.census_sizes(("age", "sex")).min())


def _groups() -> dict[str, str]:
    return {"k": number(_smallest())}


@lru_cache(maxsize=1)
def _least_lost() -> tuple[int, int, bool]:
    """Return the table with a safe k that loses the least information, of all that can be chosen."""
    tables = product(numbers.WIDTHS, range(2, numbers.DIGITS + 1), (True, False))
    return min(
        (table for table in tables if numbers.generalised(*table).k >= numbers.SAFE),
        key=lambda table: numbers.generalised(*table).lost,
    )


def _generalise() -> dict[str, str]:
    width, digits, _ = _least_lost()
    published = numbers.generalised(*_least_lost())
    shown = {"width": number(width), "digits": number(digits), "k": number(published.k)}
    return shown | {"lost": percent(published.lost, 1)}


def _outlier() -> dict[str, str]:
    return {"age": number(numbers.OLDEST + 1), "oldest": number(numbers.OLDEST)}


ANSWERS = {
    "join": Answer(
        Phrase(
            "Day and month of birth: alone they identify {alone} of patients, every other column none. In "
            "place of the sex, they raise the share from {before} to {after}."
        ),
        _join,
    ),
    "groups": Answer(
        Phrase("In the census two, such as age and sex, with k = {k}. Any three columns make k smaller than 5."),
        _groups,
    ),
    "generalise": Answer(
        Phrase(
            "No: groups of {width} years and {digits} digits of the postcode give k = {k} with the sex. "
            "The information loss is {lost}, the smallest possible here."
        ),
        _generalise,
    ),
    "outlier": Answer(
        Phrase(
            "From {age} on: no one else is over {oldest}. One group of 60 and over costs everyone in it: their "
            "ages are published no more exactly than that."
        ),
        _outlier,
    ),
}
