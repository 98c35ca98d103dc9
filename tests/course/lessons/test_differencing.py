"""The numbers of lesson 2: against hand counts, closed forms and a real ledger."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.course.lessons.deidentification.numbers import PEOPLE, SMOKERS, survey, town
from discreet.course.lessons.differencing import numbers


def test_the_town_is_what_the_lesson_says() -> None:
    """2,000 names, each once, 900 smokers; leaving one out changes the count by that person."""
    people = town()
    assert len(set(people.names)) == PEOPLE and int(people.smokes.sum()) == SMOKERS
    assert not survey().protected
    for name in people.names[:50]:
        assert numbers.exact(name) == (900, 900 - people.has(name))


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 3.0])
def test_a_guess_at_one_person_reaches_the_limit_that_epsilon_sets(epsilon: float) -> None:
    """Geometric noise on a count of 0 or 1: the best guess is right e^eps / (1 + e^eps) often."""
    guess = numbers.pointed(epsilon)
    assert guess.without.sum() == pytest.approx(1, abs=1e-5)
    assert guess.right == pytest.approx(math.exp(epsilon) / (1 + math.exp(epsilon)), abs=1e-5)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0])
def test_the_difference_of_two_noisy_counts_tells_less_than_both_epsilons_allow(epsilon: float) -> None:
    """The exact law of the difference by brute force, and the limit of 2 epsilon."""
    difference = numbers.difference(epsilon)
    a = math.exp(-epsilon)
    reach = np.arange(-400, 401)
    noise = (1 - a) / (1 + a) * a ** np.abs(reach)
    for at in (-3, 0, 1, 4):
        exact = sum(noise[400 + z] * noise[400 + z - at] for z in range(-200, 201))
        (place,) = np.flatnonzero(difference.answers == at)
        assert difference.without[place] == pytest.approx(exact, rel=1e-4)
        assert difference.within[place + 1] == pytest.approx(exact, rel=1e-4)
    assert difference.right < math.exp(2 * epsilon) / (1 + math.exp(2 * epsilon))


def test_averages_close_in_on_the_truth_and_the_ledger_ends_them() -> None:
    """A thousand answers are within 4 standard errors; the real ledger pays for ten."""
    averages = numbers.averages(0.1, 1000, 5)
    assert abs(averages[-1] - 900) < 4 * numbers.spread(0.1) / math.sqrt(1000)
    assert numbers.spread(0.1) == pytest.approx(math.sqrt(2) * 10, rel=0.01)
    asked = numbers.until_refused(0.1, 1.0)
    assert len(asked.answers) == 10 and "too little" in str(asked.refusal)
