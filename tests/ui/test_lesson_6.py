"""Lesson 6 shows local sensitivities, the leak, the jump and the three ways as computed."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest
from support.lessons import Pupil

from discreet.budget import Cost
from discreet.course.lessons.local import numbers
from discreet.course.lessons.local.jumping import JUMPING
from discreet.course.lessons.local.nearby import NEARBY
from discreet.course.lessons.local.rivals import LEAST
from discreet.queries.median import Median
from discreet.report.risk import best_guess, of_100
from discreet.ui.figures.push import CALLED
from discreet.ui.frame.words import number

PAGE = "lesson_6_local_sensitivity"


def test_local_sensitivity_follows_the_data() -> None:
    """Of equal ages one person moves nothing; the address brings other people, and a reset the first ones."""
    pupil = Pupil(PAGE, **{"local-ages": "40 40 40 40"})
    assert pupil.numbers() == {"Median": "40", "Local sensitivity": "0", "Global sensitivity": "50"}
    pupil.reset()
    assert pupil.numbers() == {"Median": "43", "Local sensitivity": "0.25", "Global sensitivity": "50"}


def test_the_spy_recovers_n_from_the_noise() -> None:
    """The address brings n; the guess is the core's."""
    pupil = Pupil(PAGE, step="leak", **{"leak-people": "100"})
    guess = numbers.recovered(100, 0.5, 1000, 1)[-1]
    assert pupil.numbers()["True n"] == "100"
    assert pupil.numbers()["Guess, 1,000 results"] == f"{guess:.0f}"
    assert pupil.numbers()["Within 10% after"] == number(numbers.known_after(100))


def test_the_jump_shows_the_exact_delta() -> None:
    """0.92 at the jump, 0 far from it; and how often a spy is right, in the words of the first screen."""
    pupil = Pupil(PAGE, step="jump")
    assert pupil.numbers()["Best guess is right"] == f"{numbers.jump(5, 4, 1.0).right:.0%}" == "97%"
    assert pupil.numbers()["δ at this ε"] == number(numbers.jump(5, 4, 1.0).delta, 2)
    pupil.move("jump-young", 12)
    assert pupil.numbers()["δ at this ε"] == "0"


def test_the_ways_show_their_errors_at_equal_cost() -> None:
    """As the contest of the core finds them, for median and mean."""
    pupil = Pupil(PAGE, step="ways")
    for name in ("median", "mean"):
        pupil.move("ways-statistic", name)
        ways = numbers.ways(name, 300, 1.0)
        margins = [f"± {number(way.error, 2)}" for way in ways]
        margins[0] += ", cut at the bounds" * (name == "median")  # its noise is 150 wide, and 63 is 100 − 37
        assert list(errors(pupil).values()) == margins
        assert drawn(pupil)["textposition"][0] == "top left"  # where there is room for it
    best = min(way.error for way in ways)
    assert f"That of global sensitivity is {number(ways[0].error / best, 2)} times as large." in captions(pupil)


def test_an_error_below_the_axis_is_not_given_a_number_there() -> None:
    """Of 30,000 people the smooth error is about 1e-10: caption and figure say only that it is below 0.001.

    So is the error of blocks: neither is called the smallest. A bound that is mostly refused has no dot.
    """
    pupil = Pupil(PAGE, step="ways", **{"ways-people": "30000", "ways-b": "0.3"})
    ways = numbers.ways("median", 30_000, 1.0)
    assert [way.error < LEAST for way in ways] == [False, False, True, True]
    tiny = "Smooth sensitivity and Sample and aggregate: error below 0.001. "
    assert (
        f"{tiny}That of global sensitivity is more than {number(ways[0].error / LEAST, 2)} times as large."
        in captions(pupil)
    )
    assert list(errors(pupil).values()) == [
        f"± {number(ways[0].error, 2)}, cut at the bounds",
        "no result",
        "< 0.001",
        "< 0.001",
    ]
    assert drawn(pupil)["marker"]["size"] == [14, 0, 14, 14]


