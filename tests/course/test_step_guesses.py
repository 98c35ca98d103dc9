"""Guesses of a class on the steps of its lessons: whose count, who may lead them, and that nothing outlives it."""

from __future__ import annotations

import pytest

from discreet.course.classroom.meeting import Meeting, Rules, StepGuesses
from discreet.ui.session.guesses import Guess, GuessBook

STEP, OTHER = "lesson3-scales", "lesson3-count"


@pytest.fixture
def meeting() -> Meeting:
    """Return a class of two and a teacher."""
    meeting = Meeting(Rules("ABC234", "SECRETWORD", 30, 3, "http://192.0.2.7:8501"))
    meeting.lead("teacher", "SECRETWORD")
    for browser in ("ann", "bob"):
        meeting.join(browser, "ABC234")
    return meeting


def test_only_members_guess_and_the_first_guess_of_each_counts(meeting: Meeting) -> None:
    """A stranger and the teacher are not of the class; told again after a reset, a guess does not change."""
    for browser, value in (("ann", 4.0), ("bob", 9.0), ("ann", 5.99), ("mallory", 6.0), ("teacher", 6.0)):
        meeting.guessed(browser, {STEP: value})
    assert meeting.steps.given(STEP) == [4.0, 9.0] and meeting.steps.counts() == {STEP: 2}


def test_a_guess_after_the_answer_is_shown_is_none(meeting: Meeting) -> None:
    """Whoever reads the answer off the figure of all has not guessed it."""
    meeting.guessed("ann", {STEP: 4.0})
    meeting.on_steps("teacher", lambda steps: steps.open(STEP))
    meeting.guessed("bob", {STEP: 5.99})
    assert meeting.steps.given(STEP) == [4.0]


def test_only_the_teacher_asks_opens_and_forgets(meeting: Meeting) -> None:
    """Nobody of the class, and nobody else."""
    meeting.guessed("ann", {STEP: 4.0})
    acts = (StepGuesses.ask, StepGuesses.open, StepGuesses.forget)
    for browser in ("ann", "mallory", ""):
        for act in acts:
            meeting.on_steps(browser, lambda steps, act=act: act(steps, STEP))  # type: ignore[misc]
    assert meeting.steps.state == (frozenset(), frozenset()) and meeting.steps.given(STEP) == [4.0]
    meeting.on_steps("teacher", lambda steps: steps.ask(STEP))
    assert meeting.steps.state == ({STEP}, frozenset())
    meeting.on_steps("teacher", lambda steps: steps.open(STEP))
    assert meeting.steps.state == (frozenset(), {STEP}) and not meeting.steps.asked


def test_who_goes_on_with_the_class_waits_for_no_answer(meeting: Meeting) -> None:
    """A step that was asked and left behind shows its answer to whoever has guessed; asked anew it is closed."""
    meeting.on_steps("teacher", lambda steps: steps.ask(STEP))
    meeting.turn("teacher", 1)
    assert meeting.steps.state == (frozenset(), frozenset())
    meeting.on_steps("teacher", lambda steps: steps.open(STEP))
    meeting.on_steps("teacher", lambda steps: steps.ask(STEP))
    assert meeting.steps.state == ({STEP}, frozenset())


def test_nothing_of_it_outlives_the_class(meeting: Meeting) -> None:
    """Guesses are in memory until the end."""
    meeting.guessed("ann", {STEP: 4.0})
    meeting.end("teacher")
    assert meeting.left == 0 and not meeting.steps.counts()
    meeting.guessed("ann", {STEP: 4.0})
    assert not meeting.steps.counts()


def test_an_answer_waits_for_the_class_or_is_open_to_all() -> None:
    """Waiting, it is shown to nobody, guess or not; open, to everybody, asked or not."""
    book = GuessBook()
    book.note(Guess(STEP, "scale", 4.0))
    assert book.shows(STEP) and not book.shows(OTHER)
    book.waiting, book.opened = frozenset({STEP}), frozenset({OTHER})
    assert not book.shows(STEP) and book.shows(OTHER)
    book.asks = False
    assert not book.shows(STEP)
