"""Lesson 4 shows distances, sensitivities, both errors of clipping, and what a bound costs."""

from __future__ import annotations

import math

import numpy as np
from support.lessons import Pupil

from discreet.course.lessons.sensitivity import numbers
from discreet.course.lessons.sensitivity.bounds import PEOPLE
from discreet.course.lessons.sensitivity.guesses import EPSILON, GUESSES

PAGE = "lesson_4_sensitivity"


def test_a_change_is_distance_two_wherever_the_age_goes() -> None:
    """One row goes and one comes; with a row removed too, they are no neighbours any more."""
    pupil = Pupil(PAGE)
    assert list(pupil.numbers().values()) == ["1", "1", "2", "change one"]
    pupil.move("distance-age", 75)
    assert list(pupil.numbers().values()) == ["1", "1", "2", "change one"]
    pupil.move("distance-removed", 1)
    assert list(pupil.numbers().values()) == ["2", "1", "3", "neither"]
    pupil.move("distance-age", 45)
    assert list(pupil.numbers().values()) == ["1", "0", "1", "add/remove"]
    pupil.reset()
    assert list(pupil.numbers().values()) == ["1", "1", "2", "change one"]


def test_three_statistics_feel_one_person_as_the_formulas_say() -> None:
    """The address opens statistic and bounds; sum, mean and count each have their own."""
    pupil = Pupil(PAGE, step="statistics", **{"statistics-upper": "150"})
    assert list(pupil.numbers().values()) == ["150", "130", "no limit"]
    pupil.move("statistics-lower", -100)
    assert list(pupil.numbers().values()) == ["150", "250", "no limit"]
    pupil.move("statistics-statistic", "mean")
    assert list(pupil.numbers().values()) == ["125", "25", "no limit"]
    pupil.move("statistics-statistic", "count")
    assert list(pupil.numbers().values()) == ["1", "0", "1"]


def test_clipping_shows_bias_and_noise_as_shares_of_the_sum() -> None:
    """Each column keeps a bound of its own; a lower one loses more and needs less noise."""
    pupil = Pupil(PAGE, step="clipping")
    for column, control, upper in (
        ("capital_gain", "clipping-upper-capital_gain", 3000),
        ("age", "clipping-upper-age", 40),
    ):
        pupil.move("clipping-column", column)
        pupil.move(control, upper)
        values = numbers.people(column, 3000).values()
        bias = np.maximum(values - upper, 0).sum() / values.sum()
        noise = upper / 0.1 * math.log(20) / values.sum()
        shown = list(pupil.numbers().values())
        assert shown[:3] == [f"{bias:.1%}", f"± {noise:.1%}", f"{bias + noise:.1%}"]


def test_at_the_best_bound_neither_error_is_small() -> None:
    """As the answer says: each is a good part of the sum."""
    assert "neither is small" in GUESSES["clipping"].why
    rows = numbers.people("capital_gain", PEOPLE)
    best = numbers.clipped(rows, EPSILON, int(GUESSES["clipping"].answer))
    assert min(best.bias, best.noise) > 0.15


def test_looking_tells_the_income_and_widening_pays_for_every_look() -> None:
    """The maximum follows the person; widening costs several epsilon, the private ways one."""
    pupil = Pupil(PAGE, step="bounds", **{"bounds-top": "800000"})
    assert list(pupil.numbers().values()) == ["800,000", "0", "∞", "100%"]
    pupil.move("bounds-way", "widen")
    widening = numbers.chosen("widen", 500, 800_000, 0.5)
    assert pupil.numbers()["Mean cost, ε"] == f"{widening.average:.3g}" == "2.49"
    assert pupil.numbers()["Guess right"] == f"≤ {math.exp(3) / (1 + math.exp(3)):.0%}"
    for way, bound, above in (("private-upper-bound", "250,000", "1"), ("histogram-bounds", "131,072", "14")):
        pupil.move("bounds-way", way)
        assert list(pupil.numbers().values()) == [bound, above, "0.5", "≤ 62%"]
    pupil.move("bounds-epsilon", 1.0)
    assert pupil.numbers()["Cost, ε"] == "1" and pupil.numbers()["Guess right"] == "≤ 73%"


def test_a_mean_costs_its_sum_and_its_count() -> None:
    """ε is shared between them; more for the sum is better, too much is not."""
    pupil = Pupil(PAGE, step="mean")
    assert [pupil.numbers()[f"ε of the {part}"] for part in ("sum", "count", "mean")] == ["0.5", "0.5", "1"]
    errors = {}
    for share in (50, 65, 90):
        pupil.move("mean-share", share)
        errors[share] = float(pupil.numbers()["Margin of error (95%)"].removeprefix("± "))
    assert errors[65] < errors[50] < errors[90]
