"""A step asks before it shows: the figure comes with a guess, the recap with the figures."""

from __future__ import annotations

import pytest
from support.lessons import Pupil

from discreet.course.lessons.laplace import EXERCISES
from discreet.course.lessons.laplace.guesses import GUESSES
from discreet.ui.frame.formulas import typeset
from discreet.ui.session.guesses import InOrder

PAGE, NEXT = "lesson_3_laplace", "lesson-4-sensitivity"


def test_a_guess_opens_the_figure_and_is_held_against_the_truth() -> None:
    """Nothing is shown before; 4 is 1.99 too little; reset asks again."""
    pupil = Pupil(PAGE, guess="yes", **{"scales-epsilon": "1.0"})
    assert not pupil.numbers()
    pupil.press("Submit guess")  # without one nothing is shown
    assert not pupil.numbers() and "Guess first" in pupil.app.warning[0].value
    pupil.move("scales-guess", 4.0)
    assert not pupil.numbers()
    pupil.press("Submit guess")
    assert pupil.numbers()["Scale b"] == "1"  # what the address says, the guess was about ε = 0.5
    assert "Your guess: 4." in pupil.app.warning[0].value and "Too low by 1.99." in pupil.app.warning[0].value
    pupil.reset()
    assert not pupil.numbers()


def test_without_guesses_a_step_folds_its_question_and_answer() -> None:
    """Nothing is asked, and nothing of the explanation is lost."""
    pupil = Pupil(PAGE, guess="no", step="scales")
    (fold,) = [box for box in pupil.app.expander if box.label == "Question and answer"]
    task = GUESSES["scales"]
    assert pupil.numbers() and str(task.ask) in fold.markdown[0].value
    assert "5.99" in fold.markdown[0].value and typeset(str(task.why)) in fold.markdown[0].value


def test_a_lesson_ends_with_a_recap_of_guesses_and_truths() -> None:
    """By the next step each; what was only shown has no guess; it opens when nothing is left."""
    pupil = Pupil(PAGE, guess="yes")
    pupil.press("Show answer")
    pupil.press("Next step")
    pupil.move("scales-guess", 6.0)
    pupil.press("Submit guess")
    assert "Good guess!" in pupil.app.success[0].value
    for _ in range(3):
        pupil.press("Next step")
        assert not pupil.numbers()
        pupil.press("Show answer")
        assert pupil.numbers()
    assert not [button for button in pupil.app.button if button.label == "Next step"]
    assert [link.proto.page for link in pupil.app.get("page_link") if link.proto.label == "Next lesson"] == [NEXT]
    (recap,) = [box for box in pupil.app.expander if "Recap: 5 of 5" in box.label]
    assert recap.proto.expanded
    lines = recap.table[0].value
    assert list(lines["Your guess"]) == ["–", "6 ✓", "–", "–", "–"] and list(lines["Correct answer"]) == [
        "24.5%",
        "5.99",
        "30",
        "1.65",
        "98.2%",
    ]


def test_an_exercise_is_checked_as_often_as_one_likes() -> None:
    """5 is not the scale for ε = 0.1, 10 is; the head counts what is solved."""
    pupil = Pupil(PAGE)
    pupil.move("exercise-1", 5.0)
    assert any("Not yet." in text.value for text in pupil.app.markdown)
    pupil.move("exercise-1", 10.0)
    assert any("Right." in text.value for text in pupil.app.markdown)
    assert any(box.label == f"Exercises: 1 of {len(EXERCISES)} solved" for box in pupil.app.expander)


def test_a_proof_is_right_in_its_order_only() -> None:
    """The lines are chosen one by one; another order of the same lines is not the proof."""
    pupil = Pupil(PAGE)
    (place,) = [place for place, task in enumerate(EXERCISES, 1) if isinstance(task.kind, InOrder)]
    pupil.move(f"exercise-{place}", ["E", "B", "A", "C"])
    assert any("These are the lines, not yet in order." in text.value for text in pupil.app.markdown)
    pupil.move(f"exercise-{place}", ["B", "E", "A", "D"])
    assert any("Not yet." in text.value for text in pupil.app.markdown)
    pupil.move(f"exercise-{place}", ["B", "E", "A", "C"])
    assert any("Right." in text.value for text in pupil.app.markdown)


def test_a_slider_at_rest_is_no_guess() -> None:
    """Its first value is committed only after it was moved, and again not after a reset."""
    pupil = Pupil(PAGE, guess="yes", step="ratio")
    pupil.press("Submit guess")
    assert not pupil.numbers() and "Guess first" in pupil.app.warning[0].value
    pupil.move("ratio-guess", 1.7)
    pupil.press("Submit guess")
    assert pupil.numbers() and "Your guess: 1.7." in pupil.app.success[0].value
    pupil.reset()
    pupil.move("step", "count")
    pupil.press("Submit guess")
    assert not pupil.numbers()


def test_shares_are_apart_by_percentage_points() -> None:
    """60% is 38.2 points below 98.2%."""
    pupil = Pupil(PAGE, guess="yes", step="choosing")
    pupil.move("choosing-guess", 60.0)
    pupil.press("Submit guess")
    assert "Too low by 38.2 percentage points." in pupil.app.warning[0].value


@pytest.mark.parametrize(
    ("page", "step", "shown"),
    [
        (
            "lesson_1_deidentification",
            "generalise",
            {"k, size of the smallest group": "1", "Information loss": "33.3%"},
        ),
        ("lesson_1_deidentification", "outlier", {"k with her": "1", "k without her": "238"}),
        ("lesson_2_differencing", "again", {"For 1,000 results": "± 0.876"}),
        ("lesson_8_streams", "people", {"Curator trusted": "± 3%"}),
    ],
)
def test_a_figure_opens_on_the_case_that_was_asked(page: str, step: str, shown: dict[str, str]) -> None:
    """What the question asks about is among the first numbers."""
    assert shown.items() <= Pupil(page, step=step).numbers().items()
