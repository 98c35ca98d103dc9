"""Notices: what a callback has left to be said when the page is drawn again."""

from __future__ import annotations

import streamlit as st

from discreet.ui.frame.words import quoted, say
from discreet.ui.state import workspace


def show() -> None:
    """Say once why nothing was done."""
    space = workspace()
    if space.notice:
        st.error(quoted(say(space.notice)))
        space.notice = ""
