"""Guesses are held against what the lessons compute, and the first one counts."""

from __future__ import annotations

import json
from importlib import import_module
from string import ascii_lowercase

import pytest

from discreet.course.contents import LESSONS
from discreet.course.memory import recall, written_book
from discreet.course.steps import Step
from discreet.ui.session.guesses import (
    MOST_KEPT,
    Guess,
    GuessBook,
    InOrder,
    OneOf,
    OnFactors,
    OnRungs,
    OnScale,
    Prediction,
)

FOLDERS = (
    "deidentification",
    "differencing",
    "laplace",
    "sensitivity",
    "composition",
    "local",
    "election",
    "streams",
    "mistakes",
)
STEPS = [step for folder in FOLDERS for step in import_module(f"discreet.course.lessons.{folder}").STEPS]


def test_every_lesson_is_looked_at() -> None:
    """A tenth lesson has to come in here."""
    assert len(FOLDERS) == len(LESSONS)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.figure.__module__.split('.')[-1]}-{step.name}")
def test_the_truth_of_every_step_can_be_guessed(step: Step) -> None:
    """It lies on the scale, some guess is near it, and some guess is not."""
    kind, truth = step.prediction.kind, step.prediction.truth()
    offered: list[float | str]
    if isinstance(kind, OneOf):
        offered = list(kind.options)
    elif isinstance(kind, OnRungs):
        offered = list(kind.numbers)
    elif isinstance(kind, OnFactors):
        offered = list(kind.places)
    else:
        assert isinstance(kind, OnScale)
        steps = round((kind.high - kind.low) / kind.step)
        offered = [kind.low + kind.step * n for n in range(steps + 1)]
        assert kind.low <= float(truth) <= kind.high
    near = [kind.near(value, truth) for value in offered]
    assert any(near) and not all(near)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.figure.__module__.split('.')[-1]}-{step.name}")
def test_the_program_of_every_step_prints_what_is_true(step: Step, capsys: pytest.CaptureFixture[str]) -> None:
    """The book's ten lines run as they are printed, and answer the question of their step."""
    exec(step.page.program, {})
    printed, truth = capsys.readouterr().out.strip(), step.prediction.truth()
    if isinstance(truth, str):
        assert printed == truth
    else:
        assert float(printed) == pytest.approx(truth, rel=0.01)
    assert len(step.page.program.strip().splitlines()) <= 16 and step.page.formulas


# the rows of a sample, which a program may take from this library
ROWS = {
    "from discreet.lab.explain import census_ground",
    "from discreet.lab.samples import census_table",
    "from discreet.course.lessons.deidentification.numbers import town",
    "from discreet.course.lessons.deidentification.numbers import hospital, register",
}
OF_THE_PRODUCT = {"ways"}  # a contest of the mechanisms that are offered


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.figure.__module__.split('.')[-1]}-{step.name}")
def test_programs_are_the_algorithm_and_need_no_library(step: Step) -> None:
    """Anyone who has Python can read and change them; of this library they take the rows of a sample at most."""
    ours = {line for line in step.page.program.splitlines() if "discreet" in line}
    of_product = step.name in OF_THE_PRODUCT and step.figure.__module__.endswith("rivals")
    assert of_product or ours <= ROWS


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_lesson_has_exercises_with_answers_that_count_when_rounded(folder: str) -> None:
    """Six at least; three digits of the truth are right, a tenth more is not."""
    tasks = import_module(f"discreet.course.lessons.{folder}").EXERCISES
    assert len(tasks) >= 6
    for task in tasks:
        truth = task.truth()
        assert task.kind.near(truth if isinstance(truth, str) else float(f"{truth:.3g}"), truth)
        assert not task.kind.near("?" if isinstance(truth, str) else 1.1 * truth, truth)


def test_the_first_guess_counts_until_the_lesson_begins_anew() -> None:
    """Nobody guesses better after the answer; what was only shown is no guess."""
    book = GuessBook()
    book.note(Guess("lesson3-scales", OnScale.name, 4.0))
    book.note(Guess("lesson3-scales", OnScale.name, 6.0))
    book.note(Guess("lesson3-count", OnRungs.name, None))
    assert book.given("lesson3-") == [Guess("lesson3-scales", OnScale.name, 4.0)]
    book.forget("lesson3-")
    assert not book.by_question


