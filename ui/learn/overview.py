"""Overview: the lessons in their order, each with its idea and its way in."""

from __future__ import annotations

import streamlit as st

from discreet.ui.frame.links import link
from discreet.ui.frame.words import say
from discreet.ui.learn import guess_first
from discreet.ui.learn.course import LESSONS, Lesson
from discreet.ui.learn.memory import remember


def lessons() -> None:
    """Show the lessons, three beside each other."""
    st.markdown(
        say(
            "Nine short lessons on open data. Each step asks for a guess, shows a figure that moves, says why, "
            "and leaves one thing to try. A lesson ends on the screen where its idea is used."
        )
    )
    for row in range(0, len(LESSONS), 3):
        for place, lesson in zip(st.columns(3), LESSONS[row : row + 3], strict=True):
            with place, st.container(border=True, height="stretch"):
                _invite(lesson)
    remember()


def _invite(lesson: Lesson) -> None:
    st.markdown(f"**{lesson.number} · {say(lesson.title)}**")
    guesses = len(guess_first.book().given(f"{lesson.key}-"))
    progress = f" · {say('{n} guessed', n=guesses)}" if guesses else ""
    st.caption(say("{minutes} minutes", minutes=lesson.minutes) + progress)
    st.markdown(say(lesson.idea))
    link(lesson.page, say("Open lesson {number}", number=lesson.number), "menu_book")
