"""Accountings: what the same history of charges amounts to under other rules."""

from __future__ import annotations

import streamlit as st

from discreet.budget import all_views, charges
from discreet.ui.figures import composition
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.state import workspace


def show() -> None:
    """Show the same history under other accountings."""
    entries = workspace().curator.ledger.entries
    if not entries:
        return
    st.header(say("The same history under other accountings"), anchor=False)
    delta = st.select_slider(say("At delta"), ("1e-9", "1e-8", "1e-7", "1e-6", "1e-5"), "1e-5")
    views = all_views(charges(entries), delta)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        composition.views(views)
    with right:
        for view in views:
            st.markdown(f"**{say(view.name)}** ε {number(view.epsilon)}")
            st.caption(quoted(say(view.note)))
        st.caption(say("The rule of the ledger decides; the others are shown for comparison."))
