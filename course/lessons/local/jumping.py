"""Jumping: two neighbours of a median, each with noise scaled to its local sensitivity."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Series, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.local.answers import ANSWERS
from discreet.course.lessons.local.book import PAGES
from discreet.course.lessons.local.guesses import GUESSES
from discreet.course.lessons.local.letters import LETTERS
from discreet.course.lessons.local.rivals import EPSILONS
from discreet.course.steps import Step
from discreet.ui.frame.words import number, say

LEAST, NAMED = 1e-6, 1e-3  # densities that are drawn, and where a curve has its name
BESIDE = 170  # a point beside the middle, where the name of a wide law is


def jump_controls(by: Controls) -> tuple[int, int, float]:
    """Choose how far the data are from the jump of the median, and epsilon."""
    young = by.whole("young", say("People around 40"), 1, 12, 5)
    old = by.whole("old", say("People around 80"), 1, 12, 4)
    return young, old, by.pick("epsilon", say("ε"), EPSILONS, 1.0)


def jump(settings: tuple[int, int, float], key: str) -> None:
    """Draw the results of two neighbours, each with noise scaled to its local sensitivity."""
    young, old, epsilon = settings
    pair = local.jump(young, old, epsilon)
    delta = number(pair.delta, 2)
    numbers(
        {
            say("Local sensitivity"): number(pair.sensitivities[0]),
            say("With Mia"): number(pair.sensitivities[1]),
            say("Best guess is right"): percent(pair.right),
            say("δ at this ε"): delta if pair.delta > 1e-12 else "0",
        }
    )
    words = say(
        "Densities of the noisy median with and without Mia. At ε = {epsilon}, δ is {delta}.",
        epsilon=epsilon,
        delta=delta,
    )
    _figure(pair, words, key)


def _figure(pair: local.Jump, words: str, key: str) -> None:
    """Draw both densities on a logarithmic scale."""
    first, second = (np.maximum(density, LEAST) for density in pair.densities)
    seen = np.flatnonzero(first > NAMED)  # of a narrow law, which has no height at the place of its name
    figures.lines(
        pair.x.tolist(),
        [
            Series(say("without Mia"), first.tolist(), "without", at=int(min(seen[-1], BESIDE))),
            Series(say("with Mia"), second.tolist(), "with", "dash", at=int(second.argmax())),
        ],
        (say("Result"), say("Density (logarithmic)")),
        words,
        key,
        yaxis_type="log",
        yaxis_range=[-5, 1.2],
        yaxis_exponentformat="power",
    )


JUMPING = Step(
    "jump",
    Phrase("The jump"),
    Phrase(
        "Five people are around 40, four around 80. One more around 80 moves the median from 42 "
        "to 61: local sensitivity is 19 years. With Mia as a sixth around 40, it is 0.25. So "
        "noise scaled to local sensitivity is wide without Mia, narrow with her."
    ),
    Phrase("Move *People around 40* from 12 to 1: where is the best guess right more often than ε allows?"),
    jump_controls,
    jump,
    GUESSES["jump"],
    PAGES["jump"],
    letters=LETTERS["jump"],
    answer=ANSWERS["jump"],
)
