"""Repeated: who asks the same at whatever epsilon, because the answers of one question can be averaged."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.budget import Cost
from discreet.office.asked import STATES
from discreet.office.snapshot import Snapshot
from discreet.ui.frame.words import say


def repeated(shown: Snapshot) -> None:
    """Show the same question of others, or of the same person."""
    with st.container(border=True):
        st.header(say("The same question, at any epsilon"), anchor=False)
        if not shown.same:
            st.caption(say("Nobody else has asked this of these data, and it was not asked before."))
            return
        answered = [asked.release.cost for asked in shown.same if asked.release is not None]
        waits = [asked.cost for asked in shown.same if asked.status == "waiting"]
        st.caption(
            say(
                "Answered: {answered}, for {spent}. Waiting beside this one: {waiting}, for {reserved}. Answers to one "
                "question can be averaged: what counts is the sum of their costs.",
                answered=len(answered),
                spent=str(sum(answered, Cost.zero())),
                waiting=len(waits),
                reserved=str(sum(waits, Cost.zero())),
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
