"""Lesson 3 shows the widths, counts and ratios that the core computes."""

from __future__ import annotations

import json
import math

from support.lessons import Pupil

from discreet.course.lessons.laplace import numbers as laplace
from discreet.course.lessons.laplace.numbers import DEPLOYMENTS
from discreet.course.lessons.laplace.weighing import USUAL
from discreet.ui.figures.theme import TOP

PAGE = "lesson_3_laplace"


def test_the_scale_is_what_a_person_moves_over_epsilon() -> None:
    """b = 1 / 0.5 at first; 19 in 20 lie within b ln 20."""
    pupil = Pupil(PAGE, step="scales")
    assert pupil.numbers()["Scale b"] == "2"
    pupil.move("scales-moved", 10.0)
    assert pupil.numbers()["Scale b"] == "20"
    assert pupil.numbers()["Margin of error (95%)"] == f"± {20 * math.log(20):.4g}"
    assert height(pupil) == 0.7 and not grips(pupil)  # 59.91 is beyond the axis, so nothing stands at its end
    pupil.reset()
    assert pupil.numbers()["Scale b"] == "2" and height(pupil) == 0.7 and grips(pupil)
    pupil.move("scales-epsilon", 2.0)
    assert height(pupil) == 1.4  # a narrow curve is not cut


def height(pupil: Pupil) -> float:
    """Return the end of the axis of densities: a wider curve looks wider on the same axis."""
    layout = json.loads(pupil.app.get("plotly_chart")[0].proto.spec)["layout"]
    return float(layout["yaxis"]["range"][1])


def grips(pupil: Pupil) -> bool:
    """Whether a handle is on the figure."""
    return any(caption.value.startswith("Drag the points") for caption in pupil.app.caption)


def test_a_count_shows_truth_and_one_noisy_answer() -> None:
    """The address brings step, age and epsilon; the draw number brings the noise."""
    pupil = Pupil(PAGE, step="count", **{"count-age": "65", "count-epsilon": "1.0"})
    truth = laplace.aged(65)
    assert pupil.numbers()["Exact count"] == f"{truth:,}"
    first = laplace.answers(truth, 1.0, 1000, 2)[0]
    assert first != truth  # the first draw that a class sees has noise in it
    assert pupil.numbers()["Noisy result"] == f"{int(first):,}"
    pupil.move("count-draw", 3)
    second = laplace.answers(truth, 1.0, 1000, 3)[0]
    assert pupil.numbers()["Noisy result"] == f"{int(second):,}"


def test_the_largest_ratio_is_e_to_the_epsilon() -> None:
    """Shown as computed from the exact laws, with the limit beside it."""
    pupil = Pupil(PAGE, step="ratio")
    numbers = pupil.numbers()
    assert numbers["Largest ratio"] == numbers["e to the power of ε"] == f"{math.exp(0.5):.4g}"
    pupil.move("ratio-show", "ratio")
    pupil.move("ratio-epsilon", 1.0)
    assert pupil.numbers()["Largest ratio"] == f"{math.e:.4g}"


def test_no_epsilon_makes_a_guess_certain_and_every_choice_has_a_line() -> None:
    """At 34.9 a guess is all but sure, and is not said to be; lines without a name take no room above the figure."""
    pupil = Pupil(PAGE, step="choosing", **{"choosing-epsilon": "34.9"})
    assert pupil.numbers()["Best guess is right at most"] == "> 99.999%"
    pupil.move("choosing-epsilon", 1.0)
    assert pupil.numbers()["Best guess is right at most"] == f"{100 / (1 + math.exp(-1)):.3g}%"
    (chart,) = pupil.app.get("plotly_chart")
    layout = json.loads(chart.proto.spec)["layout"]
    shown = {*(each.epsilon for each in DEPLOYMENTS), *USUAL}
    assert len(layout["shapes"]) == 1 + len(shown)
    notes = [note["text"] for note in layout["annotations"]]
    assert notes[:1] == ["best guess"] and "your ε" in notes and layout["margin"]["t"] == TOP
    assert len(notes) == 2 + len(shown) and notes.count("usual in a book") == 2  # each line has its name


def test_no_set_of_results_has_a_larger_ratio_than_one_result() -> None:
    """From the count on, every result is e^ε times as likely with the person; a set across it is less so."""
    pupil = Pupil(PAGE, step="ratio", **{"ratio-show": "set"})
    a = math.exp(-0.5)
    shown = pupil.numbers()
    assert shown["S with Mia"] == f"{(1 - a**4) / (1 + a):.1%}"
    assert shown["Ratio"] == shown["e to the power of ε"] == "1.65"
    pupil.move("ratio-from", -2)
    ratio = float(pupil.numbers()["Ratio"])
    assert 1 / 1.65 < ratio < 1.6


def test_noise_falls_before_its_width_is_asked() -> None:
    """The lesson opens with results that fall; exactly 40 is a quarter of them, and ε changes it."""
    pupil = Pupil(PAGE)
    a = math.exp(-0.5)
    assert pupil.numbers()["Results that are exact"] == f"{(1 - a) / (1 + a):.1%}"
    pupil.move("drops-epsilon", 2.0)
    a = math.exp(-2)
    assert pupil.numbers()["Results that are exact"] == f"{(1 - a) / (1 + a):.1%}"


def test_an_address_with_settings_and_without_a_step_opens_their_step() -> None:
    """So do those that were written while the noise was the first step; a named step counts more."""
    assert Pupil(PAGE, **{"scales-epsilon": "1.0"}).numbers()["Scale b"] == "1"
    assert "Largest ratio" in Pupil(PAGE, step="ratio", **{"scales-epsilon": "1.0"}).numbers()
