"""Otherwise: the same question at other prices, and other methods that take less for the same error."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.curator.release import Question
from discreet.lab.report.risk import odds_factor
from discreet.office.alternatives import Alternative, cheaper, prices
from discreet.office.registration import Registration
from discreet.ui.frame.words import number, say


def show(question: Question, said: Registration) -> None:
    """Show both for a question alone; the rows of a plan share a total, and have no price by themselves."""
    if len(question.rows) != 1:
        return
    (request,) = question.rows
    with st.container(border=True):
        st.header(say("The same for less or more"), anchor=False)
        steps = prices(request, said)
        st.dataframe(_table(steps), hide_index=True, width="stretch")
        if any(step.half_width is None for step in steps):
            st.caption(say("The error depends on the rows, so nobody can say it before."))
            return
        others = cheaper(request, said)
        if not others:
            st.caption(say("No other method has the same error for all data and costs less."))
            return
        st.caption(say("Other methods with the same error for all data:"))
        st.dataframe(_table(others, methods=True), hide_index=True, width="stretch")


def _table(steps: Sequence[Alternative], methods: bool = False) -> pd.DataFrame:
    """Write prices, errors, and what each lets anybody learn."""
    return pd.DataFrame(
        [
            ({say("Method"): say(step.method)} if methods else {})
            | {
                "ε": f"{number(step.cost.epsilon, 3)}{' ←' if step.same else ''}",
                say("Error, 19 in 20"): "–" if step.half_width is None else f"± {number(step.half_width, 3)}",
                say("Odds, at most times"): number(odds_factor(step.cost), 3),
            }
            for step in steps
        ]
    )
