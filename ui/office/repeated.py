"""Repeated: who asked the same before, because the answers of one question can be averaged."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.office.asked import STATES
from discreet.office.snapshot import Snapshot
from discreet.ui.frame.words import say


def repeated(shown: Snapshot) -> None:
    """Show the same question of others, or of the same person."""
    with st.container(border=True):
        st.header(say("The same question before"), anchor=False)
        if not shown.same:
            st.caption(say("Nobody has asked this of these data."))
            return
        st.caption(
            say(
                "Answered {times} times. Answers to one question can be averaged: what counts is "
                "the sum of their costs.",
                times=sum(asked.release is not None for asked in shown.same),
            )
        )
        st.dataframe(_table(shown), hide_index=True, width="stretch")


def _table(shown: Snapshot) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                say("Request"): f"#{asked.number}",
                say("By"): shown.name(asked.analyst),
                say("Cost"): str(asked.cost),
                say("State"): say(STATES[asked.status]),
            }
            for asked in shown.same
        ]
    )
