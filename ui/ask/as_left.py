"""Resuming: a form stands as it was left, after another page, a reload or a connection that was lost.

Streamlit forgets a widget as soon as it is not drawn, and all of them with the connection. What a form was
set to is kept with the dataset in use, so another declaration begins with a form of its own.
"""

from __future__ import annotations

import streamlit as st

from discreet.ui.ask.requesting import ACTING
from discreet.ui.state import absent, choose, drawn, entered, settings, workspace


def resume(key: str) -> None:
    """Set a form that was not on the screen before to what it was left at, but for what is set already."""
    left = workspace().here.forms.get(key, {})
    missing = absent(left) if entered(key) else []
    for widget in missing:
        choose(widget, left[widget])
    if missing:
        st.rerun()  # widgets that propose something by themselves take what was there before a run


def remember(key: str) -> None:
    """Note what a form is set to now."""
    workspace().here.forms[key] = settings(key, ACTING)
    drawn(key)
