"""Comparing: the probability of every result on one dataset and on its neighbour."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Face, Mark, Series, Shade, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.laplace import numbers as laplace
from discreet.course.lessons.laplace.answers import ANSWERS
from discreet.course.lessons.laplace.book import PAGES
from discreet.course.lessons.laplace.guesses import GUESSES
from discreet.course.lessons.laplace.letters import LETTERS
from discreet.course.lessons.laplace.scaling import EPSILONS
from discreet.course.steps import Step
from discreet.ui.figures.people import MIA
from discreet.ui.frame.words import number, say

SHOWN = {"chances": Phrase("Chances"), "ratio": Phrase("Their ratio"), "set": Phrase("A set of results")}
REACH = 20  # results above and below the count, between which the ends of a set are chosen
Chosen = tuple[float, str, tuple[int, int]]


def ratio_controls(by: Controls) -> Chosen:
    """Choose epsilon, what is drawn, and the ends of a set of results."""
    epsilon, shown = by.pick("epsilon", say("ε"), EPSILONS, 0.5), by.choose("show", say("Show"), SHOWN)
    if shown != "set":
        return epsilon, shown, (0, 0)
    low = by.whole("from", say("Lowest result in S, above or below the count"), -REACH, REACH, 0)
    return epsilon, shown, (low, low + by.whole("more", say("Further results in S"), 0, REACH, 3))


def ratio(settings: Chosen, key: str) -> None:
    """Draw the results of two neighbours, or how much more likely each is on one of them, or a set of them."""
    epsilon, shown, ends = settings
    truth = laplace.aged(40)
    pair = laplace.neighbours(truth, epsilon, epsilon)
    limit = float(np.exp(epsilon))
    if shown == "set":
        _set(pair, ends, limit, truth, key)
        return
    numbers({say("Largest ratio"): number(float(np.exp(pair.loss))), say("e to the power of ε"): number(limit)})
    if shown == "chances":
        _chances(pair, truth, key)
    else:
        _ratio(pair, limit, key)


def _set(pair: laplace.Neighbours, ends: tuple[int, int], limit: float, truth: int, key: str) -> None:
    """Draw the probabilities with a set of results, and compare those of the set."""
    low, high = truth + ends[0], truth + ends[1]
    within = (pair.answers >= low) & (pair.answers <= high)
    with_, without = float(pair.with_[within].sum()), float(pair.without[within].sum())
    numbers(
        {
            say("S with Mia"): percent(with_, 1),
            say("S without Mia"): percent(without, 1),
            say("Ratio"): number(with_ / without if without else math.nan, 3),
            say("e to the power of ε"): number(limit, 3),
        }
    )
    _chances(pair, truth, key, [Shade(low - 0.5, high + 0.5)])


def _chances(pair: laplace.Neighbours, truth: int, key: str, marks: Sequence[Shade] = ()) -> None:
    top = float(pair.with_.max())
    there = Face(MIA, truth, 1.03 * top, "with", shift=18)
    away = Face(MIA, truth - 1, 1.03 * top, "without", gone=True, shift=-18)
    figures.bars(
        pair.answers.tolist(),
        [
            Series(say("with Mia"), pair.with_.tolist(), "with"),
            Series(say("without Mia"), pair.without.tolist(), "without"),
        ],
        (say("Noisy result"), say("Probability")),
        say("Probabilities of every result with {n} people and without Mia, one of them.", n=truth),
        key,
        [*marks, there, away],
        yaxis_range=[0, 1.5 * top],
        yaxis_tickformat=".3~p",
        xaxis_tickformat=",",
    )


def _ratio(pair: laplace.Neighbours, limit: float, key: str) -> None:
    """Draw the ratio between the two limits that the definition sets."""
    low = number(1 / limit)
    high = number(limit)
    figures.lines(
        pair.answers.tolist(),
        [Series(say("with Mia / without"), pair.ratio.tolist(), "global", at=-1)],
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
        "Take the same query on two datasets, with and without Mia. Every result is at most e^ε "
        "times as likely on one as on the other. This is ε-differential privacy."
    ),
    Phrase(
        "Move ε: the ratio touches both limits and never passes them. Is any set S of results worse than one result?"
    ),
    ratio_controls,
    ratio,
    GUESSES["ratio"],
    PAGES["ratio"],
    letters=LETTERS["ratio"],
    answer=ANSWERS["ratio"],
)
