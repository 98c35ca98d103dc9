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
    return people, by.slider("width", say("Their ages spread over"), 0.0, 100.0, 40.0, 5.0)


def here(settings: tuple[int, float], key: str) -> None:
    """Draw how far one person can move a statistic of this dataset, and of the worst dataset."""
    moved = local.sensitivities(*settings)
    labels = [say(statistics[name].label) for name in moved]
    mine = [pair[0] for pair in moved.values()]
    worst = [pair[1] for pair in moved.values()]
    numbers(
        {say("{name}, these data", name=label): number(value, 3) for label, value in zip(labels, mine, strict=True)}
    )
    figures.bars(
        labels,
        [Series(say("on these data"), mine, "smooth"), Series(say("on the worst data"), worst, "global")],
        ("", say("Years one person can move it")),
        say(
            "Local sensitivity of mean and median on these data: {mean} and {median}; on the worst data {worst}.",
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
    Phrase("On these data"),
    Phrase(
        "Global sensitivity asks how far one person can move the answer on the **worst** "
        "data. Local sensitivity, A(0), asks it on **these** data. Ages count from 0 to "
        "100, and a person may come or go."
    ),
    Phrase("Let all ages be equal. What can one person still move, the mean or the median?"),
    local_controls,
    here,
    GUESSES["local"],
    PAGES["local"],
    letters=LETTERS["local"],
)
