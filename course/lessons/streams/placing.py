"""Placing: noise in the input, the objective, the optimiser or the output of one mean, at equal cost."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.lesson import numbers
from discreet.course.lessons.streams import numbers as streams
from discreet.course.lessons.streams.answers import ANSWERS
from discreet.course.lessons.streams.book import PAGES
from discreet.course.lessons.streams.guesses import GUESSES
from discreet.course.lessons.streams.letters import LETTERS
from discreet.course.steps import Step
from discreet.ui.frame.words import number, say

NAMES = {
    "input": Phrase("Input"),
    "objective": Phrase("Objective"),
    "optimiser": Phrase("Optimiser"),
    "output": Phrase("Output"),
}


def places_controls(by: Controls) -> tuple[int, float, int]:
    """Choose the number of people, epsilon, and the steps of the optimiser."""
    people = int(by.pick("people", say("People n"), (30, 100, 300, 1000, 3000), 1000))
    epsilon = by.pick("epsilon", say("Total ε"), (0.1, 0.2, 0.5, 1.0, 2.0, 5.0), 1.0)
    return people, epsilon, by.whole("steps", say("Steps of the optimiser"), 1, 30, 10)


def placed(settings: tuple[int, float, int], key: str) -> None:
    """Draw the error of each place."""
    errors = {place: streams.error(place, *settings) for place in NAMES}
    numbers({say(NAMES[place]): f"± {number(error, 2)}" for place, error in errors.items()})
    figures.dots(
        [say(name) for name in NAMES.values()],
        list(errors.values()),
        ["global" if name == "output" else "quiet" for name in NAMES],
        (say("Margin of error (95%, logarithmic)"), ""),
        say(
            "At the same ε the mean is off by {input} with noise in the input, {output} in the output.",
            input=number(errors["input"], 2),
            output=number(errors["output"], 2),
        ),
        key,
        xaxis_type="log",
        xaxis_dtick=1,
        xaxis_tickformat=".4~g",
        xaxis_range=[-4.2, 1.2],
    )


PLACING = Step(
    "places",
    Phrase("Four places for noise"),
    Phrase(
        "n is public. The mean of n values from 0 to 1 minimises the sum of squared distances to "
        "them. **Input**: each person adds noise. **Objective**: noise tilts that sum. "
        "**Optimiser**: each step towards its minimum is noisy. **Output**: the mean gets noise."
    ),
    Phrase("How many steps are best? Next, raise n from 100 to 1,000: how does each error change?"),
    places_controls,
    placed,
    GUESSES["places"],
    PAGES["places"],
    letters=LETTERS["places"],
    answer=ANSWERS["places"],
)
