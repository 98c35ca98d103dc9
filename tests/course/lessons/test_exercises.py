"""What exercises and books say in numbers: by hand, from the formulas that stand beside them."""

from __future__ import annotations

import math

import pytest

from discreet.budget.accounts import zcdp_to_epsilon
from discreet.course.classroom.worksheet import EXERCISES
from discreet.course.contents import LESSONS
from discreet.course.lessons.composition import numbers
from discreet.course.lessons.differencing import numbers as twenty
from discreet.course.lessons.election import numbers as election
from discreet.course.lessons.local import numbers as smooth_tent
from discreet.course.whole_course import PARTS
from discreet.lab.explain import census_ground
from discreet.lab.textbook import delta_of
from discreet.mechanisms.base.distance_test import Threshold
from discreet.mechanisms.gaussian import gaussian_sigma
from discreet.ui.session.guesses import Prediction

HALF = math.exp(-0.5)
# words of an exercise, and its answer
BY_HAND = {
    "Each of twenty people smokes with": 15.0,
    "How often does it get 15 or more right": sum(math.comb(20, k) for k in range(15, 21)) / 2**20 * 100,
    "Which threshold T must the noisy distance reach": math.ceil(math.log(1 / (1e-6 * (1 + HALF))) / 0.5),
    "The distance D of the dataset is exactly": 100 / (1 + HALF),
    "= 9 from k = 2 on": max(1, 1 / 2, 9 / 4, 9 / 8),
    "By which factor does S grow": math.exp(1 / 3),
}


def task(words: str) -> Prediction:
    """Return the exercise that asks so."""
    (exercise,) = [each for part in PARTS for each in part.EXERCISES if words in str(each.ask)]
    return exercise


@pytest.mark.parametrize("words", BY_HAND)
def test_the_answers_to_guessing_testing_and_the_tent_are_those_by_hand(words: str) -> None:
    """A step that one plays, one that one walks and one that one climbs have questions of their own."""
    assert task(words).truth() == pytest.approx(BY_HAND[words], rel=1e-6)


def test_the_worksheet_asks_about_every_lesson_and_about_every_way_of_lesson_6() -> None:
    """Its solutions are computed, and say what the formulas say."""
    assert list(dict.fromkeys(each.lesson for each in EXERCISES)) == [each.page for each in LESSONS]
    answers = " ".join(str(each.answer()) for each in EXERCISES)
    smoothed = smooth_tent.tent(9, 4, 3)
    products = [math.exp(-k / 3) * rung for k, rung in zip(smoothed.k.tolist(), smoothed.rungs.tolist(), strict=True)]
    for said in (
        "729: no one else",
        "15 on average. A coin gets 10 right on average, and 15 or more with a chance of 2.1%",
        f"T = 27. At D = T the probability is {1 / (1 + HALF):.1%}, ten people further away it is "
        f"{1 - math.exp(-5.5) / (1 + HALF):.1%}",
        f"At k = {products.index(max(products))}: S = {max(products):.2f}",
        f"e^β = {math.exp(1 / 3):.3f} times",
        "3: (1 + 100/20) / 2",
    ):
        assert said in answers


def printed_sigma(epsilon: float, delta: float) -> float:
    """Return the notes' standard deviation of Gaussian noise for a sensitivity of 1."""
    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon


def winning(epsilon: float) -> float:
    """Return how often most votes of the sample win, in percent, if each multiplies by e^ε."""
    votes = election.votes().counts.tolist()
    return 100 * math.exp(epsilon * max(votes)) / sum(math.exp(epsilon * count) for count in votes)


def thresholds() -> tuple[float, int]:
    """Return the chapter's threshold and the proven one, with half of ε for the test."""
    delta = delta_of(census_ground("age"))
    return math.log(2 / delta) / 2, Threshold(0.5, delta).least


SAID = {  # words of a book's page, or of why something is true, and the numbers in them
    "for ρ = 1 and δ = 10⁻⁶ they give {:.2f}, the conversion used here {:.2f}. The whole curve of 50 results with "
    "Laplace noise, with ρ equal to {:.0f}, proves {:.2f}": lambda: (
        1 + 2 * math.sqrt(math.log(1e6)),
        zcdp_to_epsilon(1.0, 1e-6),
        numbers.alike(0.2, 50)[0].rho,
        numbers.alike(0.2, 50)[0].epsilon(1e-6),
    ),
    "For s = 1, ε = 0.5 and δ = 10⁻⁶ it is {:.2f}; the exact one used here is {:.2f}": lambda: (
        printed_sigma(0.5, 1e-6),
        gaussian_sigma(0.5, 1e-6),
    ),
    "With it the winner has {:.1f}%, without it {:.1f}%": lambda: (winning(0.5), winning(1.0)),
    "use half of that ε: {:.1f}%": lambda: (winning(0.5),),
    "the textbook's threshold is {:.3f}. The proven one is {}": thresholds,
    "{:.6f} in the book is 2u/(n+1)": lambda: (200 / 32_562,),
    "there A(k) is {:.0f}, and its weight is still {:.0f}%": lambda: (
        smooth_tent.tent(9, 4, 3).rungs[4],
        100 * math.exp(-4 / 3),
    ),
    "reaches 15 in {:.0f} rounds of a hundred": lambda: (100 * twenty.luck(15, 0.75),),
    "In the other direction it is {:.3f}": lambda: (0.75 * math.log(1.5) + 0.25 * math.log(0.5),),
}


@pytest.mark.parametrize("words", SAID)
def test_a_number_in_a_sentence_is_the_number(words: str) -> None:
    """Sentences are translated as they are, so their numbers stand there by hand."""
    steps = [step for part in PARTS for step in part.STEPS]
    books = [text for step in steps for text in (step.page.meaning, step.page.differs, step.prediction.why)]
    prose = " ".join(map(str, [*books, *(each.why for part in PARTS for each in part.EXERCISES)]))
    assert words.format(*SAID[words]()) in prose
