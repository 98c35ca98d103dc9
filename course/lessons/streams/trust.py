"""Trust: how many people in the local model are worth as much as a few in the central model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Distance, Mark, Series
from discreet.course.guessing import GuessPoint
from discreet.course.lesson import numbers
from discreet.course.lessons.streams import numbers as streams
from discreet.course.lessons.streams.answers import ANSWERS
from discreet.course.lessons.streams.book import PAGES
from discreet.course.lessons.streams.guesses import GUESSES
from discreet.course.lessons.streams.letters import LETTERS
from discreet.course.lessons.streams.scales import EPSILONS, LOGARITHMIC, error
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

SCALES: dict[str, Any] = {
    **LOGARITHMIC,
    "yaxis_tickformat": "~%",
    "xaxis_range": [1.95, 5.55],
    "yaxis_range": [-5.7, 0.2],
}


def people_controls(by: Controls) -> tuple[float, int]:
    """Choose epsilon, and the number of people at which the errors are read."""
    epsilon = by.pick("epsilon", say("ε of each person"), EPSILONS, 1.0)
    return epsilon, int(by.pick("people", say("People asked"), streams.PEOPLE, 100))


def people(settings: tuple[float, int], key: str) -> None:
    """Draw the errors of both models against the number of people."""
    epsilon, asked = settings
    surveys = [streams.surveyed(n, round(streams.YES * n), epsilon) for n in streams.PEOPLE]
    here = surveys[streams.PEOPLE.index(asked)]
    numbers(
        {
            say("No one trusted"): error(here.local),
            say("Curator trusted"): error(here.central),
            say("Ratio"): number(here.ratio, 3),
            say("√ of the number of people"): number(math.sqrt(asked), 3),
        }
    )
    words = say(
        "With {people} people the error is {ratio} times as large if no one is trusted.",
        people=number(asked),
        ratio=number(here.ratio, 3),
    )
    _figure(surveys, asked, POINT.marks(key, settings), words, key)


def _frame(key: str, grip: Handle) -> None:
    """Draw the error of the central model, with its value for 100 people."""
    trusted = [streams.surveyed(n, round(streams.YES * n), 1.0).central for n in streams.PEOPLE]
    series = [Series(say("curator trusted"), trusted, "global", at=0)]
    marks = [Mark(trusted[0], say("its error with 100 people"), "truth", level=True, side=1)]
    axes = (say("People asked (logarithmic)"), say("Error (logarithmic)"))
    words = say("The error with a trusted curator falls with the number of people. The other curve is not shown yet.")
    figures.lines(list(streams.PEOPLE), series, axes, words, key, marks, [grip], **SCALES)


POINT = GuessPoint(GUESSES["people"], _frame, lambda settings: settings[0] == 1.0)


def _figure(
    surveys: Sequence[streams.Surveyed], asked: int, marks: Sequence[Mark | Distance], words: str, key: str
) -> None:
    """Draw both errors for every number of people."""
    figures.lines(
        list(streams.PEOPLE),
        [
            Series(say("no one trusted"), [survey.local for survey in surveys], "local", at=-1),
            Series(say("curator trusted"), [survey.central for survey in surveys], "global", at=-1),
        ],
        (say("People asked (logarithmic)"), say("Error (logarithmic)")),
        words,
        key,
        [Mark(asked, say("{people} people", people=number(asked))), *_level(surveys, asked, marks), *marks],
        [Handle(f"{key}-people", say("People asked"), streams.PEOPLE, streams.PEOPLE, asked)],
        **figures.LISTED,
        **SCALES,
    )


def _level(surveys: Sequence[streams.Surveyed], asked: int, marks: Sequence[Mark | Distance]) -> list[Mark]:
    """Mark the error that the question asks for, while it is asked for 100 people."""
    if not marks or asked != streams.PEOPLE[0]:
        return []
    return [Mark(surveys[0].central, say("its error with 100 people"), "truth", level=True, side=1)]


TRUST = Step(
    "people",
    Phrase("What trust is worth"),
    Phrase(
        "With four times as many people, the error of a share falls to a quarter if a trusted "
        "curator adds the noise. It falls only to a half if each person adds noise."
    ),
    Phrase("How many people without a trusted curator give the same 95% margin as 300 with one?"),
    people_controls,
    people,
    GUESSES["people"],
    PAGES["people"],
    POINT,
    letters=LETTERS["people"],
    part_of="local",
    answer=ANSWERS["people"],
)
