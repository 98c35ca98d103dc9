"""Whereabouts: at which screen somebody in the class is, in words of the course."""

from __future__ import annotations

import streamlit as st

from discreet.ui.classroom.convened import meeting
from discreet.ui.frame.words import say
from discreet.ui.learn.course import LESSONS
from discreet.ui.state import browser, visited

BETWEEN = "\n"


def tell(page: str) -> None:
    """Say where this browser is: the screen, and the step of a lesson."""
    step = visited() if page.startswith("lesson-") else ""
    meeting().stands(browser(), f"{page}{BETWEEN}{step}")


def spoken(place: str) -> str:
    """Return a place in the language of whoever looks."""
    page, _, step = place.partition(BETWEEN)
    for lesson in LESSONS:
        if lesson.page.replace("_", "-") == page:
            return f"{say('Lesson {number}', number=lesson.number)}, {say(step)}"
    return say("Course") if page == "learn" else say("Class")


def beckon() -> None:
    """On a screen of the course: be heard of, and be called back when the class is asked something."""
    if not (meeting().has(browser()) or meeting().teaches(browser())):
        st.rerun()
    stage = meeting().stage
    if stage.activity is not None and not stage.revealed and meeting().mine(browser()) is None:
        st.sidebar.info(say("The class is asked: {title}.", title=say(stage.activity.title)))
