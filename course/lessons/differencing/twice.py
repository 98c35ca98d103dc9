"""Twice: two large queries whose difference is one person."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.controls import Controls
from discreet.course.lesson import numbers
from discreet.course.lessons.deidentification.numbers import town
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.differencing.book import PAGES
from discreet.course.lessons.differencing.guesses import GUESSES
from discreet.course.lessons.differencing.guessing import EPSILONS, chances
from discreet.course.lessons.differencing.letters import LETTERS
from discreet.course.steps import Step
from discreet.queries.bounds import FloatArray, IntArray
from discreet.ui.frame.words import say

NOISES = {"none": Phrase("None"), "even": Phrase("−1, 0 or 1"), "private": Phrase("Geometric")}


def two_controls(by: Controls) -> tuple[str, str, float]:
    """Choose the person left out, and the noise."""
    person = town().names[by.whole("person", say("Person left out (number)"), 1, 40, 7) - 1]
    noise = by.choose("noise", say("Noise on both results"), NOISES)
    return person, noise, by.pick("epsilon", say("ε per result"), EPSILONS, 0.5) if noise == "private" else 0.5


def two(settings: tuple[str, str, float], key: str) -> None:
    """Draw the possible differences of the two results."""
    person, noise, epsilon = settings
    exact = [f"{count:,}" if noise == "none" else "?" for count in differencing.exact(person)]
    guess = differencing.naive() if noise == "even" else differencing.difference(epsilon)
    right = "100%" if noise == "none" else f"{guess.right:.0%}"
    numbers(
        {
            say("Smokers among all"): exact[0],
            say("Without {person}", person=person): exact[1],
            say("Best guess is right"): right,
            say("Certain results"): "100%" if noise == "none" else f"{guess.sure:.0%}",
        }
    )
    without, within = _certain(guess.answers) if noise == "none" else (guess.without, guess.within)
    words = say(
        "Probabilities of the difference if {person} smokes and if not. The best guess is right "
        "with a chance of {right}.",
        person=person,
        right=right,
    )
    chances(guess.answers, without, within, say("First result minus second"), words, key)


def _certain(answers: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities of differences without noise: 0 or 1."""
    return (answers == 0).astype(float), (answers == 1).astype(float)


TWICE = Step(
    "two",
    Phrase("Two large queries"),
    Phrase(
        "*How many of 2,000 people smoke?* and *How many, without one of them?* Each query is "
        "harmless. Are the two together?"
    ),
    Phrase(
        "Choose the noise *−1, 0 or 1*: which differences still prove it? Next, choose "
        "*Geometric*, which is wider for a smaller ε: how close to 50%, a coin flip, does the "
        "best guess come?"
    ),
    two_controls,
    two,
    GUESSES["two"],
    PAGES["two"],
    letters=LETTERS["two"],
)
