"""Asking: the question on the left; what it costs and gives on the right, and the answers below."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.mechanisms.families import Family
from discreet.ui.ask import answered, as_left, charging, forecast, planning, refilling, requesting
from discreet.ui.ask.form import Question, question
from discreet.ui.ask.picture import picture
from discreet.ui.frame.links import link
from discreet.ui.frame.words import quoted, say
from discreet.ui.state import workspace


def ask(families: Sequence[Family], key: str) -> None:
    """Show the whole of Ask for one page."""
    key, fresh = f"{key}:{workspace().dataset.schema.digest[:8]}", None
    refilling.refill(families, key)
    as_left.resume(key)
    left, right = st.columns([5, 6], gap="medium")
    with left, st.container(border=True):
        form = _form(families, key)
    with right:
        asked = None if form is None else _checked(form)
        if asked is not None:
            with st.container(border=True):
                fresh = _price(asked, key)
            picture(asked, key)
        st.header(say("Answers"), anchor=False)
        answered.history(families, fresh)
    as_left.remember(key)


def _form(families: Sequence[Family], key: str) -> Question | None:
    """Draw the form, or say why there is none."""
    space = workspace()
    try:
        asked = question(families, space.dataset.schema, space.here, key)
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        return None
    if asked is None:
        st.info(say("Nothing that is declared can be asked here."))
        link("data", say("Declare a column on the page Data"))
    return asked


def _checked(asked: Question) -> Question | None:
    """Return a question that fits the declaration, or say why it does not."""
    try:
        asked.request.check(workspace().dataset.schema)
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        return None
    return asked


def _price(asked: Question, key: str) -> str | None:
    """Say what the answer is worth and costs, beside the buttons: in sight without scrolling."""
    desk = workspace().here.desk
    forecast.sentence(asked)
    if desk is None:
        fresh = charging.panel(asked.request, key)
    else:
        fresh = requesting.panel(desk, asked.request, key, requesting.unmoved(key))
    planning.to_plan(asked, key)
    return fresh
