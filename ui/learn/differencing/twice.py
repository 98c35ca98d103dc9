"""Twice: two large questions, whose difference is one person."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.lab.lessons import differencing
from discreet.lab.lessons.people import town
from discreet.queries.bounds import FloatArray, IntArray
from discreet.ui.frame.words import say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.differencing.asking_book import PAGES
from discreet.ui.learn.differencing.asking_guesses import GUESSES
from discreet.ui.learn.differencing.guessing import EPSILONS, chances
from discreet.ui.learn.lesson import numbers
from discreet.ui.learn.step import Step


def two_controls(by: Controls) -> tuple[str, bool, float]:
    """Choose the person who is left out, and whether there is noise."""
    person = town().names[by.whole("person", say("Who is left out (number)"), 1, 40, 7) - 1]
    noisy = by.toggle("noise", say("Add noise to both answers"))
    return person, noisy, by.pick("epsilon", say("ε of each answer"), EPSILONS, 0.5)


def two(settings: tuple[str, bool, float], key: str) -> None:
    """Draw what the difference of the two answers can be."""
    person, noisy, epsilon = settings
    everybody, others = differencing.exact(person)
    guess = differencing.difference(epsilon)
    right = f"{guess.right:.0%}" if noisy else "100%"
    numbers(
        {
            say("Smokers among all"): f"{everybody:,}" if not noisy else "?",
            say("Without {person}", person=person): f"{others:,}" if not noisy else "?",
            say("Best guess is right"): right,
        }
    )
    without, within = (guess.without, guess.within) if noisy else _certain(guess.answers)
    words = say(
        "Chances of the difference if {person} smokes and if not. The best guess is right with a chance of {right}.",
        person=person,
        right=right,
    )
    chances(guess.answers, without, within, say("First answer minus second"), words, key)


def _certain(answers: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the chances of differences without noise: they are 0 or 1 for sure."""
    return (answers == 0).astype(float), (answers == 1).astype(float)


TWICE = Step(
    "two",
    Phrase("Two large questions"),
    Phrase(
        "*How many of 2,000 people smoke?* and *How many, without one of them?* Each is "
        "harmless. Their difference is that person's secret."
    ),
    Phrase("Look at several people, then add noise: at which ε does the guess become a coin?"),
    two_controls,
    two,
    GUESSES["two"],
    PAGES["two"],
)
