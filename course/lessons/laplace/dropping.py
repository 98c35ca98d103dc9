"""Dropping: noisy results of one count fall one by one; how wide the noise is, the next step asks."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.controls import Controls
from discreet.course.figures import percent
from discreet.course.lesson import numbers
from discreet.course.lessons.laplace import numbers as laplace
from discreet.course.lessons.laplace.answers import ANSWERS
from discreet.course.lessons.laplace.book import PAGES
from discreet.course.lessons.laplace.guesses import FEW, GUESSES
from discreet.course.lessons.laplace.letters import LETTERS
from discreet.course.lessons.laplace.scaling import EPSILONS
from discreet.course.steps import Step
from discreet.ui.figures.falling import falling
from discreet.ui.frame.words import say

DRAWS = 1000
FIRST = 20
REACH = 20.5  # the figure keeps its scale, so that a smaller ε is seen as wider noise


def drops_controls(by: Controls) -> tuple[float, int]:
    """Choose epsilon, and a draw."""
    return by.pick("epsilon", say("ε"), EPSILONS, 0.5), by.draw()


def drops(settings: tuple[float, int], key: str) -> None:
    """Show noisy results of a count of 40 as they fall."""
    epsilon, seed = settings
    answers = laplace.answers(FEW, epsilon, DRAWS, seed)
    exact = laplace.within(epsilon, 0)
    near = laplace.within(epsilon, 2)
    numbers(
        {
            say("Exact count"): str(FEW),
            say("Results that are exact"): percent(exact, 1),
            say("At most 2 away"): percent(near),
        }
    )
    words = say("Noisy results around the exact count.")
    falling(answers, (FEW - REACH, FEW + REACH), FEW, say("Noisy result"), words, key, FIRST)


DROPPING = Step(
    "drops",
    Phrase("Noise falls"),
    Phrase(
        "40 people of Kelumi, the town of the first lesson, are ill. Each time the count is released, new "
        "noise is drawn. Small noise is more likely than large noise, and both directions are equally likely."
    ),
    Phrase("Add a few hundred results. Next, choose ε = 0.1: how much wider does the pile get?"),
    drops_controls,
    drops,
    GUESSES["drops"],
    PAGES["drops"],
    letters=LETTERS["drops"],
    answer=ANSWERS["drops"],
)
