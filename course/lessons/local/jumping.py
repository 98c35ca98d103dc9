"""Jumping: two neighbours of a median, each with noise scaled to its local sensitivity."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Series
from discreet.course.lesson import numbers
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.local.book import PAGES
from discreet.course.lessons.local.guesses import GUESSES
from discreet.course.lessons.local.letters import LETTERS
from discreet.course.lessons.local.rivals import EPSILONS
from discreet.course.steps import Step
from discreet.ui.frame.words import number, say


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
            say("Local sensitivity"): number(pair.sensitivities[0], 3),
            say("With one more person"): number(pair.sensitivities[1], 3),
            say("δ at this ε"): delta if pair.delta > 1e-12 else "0",
        }
    )
    words = say(
        "Densities of the noisy median with and without one person. At ε = {epsilon}, δ is {delta}.",
        epsilon=epsilon,
        delta=delta,
    )
    _figure(pair, words, key)


def _figure(pair: local.Jump, words: str, key: str) -> None:
    """Draw both densities on a logarithmic scale."""
    first, second = (np.maximum(density, 1e-6) for density in pair.densities)
    figures.lines(
        pair.x.tolist(),
        [
            Series(say("this dataset"), first.tolist(), "smooth", at=170),
            Series(say("one more around 40"), second.tolist(), "exhibit", "dash", at=int(second.argmax())),
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
        "Five people are around 40, four around 80. One more can move the median from 42 to 61: "
        "local sensitivity is 19 years. With a sixth around 40, it is 0.25. Noise scaled to it is "
        "wide for five people, narrow for six."
    ),
    Phrase("Move *People around 40* from 12 to 1: where does δ jump? A guarantee must hold for every dataset."),
    jump_controls,
    jump,
    GUESSES["jump"],
    PAGES["jump"],
    letters=LETTERS["jump"],
)
