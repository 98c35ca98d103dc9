"""Asking: the question on the left, what it would give on the right, and the answers below."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.mechanisms.families import Family
from discreet.ui.ask import answered, charging, forecast, requesting
from discreet.ui.ask.form import Question, question
from discreet.ui.ask.picture import picture
from discreet.ui.ask.topics import of_families
from discreet.ui.frame.links import link
from discreet.ui.frame.words import quoted, say
from discreet.ui.state import workspace


def ask(families: Sequence[Family], key: str) -> None:
    """Show the whole of Ask for one page."""
    space = workspace()
    key = f"{key}:{space.dataset.schema.digest[:8]}"
    fresh = None
    left, right = st.columns([5, 6], gap="medium")
    with left, st.container(border=True):
        asked = _asked(families, key)
        if asked is not None:
            desk = space.here.desk
            fresh = charging.panel(asked.request, key) if desk is None else requesting.panel(desk, asked, key)
    with right:
        if asked is not None:
            with st.container(border=True):
                picture(asked, key)
        st.subheader(say("Answers"), anchor=False)
        answered.history({kind.slug for kind in of_families(families)}, fresh)


def _asked(families: Sequence[Family], key: str) -> Question | None:
    space = workspace()
    try:
        asked = question(families, space.dataset.schema, space.here, key)
        if asked is None:
            st.info(say("Nothing that is declared can be asked here."))
            link("data", say("Declare a column on the page Data"))
            return None
        asked.request.check(space.dataset.schema)
        forecast.sentence(asked)
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        return None
    return asked
