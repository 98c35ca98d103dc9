"""Guessing: what two worlds, with and without a secret, make of one answer."""

from __future__ import annotations

import numpy as np

from discreet.course import figures
from discreet.course.figures import Series
from discreet.queries.bounds import FloatArray, IntArray
from discreet.ui.frame.words import say

EPSILONS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
SHOWN, LEAST, SEEN = 25, 4, 1e-3  # answers from 0 on that are drawn at most and at least, and a chance to be seen


def chances(answers: IntArray, without: FloatArray, within: FloatArray, axis: str, words: str, key: str) -> None:
    """Draw the chances of the answers near zero if somebody does not smoke, and if they do."""
    seen = np.abs(answers[np.maximum(without, within) > SEEN]).max()
    near = np.abs(answers) <= min(max(seen, LEAST), SHOWN)
    figures.bars(
        answers[near].tolist(),
        [
            Series(say("does not smoke"), without[near].tolist(), "blocks"),
            Series(say("smokes"), within[near].tolist(), "ptr"),
        ],
        (axis, say("Chance")),
        words,
        key,
        yaxis_tickformat=".3~p",
    )