def test_the_sentences_of_the_jump_have_its_numbers() -> None:
    """A local sensitivity of 19 with five people and of 0.25 with six; 95% of results and 3% far from 42."""
    pair = numbers.jump(5, 4, 1.0)
    assert pair.sensitivities == (19, 0.25) and "19 years" in JUMPING.tell and "it is 0.25" in JUMPING.tell
    medians = [Median().value(numbers.two_groups(young, 4)) for young in (5, 6)]
    assert medians[0] == 42 and "from 42 to 61" in JUMPING.tell and medians[0] + 19 == 61
    scales = pair.sensitivities  # at epsilon 1
    far = [(np.exp(-(1 + m - 42) / b) + np.exp(-(1 - m + 42) / b)) / 2 for m, b in zip(medians, scales, strict=True)]
    assert [f"{share:.0%}" for share in far] == ["95%", "3%"]
    assert "95% of results" in JUMPING.prediction.why and "with her, 3%" in JUMPING.prediction.why
    jumps = {young: numbers.jump(young, 4, 1.0) for young in range(1, 13)}
    assert f"δ = {jumps[5].delta:.2f}:" in JUMPING.prediction.why
    allowed = best_guess(Cost.of(1))
    assert [young for young, each in jumps.items() if each.right > allowed] == [
        2,
        5,
    ] and "At 5 and at 2" in JUMPING.answer.text
    assert f"{of_100(allowed)} right guesses of 100" in re.sub(r"\s+", " ", JUMPING.prediction.ask)
    narrow = numbers.jump(5, 4, 1.0)
    assert narrow.densities[1].max() == pytest.approx(1 / (2 * 0.25))  # the tip is drawn, between two half years


def test_the_spy_of_the_first_step_does_what_is_to_be_tried() -> None:
    """After four people at 60 the spy is right more often than epsilon allows, and not before; with *Smooth* never."""
    assert "four times" in NEARBY.attempt
    for added in range(5):
        ages = (*numbers.PUSHED, *[CALLED] * added)
        seen = {way: numbers.watched(way, ages, len(ages) - 1 if added else 8, 1.0) for way in ("local", "smooth")}
        assert (seen["local"].odds > best_guess(seen["local"].cost)) == (added == 4)
        assert seen["smooth"].odds < best_guess(seen["smooth"].cost)
    counts = (of_100(seen["local"].odds), of_100(best_guess(Cost.of(1))), of_100(seen["smooth"].odds))
    assert NEARBY.answer.numbers() == dict(zip(("local", "limit", "smooth"), map(str, counts), strict=True))


def test_a_proposal_is_walked_in_three_presses() -> None:
    """Nothing is told before it is tested; then D, its noise and T; then an answer, or none."""
    refusing = next(seed for seed in range(1, 50) if numbers.walk(300, 1.5, 1.0, seed).answer is None)
    pupil = Pupil(PAGE, step="test")
    walked = numbers.walk(300, 2.0, 1.0, 1)
    assert set(pupil.numbers().values()) == {"?"}
    pupil.move("test-stage", "propose")
    assert set(pupil.numbers().values()) == {"?"} and "b = 2" in captions(pupil)
    pupil.move("test-stage", "test")
    tested = {"Distance D": "37", "Noisy distance": str(walked.noisy), "Threshold T": "27"}
    assert pupil.numbers() == tested | {"Result": "?", "Cost": "?"} and "the test passes" in captions(pupil)
    pupil.move("test-stage", "release")
    assert pupil.numbers() == tested | {"Result": number(walked.answer, 3), "Cost": "ε = 1"}
    pupil.move("test-b", 1.5)
    pupil.move("test-draw", refusing)
    assert pupil.numbers()["Result"] == "no result" and "No result is released" in captions(pupil)
    pupil.move("test-stage", "test")
    assert "the test fails" in captions(pupil)


def test_a_refusal_costs_half_and_delta_is_how_often_the_worst_dataset_passes() -> None:
    """The cost of the test alone; a larger δ lowers T, and a dataset at distance 0 passes that often."""
    refusing = next(seed for seed in range(1, 50) if numbers.walk(300, 1.5, 1.0, seed).answer is None)
    settings = {"test-b": "1.5", "test-stage": "release", "test-draw": str(refusing)}
    pupil = Pupil(PAGE, step="test", **settings)
    assert pupil.numbers()["Cost"] == "ε = 0.5"
    pupil.move("test-stage", "test")
    pupil.move("test-delta", 0.1)
    walked = numbers.walk(300, 1.5, 1.0, refusing, 0.1)
    a = math.exp(-0.5)
    assert walked.by_chance == pytest.approx(a**walked.threshold / (1 + a))
    assert 0.05 < walked.by_chance <= 0.1 and pupil.numbers()["Threshold T"] == str(walked.threshold)
    assert f"with a probability of {number(walked.by_chance, 2)}" in captions(pupil)


