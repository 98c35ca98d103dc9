"""Steps: one act of a person of the house, and what the page says when it is refused."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from discreet.budget import ParameterError
from discreet.ui.frame.words import quoted, say
from discreet.ui.state import workspace


def do(step: Callable[[], object], done: str = "") -> None:
    """Do one thing and show the page anew, with a word of success where the page shows one, or say why not."""
    try:
        step()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    workspace().notice, workspace().done = "", done or workspace().done
    st.rerun()


def told_done() -> None:
    """Say what was done in the run before this one, once."""
    space = workspace()
    if space.done:
        st.success(space.done)
    space.done = ""
