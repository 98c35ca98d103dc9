"""Scaling: the width of the noise follows from the sensitivity and epsilon."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series
from discreet.course.guessing import GuessPoint
from discreet.course.lesson import numbers
from discreet.course.lessons.laplace import numbers as laplace
from discreet.course.lessons.laplace.answers import ANSWERS
from discreet.course.lessons.laplace.book import PAGES
from discreet.course.lessons.laplace.guesses import GUESSES
from discreet.course.lessons.laplace.letters import LETTERS
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

EPSILONS = (0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
REACH = 20
TOP = 0.7  # of the axis, which is the same for every b from 1 on: a wider curve looks wider
WIDER = ((0.5, "dot"), (1.0, "solid"), (2.0, "dash"))
NOISE = np.linspace(-REACH, REACH, laplace.POINTS)


def scales_controls(by: Controls) -> tuple[float, float]:
    """Choose how far one person can move the result, and epsilon."""
    moved = by.pick("moved", say("One person changes it by"), (0.5, 1.0, 2.0, 5.0, 10.0), 1.0)
    return moved, by.pick("epsilon", say("ε"), EPSILONS, 0.5)


def scales(settings: tuple[float, float], key: str) -> None:
    """Draw the density for the chosen scale, and for half and twice of it."""
    moved, epsilon = settings
    law = laplace.noise(moved, epsilon)
    scale = number(law.scale)
    width = number(laplace.half_width(law))
    numbers(
        {
            say("Scale b"): scale,
            say("Half of all draws within"): f"± {number(laplace.half_width(law, 0.5))}",
            say("Margin of error (95%)"): f"± {width}",
        }
    )
    figures.lines(
        NOISE.tolist(),
        [_density(moved * times, epsilon, times == 1, dash) for times, dash in WIDER],
        (say("Noise"), say("Density")),
        _words(scale, width),
        key,
        POINT.marks(key, settings),
        xaxis_range=[-REACH, REACH],
        yaxis_range=[0, TOP * max(1, 1 / law.scale)],
        grips=_grips(moved, epsilon, key),
    )


def _frame(key: str, grip: Handle) -> None:
    """Draw the range of the noise with its scale, without the density."""
    marks = [Mark(2, say("b = {b}", b=2), "global")]
    words = say("An axis from {low} to {high}. No curves are shown yet.", low=-REACH, high=REACH)
    axes = (say("Noise"), say("Density"))
    figures.lines([], [], axes, words, key, marks, [grip], xaxis_range=[-REACH, REACH], yaxis_range=[0, 0.3])


POINT = GuessPoint(GUESSES["scales"], _frame, lambda settings: settings == (1.0, 0.5))


def _grips(moved: float, epsilon: float, key: str) -> list[Handle]:
    """Return the handle at the 95% margin of error, unless this is beyond the axis: dragging it chooses epsilon."""
    places = [laplace.half_width(laplace.noise(moved, each)) for each in EPSILONS]
    seen = {each: place for each, place in zip(EPSILONS, places, strict=True) if place <= REACH}
    if epsilon not in seen:
        return []
    texts = [say("95% within {width}: ε = {epsilon}", width=number(end), epsilon=number(e)) for e, end in seen.items()]
    name = say("95% limit of the noise")
    return [Handle(f"{key}-epsilon", name, list(seen), list(seen.values()), epsilon, texts)]


def _words(scale: str, width: str) -> str:
    return say(
        "Laplace densities of scale {b}, half of it and twice as much: 95% of the draws are within {width}.",
        b=scale,
        width=width,
    )


def _density(moved: float, epsilon: float, chosen: bool, dash: str) -> Series:
    """Return the density for one scale; only the chosen one is coloured and filled."""
    law = laplace.noise(moved, epsilon)
    name = say("b = {b}", b=number(law.scale))
    hue = "global" if chosen else "quiet"
    return Series(name, laplace.density(law, NOISE).tolist(), hue, dash, at=100, fill=chosen)


SCALING = Step(
    "scales",
    Phrase("The noise"),
    Phrase(
        "**Global sensitivity** is how much one person can change the result, in the worst dataset. Laplace noise has "
        "the scale b = global sensitivity / ε: every step away from 0 is less likely by the same factor."
    ),
    Phrase(
        "Halve ε to 0.25. Set it back and instead double how much a person changes the result: is "
        "it the same curve? Why?"
    ),
    scales_controls,
    scales,
    GUESSES["scales"],
    PAGES["scales"],
    POINT,
    letters=LETTERS["scales"],
    answer=ANSWERS["scales"],
)
