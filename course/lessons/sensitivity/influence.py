"""Influence: the most that one person can move a count, a sum and a mean."""

from __future__ import annotations

from typing import Any

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series
from discreet.course.lesson import numbers
from discreet.course.lessons.sensitivity import numbers as sensitivity
from discreet.course.lessons.sensitivity.answers import ANSWERS
from discreet.course.lessons.sensitivity.book import PAGES
from discreet.course.lessons.sensitivity.guesses import GUESSES
from discreet.course.lessons.sensitivity.letters import LETTERS
from discreet.course.steps import Step
from discreet.queries import Bounds
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

INSIDE: dict[str, Any] = {"showlegend": True, "legend": {"orientation": "h", "y": 0.99, "x": 0.02}}
STATISTICS = {kind.name: Phrase(kind.label) for kind in (Count, Sum, Mean)}
UPPERS = range(60, 201, 10)
PUBLIC = 10  # the number of people, which is public under change-one


def statistics_controls(by: Controls) -> tuple[str, int, int]:
    """Choose the statistic and its bounds."""
    name = by.choose("statistic", say("Statistic"), STATISTICS, "sum")
    lower = by.whole("lower", say("Lower bound l"), -100, 50, 20, 10)
    return name, lower, by.whole("upper", say("Upper bound u"), UPPERS[0], UPPERS[-1], 100, 10)


def statistics(settings: tuple[str, int, int], key: str) -> None:
    """Draw how far one person can move the statistic, against the upper bound."""
    name, lower, upper = settings
    added, changed = (
        [sensitivity.moved(name, Bounds(lower, u, integer=True), size) for u in UPPERS] for size in (None, PUBLIC)
    )
    here = number(added[UPPERS.index(upper)]), number(changed[UPPERS.index(upper)])
    numbers(
        {
            say("Add or remove one"): here[0],
            say("Change one of {n}", n=PUBLIC): here[1],
            say("Without a bound"): say("no limit") if sensitivity.unlimited(name, lower) else here[0],
        }
    )
    words = say(
        "An added or removed person changes it by at most {added}, a changed person by at most "
        "{changed}, if the upper bound is {upper}.",
        added=here[0],
        changed=here[1],
        upper=upper,
    )
    _figure(added, changed, upper, words, key)


def _figure(added: list[float], changed: list[float], upper: int, words: str, key: str) -> None:
    """Draw both neighbour relations against the upper bound."""
    figures.lines(
        list(UPPERS),
        [
            Series(say("add or remove one"), added, "truth", at=-1),
            Series(say("change one"), changed, "quiet", "dash", at=-1),
        ],
        (say("Upper bound u"), say("Change by one person")),
        words,
        key,
        [Mark(upper, say("u = {u}", u=upper))],
        [Handle(f"{key}-upper", say("Upper bound u"), UPPERS, UPPERS, upper)],
        yaxis_range=[0, 1.3 * max(*added, *changed)],
        xaxis_dtick=20,
        **INSIDE,
    )


INFLUENCE = Step(
    "statistics",
    Phrase("Three statistics"),
    Phrase(
        "Sensitivity is the most that one person can change the result, over all datasets. If a person is "
        "added or removed, n is private. If one is changed, n = 10 is public."
    ),
    Phrase("Which of the three needs no upper bound? Set l to −100: how much can one person change the sum now?"),
    statistics_controls,
    statistics,
    GUESSES["statistics"],
    PAGES["statistics"],
    letters=LETTERS["statistics"],
    answer=ANSWERS["statistics"],
)
