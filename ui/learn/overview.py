"""Overview: the lessons in their order, each with its idea and its way in."""

from __future__ import annotations

import streamlit as st

from discreet.ui.frame.links import link
from discreet.ui.frame.words import say
from discreet.ui.learn.course import LESSONS, Lesson


def lessons() -> None:
    """Show the lessons, three beside each other."""
    st.markdown(
        say(
            "Nine short lessons on open data. Each has one idea, a figure that moves and one thing "
            "to try, and ends on the screen where the idea is used."
        )
    )
    for row in range(0, len(LESSONS), 3):
        for place, lesson in zip(st.columns(3), LESSONS[row : row + 3], strict=True):
            with place, st.container(border=True, height="stretch"):
                _invite(lesson)


def _invite(lesson: Lesson) -> None:
    st.markdown(f"**{lesson.number} · {say(lesson.title)}**")
    st.caption(say("{minutes} minutes", minutes=lesson.minutes))
    st.markdown(say(lesson.idea))
    link(lesson.page, say("Open lesson {number}", number=lesson.number), "menu_book")