def test_near_is_a_twentieth_of_a_scale_the_nearest_rung_or_the_right_thing() -> None:
    """The borders of each kind."""
    assert OnScale(0, 20, 0.5).near(7.0, 6.0) and not OnScale(0, 20, 0.5).near(7.5, 6.0)
    assert OnRungs((1, 10, 100)).near(10, 40) and not OnRungs((1, 10, 100)).near(100, 40)
    assert OneOf({"a": "A"}).near("a", "a") and not OneOf({"a": "A"}).near("a", "b")


def test_a_number_of_people_is_a_whole_number() -> None:
    """4.8 people count as 5, which is not near 4; a share of 4.8% stays one."""
    people = Prediction("", OnScale(0, 16, 1), lambda: 4.0, "")
    assert people.counted(4.8) == 5.0 and not people.kind.near(people.counted(4.8), 4.0)
    assert Prediction("", OnScale(0, 16, 1), lambda: 4.5, "").counted(4.8) == 4.8
    assert Prediction("", OnRungs((1, 10)), lambda: 4.0, "").counted(10) == 10


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_lesson_asks_for_a_program_and_for_a_proof(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The program of the solution prints the truth; the proof uses lines that are offered, and leaves one out."""
    tasks = import_module(f"discreet.course.lessons.{folder}").EXERCISES
    programs = [task for task in tasks if task.program]
    proofs = [task for task in tasks if isinstance(task.kind, InOrder)]
    assert programs and proofs
    for task in programs:
        exec(task.program, {})
        assert float(capsys.readouterr().out) == pytest.approx(task.truth(), rel=1e-6)
    for task in proofs:
        lines = str(task.truth())
        assert len(set(lines)) == len(lines) == len(task.kind.lines) - 1 and set(lines) < set(task.kind.lines)
        assert lines != "".join(sorted(lines))  # it does not stand there in order
        assert not task.kind.near(lines[::-1], lines)
        assert all(sorted(other) == sorted(lines) and task.kind.near(other, lines) for other in task.kind.also)


def test_what_a_browser_brings_back_is_looked_at() -> None:
    """Guesses come back and never replace one; strange keys, endless numbers and long words are left out."""
    book, again = GuessBook(), GuessBook()
    for question, value in {"lesson3-scales": 4.0, "lesson7-ways": "flip", "lesson3-count": None}.items():
        book.note(Guess(question, "", value))
    again.note(Guess("lesson3-scales", OnScale.name, 6.0))
    recall(again, written_book(book))
    assert again.recalled and [g.value for g in again.by_question.values()] == [6.0, "flip", None]
    nested, long = "[" * 19_000, "9" * 30_000
    for strange in ('{"a": 1}', '{"lesson3-x": 1e999}', '{"lesson3-x": [1]}', "[1]", "?", long, nested, None):
        recall(again, strange)
    recall(again, '{"lesson3-x": 1' + "0" * 400 + "}")
    recall(again, '{"lesson3-x": "' + "x" * 41 + '"}')
    assert len(again.by_question) == 3
    for first in ascii_lowercase:
        recall(again, json.dumps({f"lesson3-{first}{a}{b}": 1 for a in ascii_lowercase for b in ascii_lowercase}))
    assert len(again.by_question) <= MOST_KEPT


def test_a_guess_that_nobody_can_have_chosen_is_none() -> None:
    """A word for a number, a number beyond the scale, a name that is not offered: shown as no guess."""
    book = GuessBook()
    scale, choice = OnScale(0, 20, 0.5), OneOf({"a": "A"})
    for question, value in {"lesson1-a": "x", "lesson1-b": 21.0, "lesson1-c": 7.0}.items():
        book.note(Guess(question, "", value))
    values = [guess and guess.value for guess in (book.of(f"lesson1-{name}", scale) for name in "abcd")]
    assert values == [None, None, 7.0, None]
    assert book.of("lesson1-d", scale) is None and book.of("lesson1-a", choice) == Guess("lesson1-a", "", None)
