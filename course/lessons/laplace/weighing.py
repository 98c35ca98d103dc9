"""Weighing: the ε that others have chosen, and how good a guess can be at each."""

from __future__ import annotations

import math
import re

import numpy as np

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series, percent
from discreet.course.lesson import numbers, table
from discreet.course.lessons.laplace import numbers as laplace
from discreet.course.lessons.laplace.answers import ANSWERS
from discreet.course.lessons.laplace.book import PAGES
from discreet.course.lessons.laplace.guesses import GUESSES
from discreet.course.lessons.laplace.letters import LETTERS
from discreet.course.lessons.laplace.numbers import DEPLOYMENTS
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

CURVE = np.geomspace(0.01, 34.9, 200)
CHOICES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 1.68, 2.19, 4.0, 9.98, 12.2, 34.9)
USUAL = (0.01, 0.1)  # which a book calls usual


def chosen_controls(by: Controls) -> float:
    """Choose epsilon."""
    return by.pick("epsilon", say("Your ε"), CHOICES, 1.0)


def chosen(epsilon: float, key: str) -> None:
    """Draw the best guess against epsilon, with the choices of others."""
    right = laplace.right(epsilon)
    smaller = sum(each.epsilon < epsilon for each in DEPLOYMENTS)
    numbers(
        {
            say("e to the power of ε"): number(math.exp(epsilon), 3),
            say("Best guess is right at most"): percent(right, 1),
            say("Chose a smaller ε than yours"): say("{n} of {all}", n=smaller, all=len(DEPLOYMENTS)),
        }
    )
    _figure(epsilon, _words(epsilon, right), key)
    _registry()


def _figure(epsilon: float, words: str, key: str) -> None:
    """Draw the curve of the best guess, with a line for every choice."""
    figures.lines(
        CURVE.tolist(),
        [Series(say("best guess"), [laplace.right(each) for each in CURVE], "global", at=50)],
        (say("ε (logarithmic)"), say("Chance of a right guess, at most")),
        words,
        key,
        [Mark(epsilon, say("your ε"), "truth"), *_others()],
        grips=[Handle(f"{key}-epsilon", say("Your ε"), CHOICES, CHOICES, epsilon)],
        xaxis_type="log",
        xaxis_range=[-2.2, 1.65],
        yaxis_range=[0.45, 1.03],
        yaxis_tickformat=".0%",
    )


def _others() -> list[Mark]:
    """Return a line for every ε that was chosen, with the names of who chose it."""
    by_epsilon: dict[float, list[str]] = {each: [say("usual in a book")] for each in USUAL}
    for each in DEPLOYMENTS:
        by_epsilon.setdefault(each.epsilon, []).append(re.split("[:：]", say(each.name))[0])
    return [Mark(at, ", ".join(dict.fromkeys(names)), upright=True) for at, names in by_epsilon.items()]


def _words(epsilon: float, right: float) -> str:
    chance = percent(right, 1)
    return say(
        "At ε = {epsilon} a guess is right with a chance of at most {right}.", epsilon=number(epsilon), right=chance
    )


def _registry() -> None:
    """Offer the table of others' choices, with year, unit and source."""
    table(
        {
            say("Deployment"): [say(each.name) for each in DEPLOYMENTS],
            say("Year"): [str(each.year) for each in DEPLOYMENTS],
            "ε": [number(each.epsilon) for each in DEPLOYMENTS],
            "δ": [number(each.delta, 2) if each.delta else "–" for each in DEPLOYMENTS],
            say("ε applies to"): [say(each.unit) for each in DEPLOYMENTS],
            say("Total per year"): [number(laplace.yearly(each)) for each in DEPLOYMENTS],
            say("Source"): [each.source for each in DEPLOYMENTS],
        }
    )


DECIDING = Step(
    "choosing",
    Phrase("Choosing ε"),
    Phrase(
        "No formula gives the right ε. Small values are safe: near 0.1 a guess is hardly better "
        "than a coin flip. From 3 on, it can be right in more than 95% of cases. Dotted lines show "
        "values used in practice; the table gives their sources."
    ),
    Phrase("Move ε over the dotted lines, then read the table: what does each ε apply to, a day or a life?"),
    chosen_controls,
    chosen,
    GUESSES["choosing"],
    PAGES["choosing"],
    letters=LETTERS["choosing"],
    answer=ANSWERS["choosing"],
)
