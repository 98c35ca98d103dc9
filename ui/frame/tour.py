"""Tour: five stops on the real screens, each a box at the top of its screen while the tour is running."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.ui.frame.links import link
from discreet.ui.frame.words import say
from discreet.ui.session.state import workspace

STOPS = {
    "data": Phrase(
        "**The data.** The sample is open: made-up people, whose rows may be seen. A table of your own is protected: "
        "nothing of its rows is shown. Below stands what was said of the columns from public knowledge, before "
        "anybody looked: bounds and levels."
    ),
    "smooth_sensitivity": Phrase(
        "**A question.** Move epsilon: less of it protects better and answers worse. Before anything is spent you see "
        "how far off the answer may be, and the button says what it costs. Press it: the charge is made before a row "
        "is read, and the same question again costs nothing."
    ),
    "plan": Phrase(
        "**A plan.** Choose several statistics, columns and groups: each choice is a row. One total pays for all of "
        "them, each row says its error, and you may wish for a smaller one. One press answers them all."
    ),
    "answers": Phrase(
        "**The answers.** Everything that was released stands here, from whatever screen, with its interval. Choose "
        "lines to see how they were given, and take them along as a report that one can give away."
    ),
    "budget": Phrase(
        "**The budget.** Every charge, and what it was for. None is ever given back, and when nothing is left nothing "
        "is answered: that keeps the promise to the people in the data."
    ),
}


def stop(page: str) -> None:
    """Show the box of a screen while the tour is running."""
    if not workspace().touring or page not in STOPS:
        return
    names = list(STOPS)
    at = names.index(page)
    with st.container(border=True, key="tour"):
        st.caption(say("Tour, stop {number} of {all}", number=at + 1, all=len(names)))
        st.markdown(say(STOPS[page]))
        with st.container(horizontal=True, vertical_alignment="center"):
            if at:
                link(names[at - 1], say("Back"), "arrow_back")
            if at + 1 < len(names):
                link(names[at + 1], say("Next stop"), "arrow_forward")
            st.button(
                say("Leave the tour") if at + 1 < len(names) else say("End the tour"),
                type="tertiary",
                on_click=leave_tour,
            )


def invitation(label: str, key: str) -> None:
    """Offer the tour while it is not running."""
    if not workspace().touring:
        st.button(label, icon=":material/tour:", type="tertiary", on_click=begin, key=key)


def way_back() -> None:
    """Link to the first stop when the tour is running on another screen; otherwise offer the tour."""
    if workspace().touring:
        link("data", say("Tour, from the first stop"), "tour")
    else:
        invitation(say("Tour in five stops"), "tour:sidebar")


def begin() -> None:
    """Begin the tour, from any screen."""
    workspace().touring = True


def leave_tour() -> None:
    """Leave the tour; it can be started again."""
    workspace().touring = False
