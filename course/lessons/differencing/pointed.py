"""Pointed: a count of one person, protected by as much noise as any other count."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.course.controls import Controls
from discreet.course.figures import Face, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.deidentification.numbers import MIA, town
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.differencing.answers import ANSWERS
from discreet.course.lessons.differencing.book import PAGES
from discreet.course.lessons.differencing.guesses import GUESSES
from discreet.course.lessons.differencing.guessing import chances
from discreet.course.lessons.differencing.letters import LETTERS
from discreet.course.steps import Step
from discreet.ui.frame.words import say

SEEN = 3  # results of one repeated query, as in the notes


def named_controls(by: Controls) -> tuple[float, int]:
    """Choose the epsilon of one targeted query, and a draw of its results."""
    return by.slider("epsilon", say("ε of the result"), 0.05, 3.0, 0.5, 0.05), by.draw()


def named(settings: tuple[float, int], key: str) -> None:
    """Draw the results of a count of one person, and show three of them."""
    epsilon, seed = settings
    guess = differencing.pointed(epsilon)
    answers = differencing.asked(town().names[MIA], epsilon, SEEN, seed)
    right = percent(guess.right, 1)
    numbers(
        {
            say("Exact result"): say("0 or 1"),
            say("Three results"): ", ".join(f"{answer}".replace("-", "−") for answer in answers),
            say("Best guess is right"): right,
            say("Never more than"): percent(float(np.exp(epsilon) / (1 + np.exp(epsilon))), 1),
        }
    )
    words = say(
        "Probabilities of the noisy count of one person who smokes or not. A guess is right with a chance of {right}.",
        right=right,
    )
    mia = town().names[MIA]
    face = Face(mia, 0.5, 0, "quiet", text=f"{mia}?")
    chances(guess.answers, guess.without, guess.within, face, say("Noisy count of one person"), words, key)


POINTED = Step(
    "named",
    Phrase("A query about one person"),
    Phrase(
        "*How many people named Mia Nosado smoke?* is 0 or 1. The noise that hides her in a large "
        "count hides her here, too. No one has to forbid the query. ε sets the noise: a smaller ε "
        "means more noise."
    ),
    Phrase(
        "Do three results at ε = 0.1 show whether it is 0 or 1? Find the ε at which a guess is "
        "right three times in four. Is it ln 3, about 1.1?"
    ),
    named_controls,
    named,
    GUESSES["named"],
    PAGES["named"],
    letters=LETTERS["named"],
    answer=ANSWERS["named"],
)
