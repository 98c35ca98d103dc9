"""Twice: two large queries whose difference is one person."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.controls import Controls
from discreet.course.figures import Face, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.deidentification.numbers import MIA, town
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.differencing.answers import ANSWERS
from discreet.course.lessons.differencing.book import PAGES
from discreet.course.lessons.differencing.guesses import GUESSES
from discreet.course.lessons.differencing.guessing import EPSILONS, chances
from discreet.course.lessons.differencing.letters import LETTERS
from discreet.course.steps import Step
from discreet.queries.bounds import FloatArray, IntArray
from discreet.ui.frame.words import say

FIRST = MIA + 1
NOISES = {"none": Phrase("None"), "even": Phrase("−1, 0 or 1"), "private": Phrase("Geometric")}


def two_controls(by: Controls) -> tuple[str, str, float]:
    """Choose the noise, and without any the person left out: with noise nothing else depends on it."""
    noise = by.choose("noise", say("Noise on both results"), NOISES)
    number = by.whole("person", say("Person left out (number)"), 1, 40, FIRST) if noise == "none" else FIRST
    epsilon = by.pick("epsilon", say("ε per result"), EPSILONS, 0.5) if noise == "private" else 0.5
    return town().names[number - 1], noise, epsilon


def two(settings: tuple[str, str, float], key: str) -> None:
    """Draw the possible differences of the two results."""
    person, noise, epsilon = settings
    exact = [f"{count:,}" if noise == "none" else "?" for count in differencing.exact(person)]
    guess = differencing.naive() if noise == "even" else differencing.difference(epsilon)
    right = "100%" if noise == "none" else percent(guess.right)
    numbers(
        {
            say("Smokers among all"): exact[0],
            say("Without {person}", person=person): exact[1],
            say("Best guess is right"): right,
            say("Certain results"): "100%" if noise == "none" else percent(guess.sure),
        }
    )
    without, within = _certain(guess.answers) if noise == "none" else (guess.without, guess.within)
    words = say(
        "Probabilities of the difference if {person} smokes and if not. The best guess is right "
        "with a chance of {right}.",
        person=person,
        right=right,
    )
    chances(guess.answers, without, within, _left_out(person, noise), say("First result minus second"), words, key)


def _left_out(person: str, noise: str) -> Face:
    """Return the person left out: at the exact difference, which tells about them, or between both under noise."""
    if noise != "none":
        return Face(person, 0.5, 0, "quiet", text=f"{person}?")
    smokes = town().has(person)
    return Face(person, float(smokes), 0, "with" if smokes else "without", text=person)


def _certain(answers: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities of differences without noise: 0 or 1."""
    return (answers == 0).astype(float), (answers == 1).astype(float)


TWICE = Step(
    "two",
    Phrase("Two large queries"),
    Phrase(
        "*How many of the 2,000 people of the town of Kelumi smoke?* and *How many, without Mia?* Each query "
        "is harmless. Are the two together?"
    ),
    Phrase(
        "Choose the noise *−1, 0 or 1*: which differences still prove it? Next, choose *Geometric*. Its **ε** "
        "limits a spy: a guess that was a coin flip before is right in at most 74 of 100 cases after a result "
        "of ε = 1. How close to 50 does the best guess come at a small ε?"
    ),
    two_controls,
    two,
    GUESSES["two"],
    PAGES["two"],
    letters=LETTERS["two"],
    answer=ANSWERS["two"],
)
