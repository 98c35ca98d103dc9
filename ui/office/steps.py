"""Steps: one act of a person of the house, and what the page says when it is refused."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from discreet.budget import ParameterError
from discreet.ui.frame.words import quoted, say
from discreet.ui.state import workspace


def do(step: Callable[[], object]) -> None:
    """Do one thing and show the page anew, or say why not."""
    try:
        step()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    workspace().notice = ""
    st.rerun()
