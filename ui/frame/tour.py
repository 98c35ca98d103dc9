"""Tour: five stops on the real screens, each a box at the top of its screen while the tour is running."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.ui.frame.links import link
from discreet.ui.frame.words import say
from discreet.ui.session.state import workspace

STOPS = {
    "dataset": Phrase(
        "**Dataset.** The sample is public: its people are simulated, so you may see every row. A dataset "
        "you upload is protected, and none of its rows is shown. Below is the schema: what is publicly "
        "known about each column, declared before anyone looked at the data."
    ),
    "query": Phrase(
        "**Query.** Move ε: a smaller ε protects people better and gives less accurate results. You see "
        "the expected error before you spend anything, and the button shows the cost. The budget is "
        "charged before any row is read. Running the same query again is free."
    ),
    "plan": Phrase(
        "**Plan.** Choose several statistics, columns and groups. Each combination is one query, and one "
        "total budget covers them all. Each query shows its margin of error, and you can set a target. "
        "One click releases all results."
    ),
    "results": Phrase(
        "**Results.** Every result you release from this dataset is listed here with its interval, "
        "whichever page you used. Select results to see their details, and export them as a report."
    ),
    "budget": Phrase(
        "**Budget.** This page lists every charge and its purpose. Spent budget is not refunded, and no "
        "result is released once the budget is used up. This keeps the privacy guarantee valid."
    ),
}


def stop(page: str) -> None:
    """Show the box of a screen while the tour is running."""
    if not workspace().touring or page not in STOPS:
        return
    names = list(STOPS)
    at = names.index(page)
    with st.container(border=True, key="tour"):
        st.caption(say("Tour: step {number} of {all}", number=at + 1, all=len(names)))
        st.markdown(say(STOPS[page]))
        with st.container(horizontal=True, vertical_alignment="center"):
            if at:
                link(names[at - 1], say("Back"), "arrow_back")
            if at + 1 < len(names):
                link(names[at + 1], say("Next step"), "arrow_forward")
            st.button(
                say("Leave tour") if at + 1 < len(names) else say("End tour"), type="tertiary", on_click=leave_tour
            )


def invitation(label: str, key: str) -> None:
    """Offer the tour while it is not running."""
    if not workspace().touring:
        st.button(label, icon=":material/tour:", type="tertiary", on_click=begin, key=key)


def way_back() -> None:
    """Link to the first stop when the tour is running on another screen; otherwise offer the tour."""
    if workspace().touring:
        link("dataset", say("Restart tour"), "tour")
    else:
        invitation(say("Take the tour"), "tour:sidebar")


def begin() -> None:
    """Begin the tour, from any screen."""
    workspace().touring = True


def leave_tour() -> None:
    """Leave the tour; it can be started again."""
    workspace().touring = False
