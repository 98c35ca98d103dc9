"""Lesson: one idea, steps with one figure each, one thing to try, and where it leads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from discreet.ui.frame.links import link, offered, view
from discreet.ui.frame.words import say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.course import LESSONS, Lesson
from discreet.ui.state import preset, reset, visit


@dataclass(frozen=True)
class Step:
    """One step: its word in the address, what it tells, what to try, what moves it, and the figure."""

    name: str
    title: str
    tell: str
    attempt: str
    controls: Callable[[Controls], Any]
    figure: Callable[[Any, str], None]


def lesson(page: str, steps: Sequence[Step]) -> None:
    """Show a lesson: its head, the step that is chosen, and where to go from here."""
    (plan,) = [plan for plan in LESSONS if plan.page == page]
    _head(plan)
    which = f"{plan.key}-step"
    preset(which, steps[0].name)
    chosen = view(say("Step"), {step.name: step.title for step in steps}, which)
    step = next(step for step in steps if step.name == chosen)
    visit(step.title)
    _step(step, f"{plan.key}-{chosen}")
    _foot(plan)


def _head(plan: Lesson) -> None:
    """Show the title, and beside it the way to the other lessons and a fresh start."""
    before = LESSONS[plan.number - 2] if plan.number > 1 else None
    after = LESSONS[plan.number] if plan.number < len(LESSONS) else None
    number = say("Lesson {number}", number=plan.number)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header(f"{number} · {say(plan.title)}", anchor=False, width="stretch")
        if before:
            link(before.page, say("Lesson {number}", number=before.number), "arrow_back")
        link("learn", say("Course"), "school")
        if after:
            link(after.page, say("Lesson {number}", number=after.number))
        st.button(
            say("Reset"),
            icon=":material/restart_alt:",
            type="tertiary",
            on_click=reset,
            args=(f"{plan.key}-",),
            help=say("Puts everything in this lesson back."),
        )
    st.markdown(say(plan.idea))


def _step(step: Step, key: str) -> None:
    left, right = st.columns([2, 3], gap="medium")
    with left, st.container(border=True):
        st.markdown(say(step.tell))
        settings = step.controls(Controls(key))
        st.info(say("**Try:** ") + say(step.attempt), icon=":material/science:")
    with right, st.container(border=True, key="lesson-figure"):
        step.figure(settings, key)


def _foot(plan: Lesson) -> None:
    """Offer the screens that use the idea; a class has none of them."""
    leads = [(page, title) for page, title in plan.leads if offered(page)]
    if not leads:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(say("Use it:"), width="content")
        for page, title in leads:
            link(page, say(title))


def table(columns: Mapping[str, Sequence[str]]) -> None:
    """Offer the numbers of a figure as a table, by their headings."""
    with st.popover(say("As a table"), icon=":material/table_chart:", type="tertiary"):
        st.table(pd.DataFrame(columns), hide_index=True)


def numbers(figures: Mapping[str, str]) -> None:
    """Show the few numbers of a step side by side."""
    with st.container(horizontal=True, horizontal_alignment="distribute", gap="small"):
        for label, value in figures.items():
            st.metric(label, value, width="content")
