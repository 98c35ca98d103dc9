"""Linked: which request this one follows and why that one ended, and which follow it."""

from __future__ import annotations

import streamlit as st

from discreet.office import House, Member
from discreet.office.asked import STATES, Inquiry
from discreet.office.revisions import beside
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import quoted, say


def show(house: House, who: Member, asked: Inquiry) -> None:
    """Show both ways; nothing where a request stands alone."""
    earlier, later = beside(house, who, asked.id)
    if earlier is not None:
        _earlier(earlier)
    if later:
        numbers = ", ".join(f"#{number}" for number in later)
        st.info(say("Asked again, changed: {requests}.", requests=numbers), icon=":material/arrow_forward:")


def _earlier(earlier: Inquiry) -> None:
    """Say what was asked before, how it ended, and what was said."""
    text = say(
        "Replaces #{number} ({state}): {question}, {cost}.",
        number=earlier.number,
        state=say(STATES[earlier.status]),
        question=quoted(in_words(earlier.request)),
        cost=quoted(str(earlier.cost)),
    )
    reason = f"  \n{say('The officer wrote: {reason}', reason=quoted(earlier.reason))}" if earlier.reason else ""
    st.info(text + reason, icon=":material/history:")
