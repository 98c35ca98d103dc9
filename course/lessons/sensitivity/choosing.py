"""Choosing: ways to find a bound for incomes, and what each of them reveals."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Series, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.sensitivity import numbers as sensitivity
from discreet.course.lessons.sensitivity.answers import ANSWERS
from discreet.course.lessons.sensitivity.book import PAGES
from discreet.course.lessons.sensitivity.bounds import FIRM, WAYS
from discreet.course.lessons.sensitivity.guesses import GUESSES
from discreet.course.lessons.sensitivity.letters import LETTERS
from discreet.course.lessons.sensitivity.numbers import Chosen
from discreet.course.steps import Step
from discreet.ui.frame.words import number, say

EPSILONS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
SHOWN = 6  # bounds with a bar of their own; the smaller ones share one
TOPS = (350_000, 450_000, 600_000, 800_000, 990_000)


def bounds_controls(by: Controls) -> tuple[str, int, float]:
    """Choose the way to a bound, the highest income and epsilon."""
    way = by.choose("way", say("Way to choose bounds"), WAYS)
    top = int(by.pick("top", say("Mia's income, the highest"), TOPS, 600_000))
    return way, top, by.pick("epsilon", say("ε per query"), EPSILONS, 0.5)


def bounds(settings: tuple[str, int, float], key: str) -> None:
    """Draw the probabilities of the bound with and without the person who earns most."""
    way, top, epsilon = settings
    with_, without = (sensitivity.chosen(way, FIRM, income, epsilon) for income in (top, None))
    above = sensitivity.above(sensitivity.firm(FIRM, top), with_.likeliest)
    numbers(
        {
            say("Most likely bound"): number(with_.likeliest),
            say("Incomes above the bound"): str(above),
            say("Mean cost, ε") if way == "widen" else say("Cost, ε"): _cost(with_),
            say("Guess right"): f"≤ {percent(with_.guess)}" if way != "look" else "100%",
        }
    )
    words = say(
        "The bound is {bound} with a chance of {chance}. A guess whether Mia, who earns most, is "
        "in the dataset is right in at most {guess} of cases.",
        bound=number(with_.likeliest),
        chance=percent(with_.chances.max()),
        guess=percent(with_.guess),
    )
    _figure(with_, without, words, key)


def _cost(bound: Chosen) -> str:
    return number(bound.average, 3) if bound.average < np.inf else "∞"


def _figure(with_: Chosen, without: Chosen, words: str, key: str) -> None:
    """Draw the probabilities of the largest bounds, with and without the highest income."""
    labels, shares = _bars(with_, without)
    figures.bars(
        labels,
        [Series(say("with Mia"), shares[0], "with"), Series(say("without Mia"), shares[1], "without")],
        (say("Chosen upper bound"), say("Probability")),
        words,
        key,
        xaxis_type="category",
        yaxis_range=[0, 1.05],
        yaxis_tickformat=".0%",
    )


def _bars(with_: Chosen, without: Chosen) -> tuple[list[str], list[list[float]]]:
    """Return a label for each of the largest bounds, one for all others, and both probabilities."""
    points = np.union1d(with_.points, without.points)
    cut = max(points.size - SHOWN, 0)
    shares = []
    for bound in (with_, without):
        chances = np.zeros(points.size)
        chances[np.searchsorted(points, bound.points)] = bound.chances
        shares.append([*([float(chances[:cut].sum())] if cut else []), *chances[cut:].tolist()])
    labels = [number(float(point)) for point in points[cut:]]
    return [*([say("less")] if cut else []), *labels], shares


CHOOSING = Step(
    "bounds",
    Phrase("Choosing bounds"),
    Phrase(
        "A firm in Kelumi needs bounds for 500 incomes. **Look** takes the maximum. **Widen** doubles a bound "
        "until a noisy count above it is small, and pays for each look. **Sparse** does so for one ε. **Bins** "
        "ends at the last bin with a large noisy count."
    ),
    Phrase("Move Mia's income: which way of choosing reveals it? What does widening cost?"),
    bounds_controls,
    bounds,
    GUESSES["bounds"],
    PAGES["bounds"],
    letters=LETTERS["bounds"],
    answer=ANSWERS["bounds"],
)
