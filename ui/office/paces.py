"""Paces: how fast a budget may be spent, as fields of a registration."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Cost, Phrase
from discreet.budget.allowance import MOST_CARRIED, Allowance
from discreet.ui.frame.words import say
from discreet.ui.office.entries import Entries
from discreet.ui.office.policies import DELTAS

ANY = ""
SPANS = {
    ANY: Phrase("At any time"),
    "month": Phrase("So much in each month"),
    "quarter": Phrase("So much in each quarter"),
    "year": Phrase("So much in each year"),
    "wave": Phrase("So much in each wave, or version of the rows"),
}


def ask(entries: Entries) -> None:
    """Ask when the budget may be spent, and what is carried over."""
    span = st.selectbox(
        say("The budget may be spent"), list(SPANS), key=entries.key("span"), format_func=lambda name: say(SPANS[name])
    )
    if span == ANY:
        return
    left, middle, right = st.columns(3)
    left.number_input(say("Epsilon of each"), 0.01, 50.0, 0.5, 0.1, key=entries.key("span-epsilon"))
    middle.selectbox(say("Delta of each"), DELTAS, 3, key=entries.key("span-delta"))
    right.number_input(
        say("Carried over, at most"),
        0,
        MOST_CARRIED,
        0,
        key=entries.key("carried"),
        help=say("What is left of a period is carried to the next, up to so many times its size. 0: it lapses."),
    )


def period_of(entries: Entries) -> str:
    """Return the rule that the fields say at this moment, as it is written."""
    span = entries.value("span", ANY) or ANY
    if span == ANY:
        return ANY
    each = Cost.of(str(entries.value("span-epsilon")), entries.value("span-delta"))
    return Allowance(span, each, int(entries.value("carried"))).written
