"""Publishing: the catastrophe that a δ allows, day by day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Distance, Mark, Series, percent
from discreet.course.guessing import GuessPoint
from discreet.course.lesson import numbers
from discreet.course.lessons.mistakes import book, guesses, letters
from discreet.course.lessons.mistakes import numbers as mistakes
from discreet.course.lessons.mistakes.answers import ANSWERS
from discreet.course.lessons.mistakes.numbers import DAYS
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

CHANCES: dict[str, Any] = {
    "xaxis_type": "log",
    "xaxis_dtick": 1,
    "xaxis_range": [0, 4.05],
    "yaxis_range": [0, 1.05],
    "yaxis_tickformat": ".0%",
}
DELTAS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)


def catastrophe_controls(by: Controls) -> tuple[float, int, int]:
    """Choose delta, the number of days, and a draw."""
    left, right = st.columns(2)
    with left:
        delta = by.pick("delta", say("δ of each day"), DELTAS, 1e-3)
    with right:
        days = int(by.pick("days", say("Days"), DAYS, 365))
    return delta, days, by.draw()


def published(settings: tuple[float, int, int], key: str) -> None:
    """Draw the probability that everything is public, against the days."""
    delta, days, seed = settings
    chance = mistakes.public_by(delta, days)
    (fatal,) = mistakes.fatal_days(delta, 1, seed)
    numbers(
        {
            say("Public by then"): percent(chance, 2),
            say("More likely than not from day"): number(mistakes.likelier_than_not(delta)),
            say("In this run, day"): number(fatal),
        }
    )
    _figure(delta, days, percent(chance, 1), POINT.marks(key, settings), key)


def _frame(key: str, grip: Handle) -> None:
    """Draw the days, with the year of the question."""
    marks = [Mark(365, say("day {days}", days=365), "truth")]
    words = say("Days from 1 to 10,000. No chances are shown yet.")
    figures.lines([], [], (say("Days (logarithmic)"), say("Probability")), words, key, marks, [grip], **CHANCES)


POINT = GuessPoint(guesses.OF_CATASTROPHE, _frame, lambda settings: settings[0] == 1e-3, "y", mistakes.YEAR, 0.01)


def _figure(delta: float, days: int, chance: str, marks: Sequence[Mark | Distance], key: str) -> None:
    """Draw the probability of every day."""
    figures.lines(
        list(DAYS),
        [Series(say("everything is public"), [mistakes.public_by(delta, day) for day in DAYS], "exhibit", at=-1)],
        (say("Days (logarithmic)"), say("Probability")),
        say("By day {days}, all rows have been published with a chance of {chance}.", days=days, chance=chance),
        key,
        [Mark(days, say("day {days}", days=number(days)), "truth"), *marks],
        [Handle(f"{key}-days", say("Days"), DAYS, DAYS, days)],
        **CHANCES,
    )


CATASTROPHE = Step(
    "catastrophe",
    Phrase("The catastrophe"),
    Phrase(
        "Each day this mechanism publishes all rows with probability δ, and otherwise nothing. It "
        "is (0, δ)-differentially private: the definition allows it. δ is therefore not the "
        "probability that ε is a little too small."
    ),
    Phrase("Which δ makes this unlikely within ten years? Compare it with 1/n for 32,561 people."),
    catastrophe_controls,
    published,
    guesses.OF_CATASTROPHE,
    book.OF_CATASTROPHE,
    POINT,
    letters=letters.OF_CATASTROPHE,
    answer=ANSWERS["catastrophe"],
)
