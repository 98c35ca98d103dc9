"""What a guess can gain, as sentences say it, against the best guess between two exact distributions."""

from __future__ import annotations

import math
import re

import pytest

from discreet.budget import Cost, Phrase
from discreet.report.risk import best_guess, guesses

UNIT = Phrase("a person")
RESULT = Phrase("the result")
FAR = 400  # the geometric distribution ends in fact before that


def right(epsilon: float, apart: int) -> float:
    """Return how often the best guess between two counts is right that are some people apart: geometric noise."""
    step = math.exp(-epsilon)

    def chance(at: int) -> float:
        return (1 - step) / (1 + step) * step ** abs(at)

    return sum(max(chance(at), chance(at - apart)) for at in range(-FAR, FAR)) / 2


def figures(cost: Cost, change_one: bool = False) -> list[int]:
    """Return the cases of 100 that the sentences name."""
    return [int(re.findall(r"at most (\d+) of 100", line)[0]) for line in guesses(cost, UNIT, RESULT, change_one)]


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0])
def test_no_guess_does_better_than_the_sentences_say(epsilon: float) -> None:
    """Membership is one change of the dataset, the values of a member are two; one of them says too little for two."""
    membership, values = figures(Cost.of(epsilon))
    assert 100 * right(epsilon, 1) <= membership < 100 * right(epsilon, 1) + 1
    assert 100 * right(epsilon, 2) <= values
    assert 100 * right(epsilon, 2) > membership  # a broken twin: the first figure for the second sentence


def test_where_the_number_of_rows_is_public_only_values_are_protected() -> None:
    """They are one change apart there, and nothing is said of membership."""
    (line,) = guesses(Cost.of("0.5"), UNIT, RESULT, change_one=True)
    assert figures(Cost.of("0.5"), change_one=True) == [63] and "whether" not in line and "values of a person" in line


def test_delta_is_within_the_figures() -> None:
    """With chance delta everything is shown: the guess gains by no more than that is worth."""
    cost = Cost.of(1, "0.1")
    assert figures(cost)[0] == math.ceil(100 * best_guess(cost)) > math.ceil(100 * best_guess(Cost.of(1)))
