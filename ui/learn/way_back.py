"""Way back: from a screen to which a lesson has led, to the step from which somebody came."""

from __future__ import annotations

import streamlit as st

from discreet.ui.frame.links import link
from discreet.ui.frame.words import say
from discreet.ui.learn.course import LESSONS

FROM = "from"  # the word of an address that names the step


def back() -> None:
    """Lead back to the step that the address names, if there is one."""
    key, _, step = st.query_params.get(FROM, "").partition("-")
    for lesson in LESSONS:
        if key == lesson.key and step.isalpha():
            words = say("Back to lesson {number}", number=lesson.number)
            link(lesson.page, words, "arrow_back", {f"{key}-step": step})
