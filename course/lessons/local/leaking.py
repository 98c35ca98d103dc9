"""Leaking: noise scaled to local sensitivity reveals the number of people."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series, Shade
from discreet.course.guessing import GuessPoint
from discreet.course.lesson import numbers
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.local.answers import ANSWERS
from discreet.course.lessons.local.book import PAGES
from discreet.course.lessons.local.guesses import GUESSES
from discreet.course.lessons.local.letters import LETTERS
from discreet.course.lessons.local.rivals import EPSILONS
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

PEOPLE = (10, 20, 50, 100, 300, 1000, 3000, 10_000)


def leak_controls(by: Controls) -> tuple[int, float, int]:
    """Choose the secret number of people, epsilon and a draw."""
    people = by.pick("people", say("People n (private)"), PEOPLE, 300)
    return int(people), by.pick("epsilon", say("ε per result"), EPSILONS, 0.5), by.draw()


def leak(settings: tuple[int, float, int], key: str) -> None:
    """Draw how the size of the noise reveals the number of people."""
    people, epsilon, seed = settings
    guesses = local.recovered(people, epsilon, 1000, seed)
    after = local.known_after(people)
    numbers(
        {
            say("True n"): number(people),
            say("Within 10% after"): number(after),
            say("Guess, 1,000 results"): number(round(float(guesses[-1]))),
        }
    )
    figures.lines(
        local.places(1000),
        [Series(say("guess of n"), guesses.tolist(), "exhibit", at=-1)],
        (say("Results seen (logarithmic)"), say("Guess of n")),
        say("The guess of n from the size of the noise approaches {n}.", n=people),
        key,
        [*_marks(people), *(POINT.marks(key, settings) or [Mark(after, say("within 10%"), "quiet", side=-1)])],
        xaxis_type="log",
        yaxis_range=[0, 3 * people],
    )


def _marks(people: int) -> list[Mark | Shade]:
    """Return the true n, and 10% around it: further lines would cross its name."""
    near = Shade(people * (1 - local.WITHIN), people * (1 + local.WITHIN), level=True)
    return [Mark(people, say("true n = {n}", n=number(people)), "quiet", level=True), near]


def _frame(key: str, grip: Handle) -> None:
    """Draw the true n, without any result."""
    marks = [Mark(300, say("true n = {n}", n=300), "quiet", level=True)]
    axes = (say("Results seen (logarithmic)"), say("Guess of n"))
    words = say("The true n is {n}. The attacker's guesses are not shown yet.", n=300)
    figures.lines(
        [], [], axes, words, key, marks, [grip], xaxis_type="log", xaxis_range=[1, 3.05], yaxis_range=[0, 900]
    )


POINT = GuessPoint(GUESSES["leak"], _frame, lambda settings: settings[:2] == (300, 0.5), "x", 300)


LEAKING = Step(
    "leak",
    Phrase("The noise reveals n"),
    Phrase(
        "A textbook scales the noise of a mean to u/(n+1). Here u = 100 is the largest value, and "
        "n, the number of people, is private. The spread of the noise then reveals n. An attacker "
        "sees only the results."
    ),
    Phrase("Compare n = 100 with n = 10,000: does the attacker need more results? Next, change ε."),
    leak_controls,
    leak,
    GUESSES["leak"],
    PAGES["leak"],
    POINT,
    letters=LETTERS["leak"],
    answer=ANSWERS["leak"],
)