def test_only_propose_test_release_follows_the_proposal() -> None:
    """With a tenth of the best b the test fails, with the double its noise is wider; the others stand still."""
    pupil = Pupil(PAGE, step="ways")
    best = errors(pupil)
    pupil.move("ways-b", 0.1)
    low = errors(pupil)
    assert {name for name in best if best[name] != low[name]} == {"Propose-test-release"}
    assert low["Propose-test-release"] == "no result"


def test_the_three_ways_are_walked_on_the_people_of_the_first_step() -> None:
    """One press on the last screen of the path: the same people, and the same numbers as there."""
    pupil = Pupil(PAGE, step="ways", **{"local-ages": "40 41 42 80"})
    pupil.move("ways-picture", "people")
    tested = numbers.push_test([40.0, 41.0, 42.0, 80.0], 5.0)
    assert pupil.numbers()["Distance D"] == number(tested.distance)
    assert not [control for control in pupil.app.select_slider if control.key == pupil.key("ways-b")]
    pupil.move("local-walk", "blocks")
    assert pupil.numbers()["Median"] == "41.5"


def test_each_goal_of_the_lesson_is_ticked_by_its_exercise() -> None:
    """Five goals, as in the textbook's chapter."""
    pupil = Pupil(PAGE)

    def goals() -> list[str]:
        (text,) = [part.value for part in pupil.app.markdown if part.value.startswith("After this lesson you can:")]
        return text.split("\n- ")[1:]

    assert len(goals()) == 5 and "exercise 1)" in goals()[0]
    pupil.move("exercise-1", 5.0)
    assert ":material/check:" in goals()[0] and "exercise 4)" in goals()[1]


def test_the_distance_is_the_one_of_the_formula() -> None:
    """The smallest k with A(k) > b; a newcomer sees it, its noisy value and the threshold at three places."""
    ladder = Median().ladder(numbers.crowd(300).column, np.arange(60))
    first = int(np.argmax(ladder > 2.0))
    assert ladder[first - 1] == 2.0  # the case in which > and >= differ
    pupil = Pupil(PAGE, step="test", **{"test-stage": "test"})
    shown = pupil.numbers()
    assert shown["Distance D"] == str(first)
    assert len({shown["Distance D"], shown["Noisy distance"], shown["Threshold T"]}) == 3


def drawn(pupil: Pupil) -> dict[str, Any]:
    """Return the first part of the figure."""
    part: dict[str, Any] = json.loads(pupil.app.get("plotly_chart")[0].proto.spec)["data"][0]
    return part


def errors(pupil: Pupil) -> dict[str, str]:
    """Return the errors of the figure, by mechanism."""
    return dict(zip(drawn(pupil)["y"], drawn(pupil)["text"], strict=True))


def captions(pupil: Pupil) -> str:
    """Return what stands small on the screen."""
    return " ".join(caption.value for caption in pupil.app.caption)


def test_the_tent_is_climbed_to_its_highest_product() -> None:
    """A rung, its weight, and what both make; the highest of them is S."""
    pupil, smoothed = Pupil(PAGE, step="tent"), numbers.tent(9, 4, 3)
    assert pupil.numbers() == {"A(0)": "0.25", "Its weight": "100%", "Their product": "0.25", "Smooth bound S": "5.01"}
    pupil.move("tent-k", smoothed.peak)
    shown = pupil.numbers()
    assert shown["A(4)"] == "19" and shown["Its weight"] == "26.4%"
    assert shown["Their product"] == shown["Smooth bound S"] == "5.01"
    pupil.move("tent-young", 1)
    pupil.move("tent-k", 24)
    assert "A(9)" in pupil.numbers()  # nine rungs hold five people, and four beyond them


def test_blocks_show_their_error_and_how_far_one_person_moves_them() -> None:
    """Fewer blocks: a longer move and a larger error; too many: a larger error again."""
    pupil = Pupil(PAGE, step="blocks")
    errors = dict(zip(numbers.NUMBERS, numbers.errors_by_blocks("mean", 20.0, 80.0), strict=True))
    for k in (10, 70, 300):
        pupil.move("blocks-k", k)
        cut = ", cut at the bounds" * any(math.isclose(errors[k], abs(37 - end)) for end in (20, 80))
        assert pupil.numbers()["Margin of error (95%)"] == f"± {number(errors[k], 2)}{cut}"
        assert pupil.numbers()["Result"] == number(numbers.deal("mean", k, 20.0, 80.0, 1).answer, 3)
        assert f"their mean moves by {number(60 / k, 3)} at most" in captions(pupil)
    assert errors[70] < min(errors[10], errors[300])
    pupil.move("blocks-statistic", "median")
    assert "moves by one place at most" in captions(pupil)
