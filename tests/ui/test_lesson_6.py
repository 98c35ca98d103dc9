"""Lesson 6 shows local sensitivities, the leak, the jump and the three ways as computed."""

from __future__ import annotations

from lessons import Pupil

from discreet.lab.lessons import local
from discreet.ui.frame.words import number

PAGE = "lesson_6_local_sensitivity"


def test_local_sensitivity_follows_the_data() -> None:
    """Equal ages leave the median nothing to move, the mean still something."""
    pupil = Pupil(PAGE)
    assert pupil.numbers() == {"Mean, these data": "2.27", "Median, these data": "1"}
    pupil.move("local-width", 0.0)
    told = local.sensitivities(21, 0.0)
    assert told["median"][0] == 0 < told["mean"][0]
    assert pupil.numbers()["Mean, these data"] == number(told["mean"][0], 3)
    assert pupil.numbers()["Median, these data"] == "0"
    pupil.reset()
    assert pupil.numbers()["Median, these data"] == "1"


def test_the_spy_recovers_n_from_the_noise() -> None:
    """The address brings n; the guess is the core's."""
    pupil = Pupil(PAGE, step="leak", **{"leak-people": "100"})
    guess = local.recovered(100, 0.5, 1000, 1)[-1]
    assert pupil.numbers()["True n"] == "100"
    assert pupil.numbers()["Guess, 1,000 answers"] == f"{guess:.0f}"


def test_the_jump_shows_the_exact_delta() -> None:
    """0.92 at the jump, 0 far from it."""
    pupil = Pupil(PAGE, step="jump")
    assert pupil.numbers()["δ at this ε"] == number(local.jump(5, 4, 1.0).delta, 2)
    pupil.move("jump-young", 12)
    assert pupil.numbers()["δ at this ε"] == "0"


def test_the_ways_show_their_errors_at_equal_cost() -> None:
    """As the contest of the core finds them, for median and mean."""
    pupil = Pupil(PAGE, step="ways")
    for name in ("median", "mean"):
        pupil.move("ways-statistic", name)
        told = local.ways(name, 300, 1.0)
        shown = list(pupil.numbers().values())
        assert shown == [f"± {number(way.error, 3)}" for way in told]
