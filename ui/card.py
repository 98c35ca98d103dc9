"""The card of a release for people: the promise, the answer, the budget, then the rest."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.curator import Schema
from discreet.office import cards
from discreet.office.asked import LIVE, Inquiry
from discreet.office.snapshot import Snapshot
from discreet.ui import details
from discreet.ui.answers import asked as question
from discreet.ui.answers import cell, read, span
from discreet.ui.details import Made
from discreet.ui.units import unit_of
from discreet.ui.words import number, quoted, say

VARIANTS = {
    "Pure DP": Phrase("pure differential privacy"),
    "Approximate DP": Phrase("approximate differential privacy"),
    "Zero-concentrated DP": Phrase("zero-concentrated differential privacy"),
}


def show(snapshot: Snapshot, names: bool) -> None:
    """Show a card; without names to whoever is not signed in."""
    made, asked = cards.card(snapshot, names), snapshot.asked
    _asked(asked, made, snapshot.data.registration.schema, not names)
    _promise(made["guarantee"])
    _account(asked, made["accounting"], names)
    with st.expander(say("What is not protected"), icon=":material/visibility:"):
        details.points(made["guarantee"]["unprotected_quantities"])
        st.caption(quoted(say(made["data"]["rows"])))
    with st.expander(say("The data"), icon=":material/table:"):
        details.data(made)
    with st.expander(say("How it is computed"), icon=":material/function:"):
        details.mechanism(made["mechanism"], made["guarantee"]["neighbours"])
    with st.expander(say("How exact it is"), icon=":material/straighten:"):
        details.accuracy(made["accuracy"])
    with st.expander(say("What was checked"), icon=":material/verified:"):
        details.evidence(made["evidence"], made["data"]["fingerprint"])
    with st.expander(say("Who asked, who decided"), icon=":material/group:"):
        details.people(made)


def _promise(told: Made) -> None:
    """State what the guarantee means for one person, then its numbers."""
    st.markdown(f"**{say('What is promised')}**")
    guess, *others = told["risk"]["in_words"]
    st.markdown(quoted(say(guess)))
    st.caption(quoted(say(told["privacy_unit_details"])))
    with st.expander(say("The promise in numbers"), icon=":material/balance:"):
        left, middle, right = st.columns(3)
        left.metric(say("Epsilon"), number(told["epsilon"]))
        middle.metric(say("Delta"), number(told["delta"]))
        right.metric(say("For"), say(told["privacy_unit"]))
        st.caption(quoted(say(VARIANTS[told["variant"]])))
        details.points([*others, told["risk_of_budget"]["in_words"][0]])


def _asked(asked: Inquiry, made: Made, schema: Schema, public: bool) -> None:
    """Show the question, what it is worth and, if there is one, the answer."""
    st.markdown(f"**{say('What is asked')}**")
    st.text(f"{made['data']['name']} · {question(asked.request)}")
    if public:
        st.caption(say("Purpose: {purpose}", purpose=quoted(asked.purpose)))
    release = asked.release
    if release is None:
        st.caption(say("Not answered: {state}.", state=say(made["identity"]["state"])))
    elif release.refused:
        st.subheader(say("refused"), anchor=False)
    elif isinstance(release.answer, tuple):
        st.dataframe(pd.DataFrame(_lines(made["release"])), hide_index=True, width="stretch")
    else:
        text = f"{number(release.answer, 6)}{unit_of(asked.request, schema)}"
        st.subheader(quoted(text), anchor=False)
        _interval(release.interval)
    _worth(made["accuracy"], made["release"]["no_interval"])
    read(asked.request, schema)


def _worth(told: Made, why: Phrase) -> None:
    """Say openly how exact an answer is, and warn of one that tells nothing."""
    if told["warning"] is not None:
        st.warning(quoted(say(told["warning"])))
    if told["half_width"] is not None:
        st.caption(
            say(
                "19 times in 20 the answer is within {width} of the value of the rows as read.",
                width=number(told["half_width"], 3),
            )
        )
    else:
        st.caption(quoted(say("No interval: {why}", why=say(why))))


def _interval(interval: Any) -> None:
    if interval:
        low, high = (number(end, 5) for end in interval)
        st.caption(
            say("19 times in 20 the value of the rows as read lies between {low} and {high}.", low=low, high=high)
        )


def _lines(told: Made) -> list[dict[str, str]]:
    """Return the numbers of an answer that has several, one line each."""
    answer, intervals = told["answer"], told["interval"]
    if told["plain"]["by"] is not None:
        spans = dict(intervals or ())
        return [
            {say("Group"): group, say("Answer"): cell(value), say("19 in 20"): span(spans.get(group))}
            for group, value in answer
        ]
    names = told["parts"] or [str(at + 1) for at in range(len(answer))]
    return [
        {say("Part"): details.said(name), say("Answer"): cell(value)}
        for name, value in zip(names, answer, strict=False)
    ]


def _account(asked: Inquiry, told: Made, inside: bool) -> None:
    """Show what it costs, what was spent before and is after, and where that is written."""
    st.markdown(f"**{say('What it costs')}**")
    if asked.release is None and asked.state not in LIVE:
        st.caption(say("Nothing: it ended without an answer, and what was reserved has come back."))
        return
    rows = {
        say("Spent or reserved by other requests"): told["spent_before"],
        say("This request"): told["cost"],
        say("Both together"): told["spent_after"],
        say("Whole budget"): told["total"],
    }
    signs = {"ε": "epsilon", "δ": "delta"} if told["spent_after"]["delta"] else {"ε": "epsilon"}
    st.dataframe(
        pd.DataFrame(
            [
                {say("Account"): name} | {sign: number(cost[key]) for sign, key in signs.items()}
                for name, cost in rows.items()
            ]
        ),
        hide_index=True,
        width="stretch",
    )
    st.caption(f"{quoted(say(told['composition']))} {quoted(say(told['refusals']))}")
    if inside:
        _future(told)
    charge = told["charge"]
    if charge is not None:
        st.caption(say("The charge on the ledger, and its newest line:"))
        st.code(f"{charge['line']}:{charge['hash']}\n{told['head']}", language=None)


def _future(told: Made) -> None:
    """Show how long the budget lasts, and what else was released."""
    use = told["use"]
    st.caption(say("So many more like this fit: {times}.", times=number(use["more_like_this"])))
    if use["ends"] is not None:
        pace = number(use["pace"]["charges_a_week"], 3)
        st.caption(say("So far {pace} charges a week: the budget ends on {day}.", pace=pace, day=use["ends"]))
    if told["outside_of_this_ledger"]:
        st.caption(say("Releases outside of it: {others}", others=quoted(told["outside_of_this_ledger"])))
