"""Lesson 3 shows the widths, counts and ratios that the core computes."""

from __future__ import annotations

import math

from lessons import Pupil

from discreet.lab.lessons import laplace

PAGE = "lesson_3_laplace"


def test_the_scale_is_what_a_person_moves_over_epsilon() -> None:
    """b = 1 / 0.5 at first; 19 in 20 lie within b ln 20."""
    pupil = Pupil(PAGE)
    assert pupil.numbers()["Scale b"] == "2"
    pupil.move("scales-moved", 10.0)
    assert pupil.numbers()["Scale b"] == "20"
    assert pupil.numbers()["19 in 20 within"] == f"± {20 * math.log(20):.4g}"
    pupil.reset()
    assert pupil.numbers()["Scale b"] == "2"


def test_a_count_shows_truth_and_one_noisy_answer() -> None:
    """The address brings step, age and epsilon; the draw number brings the noise."""
    pupil = Pupil(PAGE, step="count", **{"count-age": "65", "count-epsilon": "1.0"})
    truth = laplace.aged(65)
    assert pupil.numbers()["Exact count"] == f"{truth:,}"
    first = laplace.answers(truth, 1.0, 1000, 2)[0]
    assert pupil.numbers()["Noisy answer"] == f"{int(first):,}"
    pupil.move("count-draw", 3)
    second = laplace.answers(truth, 1.0, 1000, 3)[0]
    assert pupil.numbers()["Noisy answer"] == f"{int(second):,}"


def test_the_largest_ratio_is_e_to_the_epsilon() -> None:
    """Shown as computed from the exact laws, with the limit beside it."""
    pupil = Pupil(PAGE, step="ratio")
    told = pupil.numbers()
    assert told["Largest ratio"] == told["e to the ε"] == f"{math.exp(0.5):.4g}"
    pupil.move("ratio-show", "ratio")
    pupil.move("ratio-epsilon", 1.0)
    assert pupil.numbers()["Largest ratio"] == f"{math.e:.4g}"
