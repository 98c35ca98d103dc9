"""Onward: links from a step to the next step or lesson; each step is shown from its top."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.course.contents import LESSONS, Lesson
from discreet.ui.frame.links import link
from discreet.ui.frame.scrolling import bring, made
from discreet.ui.frame.words import say
from discreet.ui.session.state import choose, chosen

LATEST = "onward:step"  # the step that was open last
TOP = "[data-testid=stHorizontalBlock]:has(.st-key-lesson-figure)"  # the question of a step


def onward(plan: Lesson, after: Sequence[str]) -> None:
    """Link to what comes next; the link is below the step, where its reader arrives."""
    if after:
        words = say("Next step")
        which = f"{plan.key}-step"
        st.button(words, icon=":material/arrow_forward:", type="tertiary", on_click=choose, args=(which, after[0]))
    elif plan.number < len(LESSONS):
        link(LESSONS[plan.number].page, say("Next lesson"))


def from_its_top(step: str) -> None:
    """Scroll to the top of a step after another step was open."""
    if chosen(LATEST, step) != step:
        made(step)
    choose(LATEST, step)
    bring(step, TOP, upwards=True)
