"""Whereabouts: the current screen of each participant, in terms of the course."""

from __future__ import annotations

import streamlit as st

from discreet.course import guessing
from discreet.course.classroom.opening import meeting
from discreet.course.contents import LESSONS
from discreet.course.whole_course import places
from discreet.ui.frame.links import link
from discreet.ui.frame.words import say
from discreet.ui.session.guesses import Value
from discreet.ui.session.state import browser, stands_at, visited

BETWEEN = "\n"


def tell(page: str) -> None:
    """Report the screen of this browser, and the step of a lesson."""
    step = visited() if page.startswith("lesson-") else ""
    meeting().stands(browser(), f"{page}{BETWEEN}{step}")
    meeting().guessed(browser(), _guesses())


def _guesses() -> dict[str, Value]:
    """Return this browser's guesses, as far as they are valid for their questions: a browser may send anything."""
    guesses = {key: guessing.book().of(key, place.step.prediction.kind) for key, place in places().items()}
    return {key: guess.value for key, guess in guesses.items() if guess is not None and guess.value is not None}


def listen() -> None:
    """Update at the start of a run which answers wait, and which are open to all."""
    book = guessing.book()
    book.waiting, book.opened = meeting().steps.state


def spoken(place: str) -> str:
    """Return the name of a place in the language of the screen."""
    page, _, step = place.partition(BETWEEN)
    for lesson in LESSONS:
        if lesson.page.replace("_", "-") == page:
            return f"{say('Lesson {number}', number=lesson.number)}, {say(step)}"
    return say("Lessons") if page == "lessons" else say("Class")


def beckon() -> None:
    """On a screen of the course: report this browser, and return it to the class when a question is asked."""
    if not (meeting().has(browser()) or meeting().teaches(browser())):
        st.rerun()
    book = guessing.book()
    if meeting().steps.state != (book.waiting, book.opened):
        st.rerun()
    stage = meeting().stage
    if stage.activity is not None and not stage.revealed and meeting().mine(browser()) is None:
        st.sidebar.info(say("Question to the class: {title}.", title=say(stage.activity.title)))
    asked = places().get(meeting().steps.asked)
    if asked is not None and asked.key != stands_at() and meeting().has(browser()):
        with st.sidebar:
            link(asked.lesson.page, say("Question to the whole class"), "campaign", asked.address)
