"""Guessing: the probabilities of a result in two cases, with and without the secret."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from discreet.course import figures
from discreet.course.figures import Face, Series
from discreet.queries.bounds import FloatArray, IntArray
from discreet.ui.frame.words import say

EPSILONS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)  # between labelled probabilities
SHOWN, LEAST, SEEN = 25, 4, 1e-3  # most and fewest results drawn, from 0 on, and the smallest visible probability


def chances(
    answers: IntArray, without: FloatArray, within: FloatArray, who: Face, axis: str, words: str, key: str
) -> None:
    """Draw the probabilities of results near zero if a person does not smoke, and if they do; the person is above."""
    seen = np.abs(answers[np.maximum(without, within) > SEEN]).max()
    near = np.abs(answers) <= min(max(seen, LEAST), SHOWN)
    top = float(max(without.max(), within.max()))
    figures.bars(
        answers[near].tolist(),
        [
            Series(say("does not smoke"), without[near].tolist(), "without"),
            Series(say("smokes"), within[near].tolist(), "with"),
        ],
        (axis, say("Probability")),
        words,
        key,
        [replace(who, height=1.03 * top)],
        yaxis_range=[0, 1.5 * top],
        yaxis_tickvals=np.arange(0, top + 1e-9, next(each for each in STEPS if top / each <= 5 + 1e-9)).tolist(),
        yaxis_tickformat=".3~p",
    )
