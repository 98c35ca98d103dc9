"""Lesson 2 shows the numbers of the attack, moves with its controls, and comes back."""

from __future__ import annotations

import math

from lessons import Pupil

from discreet.lab.lessons import differencing

PAGE = "lesson_2_differencing"


def test_exact_answers_give_the_person_away_and_noise_does_not() -> None:
    """900 and 899; with noise the chance of the best guess is that of the exact law."""
    pupil = Pupil(PAGE)
    assert list(pupil.numbers().values()) == ["900", "899", "100%", "100%"]
    pupil.move("two-noise", "even")  # 3 and −2 prove it: one difference in nine
    assert pupil.numbers()["Answers that prove it"] == "11%" and pupil.numbers()["Best guess is right"] == "67%"
    pupil.move("two-noise", "private")
    right = differencing.difference(0.5).right
    assert pupil.numbers()["Best guess is right"] == f"{right:.0%}" and pupil.numbers()["Answers that prove it"] == "0%"
    pupil.reset()
    assert list(pupil.numbers().values()) == ["900", "899", "100%", "100%"]


def test_a_pointed_question_tells_at_most_what_epsilon_allows() -> None:
    """The address opens step and setting; e^eps / (1 + e^eps) is shown beside what is reached."""
    pupil = Pupil(PAGE, step="named", **{"named-epsilon": "1.0"})
    told = pupil.numbers()
    assert told["Never more than"] == f"{math.e / (1 + math.e):.1%}"
    assert told["Best guess is right"] == f"{differencing.pointed(1.0).right:.1%}"


def test_the_ledger_stops_after_as_many_answers_as_the_budget_pays() -> None:
    """A real curator is asked until it refuses."""
    pupil = Pupil(PAGE, step="again")
    assert pupil.numbers()["Answers paid for"] == "10"
    pupil.move("again-epsilon", 0.05)
    assert pupil.numbers()["Answers paid for"] == "20"
