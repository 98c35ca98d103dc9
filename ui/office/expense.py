"""Expense: what a request costs, what was spent before and is after, and where that is written."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.curator.fixed import FixedPlan
from discreet.office.asked import LIVE, Inquiry
from discreet.ui.frame.costs import proof_of
from discreet.ui.frame.wording import period_named
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.office.details import Section


def show(asked: Inquiry, accounting: Section, inside: bool) -> None:
    """Show the costs; to people of the house also how long the budget lasts."""
    st.markdown(f"**{say('What it costs')}**")
    if asked.release is None and asked.state not in LIVE:
        st.caption(say("Nothing: it ended without an answer, and what was reserved has come back."))
        return
    st.dataframe(pd.DataFrame(_lines(accounting)), hide_index=True, width="stretch")
    if accounting["period"] is not None:
        label = period_named(accounting["period"]["label"])
        st.caption(quoted(f"{say(accounting['period']['rule'])} {say('This counts in: {label}.', label=label)}"))
    if isinstance(asked.request, FixedPlan):
        st.caption(proof_of(asked.request.total))
    st.caption(f"{quoted(say(accounting['composition']))} {quoted(say(accounting['refusals']))}")
    if inside:
        _future(accounting)
    charge = accounting["charge"]
    if charge is not None:
        st.caption(say("The charge on the ledger, and its newest line:"))
        st.code(f"{charge['line']}:{charge['hash']}\n{accounting['head']}", language=None, wrap_lines=True)


def _lines(accounting: Section) -> list[dict[str, str]]:
    """Return one line for each cost; delta has a column where something of it is spent."""
    costs = {
        say("Spent or reserved by other requests"): accounting["spent_before"],
        say("This request"): accounting["cost"],
        say("Both together"): accounting["spent_after"],
        say("Whole budget"): accounting["total"],
    }
    signs = {"ε": "epsilon", "δ": "delta"} if accounting["spent_after"]["delta"] else {"ε": "epsilon"}
    return [
        {say("Account"): name} | {sign: number(cost[key]) for sign, key in signs.items()}
        for name, cost in costs.items()
    ]


def _future(accounting: Section) -> None:
    """Show how long the budget lasts, and what else was released."""
    use = accounting["use"]
    st.caption(say("So many more like this fit: {times}.", times=number(use["more_like_this"])))
    if use["ends"] is not None:
        pace = number(use["pace"]["charges_a_week"], 3)
        st.caption(say("So far {pace} charges a week: the budget ends on {day}.", pace=pace, day=use["ends"]))
    if accounting["outside_of_this_ledger"]:
        st.caption(say("Releases outside of it: {others}", others=quoted(accounting["outside_of_this_ledger"])))
