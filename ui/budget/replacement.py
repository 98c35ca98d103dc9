"""Replacement: a new budget by an act that says what it means."""

from __future__ import annotations

import streamlit as st

from discreet.budget import RULES, Cost, ParameterError
from discreet.ui.frame import accounting
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.words import quoted, say
from discreet.ui.state import LIMIT, workspace


def offer() -> None:
    """Offer a new budget of data that somebody brought along; those of registered data are for good."""
    space = workspace()
    if space.here.desk is not None or space.here.shelved or not space.may_begin_anew:
        return
    st.divider()
    if st.button(say("Replace this budget"), icon=":material/restart_alt:"):
        st.dialog(say("A new budget"))(replace)()


def replace() -> None:
    """Replace the budget once it is said what that means."""
    st.markdown(
        say(
            "**The old answers stay in the world.** What they told about the people in these data "
            "adds to whatever a new budget tells: the true total is the sum of both. "
            "This cannot be undone, and the old ledger closes."
        )
    )
    epsilon = st.number_input(say("Epsilon"), 0.1, 50.0, LIMIT.epsilon, 0.5)
    delta = st.selectbox(say("Delta"), ["1e-5", "1e-6", "1e-7", "1e-8", "0"])
    rule = accounting.choice()
    sure = st.checkbox(say("I know that the privacy loss of both budgets adds up"))
    if primary(say("Open a new budget"), disabled=not sure):
        try:
            workspace().replace_budget(Cost.of(str(epsilon), delta), RULES[rule])
        except ParameterError as wrong:
            st.error(quoted(say(wrong)))
            return
        st.rerun()
