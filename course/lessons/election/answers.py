"""Answers of lesson 7: what one sees on trying, with the probabilities of the mechanisms that choose."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.figures import percent
from discreet.course.lessons.differencing.numbers import law
from discreet.course.lessons.election import numbers
from discreet.course.steps import Answer
from discreet.ui.frame.words import number

MUSEUM, MORE = 1, 3
LONGER = 20
RAISED = 10.0


def _voted() -> tuple[int, ...]:
    return tuple(numbers.votes().counts.tolist())


def _election() -> dict[str, str]:
    """Return the chance of the Museum before and after it has more votes, and the noise of a vote count."""
    before = list(_voted())
    after = before.copy()
    after[MUSEUM] += MORE
    shown = {}
    for name, epsilon in (("high", 1.0), ("low", 0.01)):
        for when, votes in (("before", before), ("after", after)):
            shown[f"{name}_{when}"] = percent(float(numbers.chances(numbers.WAYS[0], tuple(votes), epsilon)[MUSEUM]))
    return shown | {"noise": number(float(law(0, 0.01).quantile(0.975)))}


def _ways() -> dict[str, str]:
    """Return how often published counts are right: one place each, every place, and a longer list."""
    lists = {"one": (_voted(), False), "all": (_voted(), True), "longer": (numbers.with_more(_voted(), LONGER), True)}
    chances = {name: numbers.chances(numbers.COUNTED, votes, 0.5, several) for name, (votes, several) in lists.items()}
    return {name: percent(numbers.right(votes, chances[name])) for name, (votes, _) in lists.items()}


def _date() -> dict[str, str]:
    noise, weight = (by(1, RAISED).pupils for by in (numbers.by_noise, numbers.by_weight))
    return {"noise": number(noise, 3), "weight": number(weight, 3)}


ANSWERS = {
    "election": Answer(
        Phrase(
            "At ε = 1: its chance rises from {high_before} to {high_after}, at 0.01 from {low_before} to {low_after}. "
            "At 0.01 the winner is a lottery: the noise of a count, ± {noise}, is far larger than any lead."
        ),
        _election,
    ),
    "ways": Answer(
        Phrase(
            "Published counts are right in {one} of cases, in {all} if pupils name every place, and in {longer} with "
            "20 more places. For the other ways only the longer list matters."
        ),
        _ways,
    ),
    "date": Answer(
        Phrase(
            "No: at ε = 10, {noise} pupils come on average, and {weight} if days are chosen by weight. It is similar "
            "in each class."
        ),
        _date,
    ),
}
