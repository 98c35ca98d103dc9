"""Nearby: how far one person can move a statistic of this dataset, beside the worst case."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Series
from discreet.course.lesson import numbers
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.local.book import PAGES
from discreet.course.lessons.local.guesses import GUESSES
from discreet.course.lessons.local.letters import LETTERS
from discreet.course.steps import Step
from discreet.queries import registry as statistics
from discreet.ui.frame.words import number, say


def local_controls(by: Controls) -> tuple[int, float]:
    """Choose the number of people, and the spread of their ages."""
    people = by.whole("people", say("People"), 5, 105, 21, 4)
    return people, by.slider("width", say("Spread of the ages"), 0.0, 100.0, 40.0, 5.0)


def here(settings: tuple[int, float], key: str) -> None:
    """Draw how far one person can move a statistic of this dataset, and of the worst dataset."""
    moved = local.sensitivities(*settings)
    labels = [say(statistics[name].label) for name in moved]
    mine = [pair[0] for pair in moved.values()]
    worst = [pair[1] for pair in moved.values()]
    numbers(
        {say("{name}, this dataset", name=label): number(value, 3) for label, value in zip(labels, mine, strict=True)}
    )
    figures.bars(
        labels,
        [Series(say("in this dataset"), mine, "smooth"), Series(say("in the worst dataset"), worst, "global")],
        ("", say("Change by one person, in years")),
        say(
            "Local sensitivity of mean and median in this dataset: {mean} and {median}. In the worst dataset: {worst}.",
            mean=number(moved["mean"][0], 3),
            median=number(moved["median"][0], 3),
            worst=number(moved["median"][1], 3),
        ),
        key,
        text=".3g",
        yaxis_range=[0, 60],
    )


NEARBY = Step(
    "local",
    Phrase("In this dataset"),
    Phrase(
        "Global sensitivity is how much one person can change the result in the **worst** "
        "dataset. Local sensitivity, A(0), is how much in **this** dataset. Ages are from 0 to "
        "100. One person may be added or removed."
    ),
    Phrase("Make all ages equal. What can one person still change: the mean or the median?"),
    local_controls,
    here,
    GUESSES["local"],
    PAGES["local"],
    letters=LETTERS["local"],
)
