"""Comparing: the probability of every result on one dataset and on its neighbour."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series
from discreet.course.lesson import numbers
from discreet.course.lessons.laplace import numbers as laplace
from discreet.course.lessons.laplace.book import PAGES
from discreet.course.lessons.laplace.guesses import GUESSES
from discreet.course.lessons.laplace.letters import LETTERS
from discreet.course.lessons.laplace.scaling import EPSILONS
from discreet.course.steps import Step
from discreet.ui.frame.words import number, say

SHOWN = {"chances": Phrase("Chances"), "ratio": Phrase("Their ratio")}


def ratio_controls(by: Controls) -> tuple[float, str]:
    """Choose epsilon, and whether probabilities or their ratio are drawn."""
    return (by.pick("epsilon", say("ε"), EPSILONS, 0.5), by.choose("show", say("Show"), SHOWN))


def ratio(settings: tuple[float, str], key: str) -> None:
    """Draw the results of two neighbours, or how much more likely each is on one of them."""
    epsilon, shown = settings
    truth = laplace.aged(40)
    pair = laplace.neighbours(truth, epsilon, epsilon)
    limit = float(np.exp(epsilon))
    numbers({say("Largest ratio"): number(float(np.exp(pair.loss))), say("e to the power of ε"): number(limit)})
    if shown == "chances":
        _chances(pair, truth, key)
    else:
        _ratio(pair, limit, key)


def _chances(pair: laplace.Neighbours, truth: int, key: str) -> None:
    figures.bars(
        pair.answers.tolist(),
        [
            Series(say("with the person"), pair.with_.tolist(), "with"),
            Series(say("without"), pair.without.tolist(), "without"),
        ],
        (say("Noisy result"), say("Probability")),
        say("Probabilities of every result with {n} people and with one person fewer.", n=truth),
        key,
        yaxis_tickformat=".3~p",
        xaxis_tickformat=",",
    )


def _ratio(pair: laplace.Neighbours, limit: float, key: str) -> None:
    """Draw the ratio between the two limits that the definition sets."""
    low = number(1 / limit)
    high = number(limit)
    figures.lines(
        pair.answers.tolist(),
        [Series(say("with / without"), pair.ratio.tolist(), "global", at=-1)],
        (say("Noisy result"), say("Ratio of the probabilities (logarithmic)")),
        say("The ratio of the probabilities is always within the band from {low} to {high}.", low=low, high=high),
        key,
        [
            Mark(limit, say("e^ε = {x}", x=high), "quiet", level=True),
            Mark(1 / limit, say("e^−ε = {x}", x=low), "quiet", level=True),
        ],
        yaxis_type="log",
        yaxis_range=[-1.4, 1.4],
        xaxis_tickformat=",",
    )


COMPARING = Step(
    "ratio",
    Phrase("Two neighbouring datasets"),
    Phrase(
        "Take the same query on two datasets that differ by one person. Every result is at most "
        "e^ε times as likely on one as on the other. This is ε-differential privacy."
    ),
    Phrase("Show the ratio and move ε: it touches both limits and never passes them."),
    ratio_controls,
    ratio,
    GUESSES["ratio"],
    PAGES["ratio"],
    letters=LETTERS["ratio"],
)
