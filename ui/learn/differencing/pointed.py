"""Pointed: a count of one person, hidden by the same noise as any other."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.lab.lessons import differencing
from discreet.ui.frame.words import say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.differencing.asking_book import PAGES
from discreet.ui.learn.differencing.asking_guesses import GUESSES
from discreet.ui.learn.differencing.asking_letters import LETTERS
from discreet.ui.learn.differencing.guessing import chances
from discreet.ui.learn.lesson import numbers
from discreet.ui.learn.step import Step


def named_controls(by: Controls) -> float:
    """Choose how much one pointed question may tell."""
    return by.slider("epsilon", say("ε of the answer"), 0.05, 3.0, 0.5, 0.05)


def named(epsilon: float, key: str) -> None:
    """Draw the answers of a count of one person."""
    guess = differencing.pointed(epsilon)
    right = f"{guess.right:.1%}"
    numbers(
        {
            say("Exact answer"): say("0 or 1"),
            say("Best guess is right"): right,
            say("Never more than"): f"{float(np.exp(epsilon) / (1 + np.exp(epsilon))):.1%}",
        }
    )
    words = say(
        "Chances of the noisy count of one person who smokes or not; a guess is right with a chance of {right}.",
        right=right,
    )
    chances(guess.answers, guess.without, guess.within, say("Noisy count of one person"), words, key)


POINTED = Step(
    "named",
    Phrase("One pointed question"),
    Phrase(
        "*How many people with this name smoke?* is 0 or 1. The same noise that hides "
        "anybody in a large count hides them here: nobody has to forbid the question. "
        "ε sets it: a smaller ε means more noise."
    ),
    Phrase("Find the ε at which a guess is right three times in four. Is it ln 3, about 1.1?"),
    named_controls,
    named,
    GUESSES["named"],
    PAGES["named"],
    letters=LETTERS["named"],
)
