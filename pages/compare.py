"""Compare: every mechanism at equal cost, on open data or a scenario, and what to take."""

from typing import Any

import streamlit as st

from budget import Cost, ParameterError
from curator import contest
from curator.choices import choosing
from curator.contest import Ground
from ui import compare, sweeps, textbook
from ui.figures import answers
from ui.figures import contest as figures
from ui.words import quoted, say

VIEWS = {"errors": "Errors", "epsilon": "Against epsilon", "size": "Against people",
         "setting": "Against k or b"}  # fmt: skip
KINDS = {"own": "Your comparison", "textbook": "The textbook's comparisons"}


def own() -> None:
    """Show the contest that the person has set up."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        name = compare.statistic()
        if name == compare.CHOICE:
            counts, epsilon = compare.counts(), compare.cost().epsilon
        else:
            stand = compare.ground()
            query, price = compare.query(name, stand), compare.cost()
    with right:
        if name != compare.CHOICE:
            numbers(stand, query, price)
        elif counts is not None:
            compare.choices(choosing(counts[1], epsilon))
            with st.container(border=True):
                labels, scores = counts[1].labels, counts[1].counts.tolist()
                answers.counts(labels, scores, None, "permute-and-flip", "compare:counts")


def numbers(stand: Ground, query: Any, price: Cost) -> None:
    """Show errors of a number: who wins and why, side by side, and against one setting."""
    asked, told = compare.run(query, price, stand)
    st.caption(quoted(say("On {name}", name=stand.name)))
    compare.recommendation(contest.advice(asked, told, float(stand.bounds.resolution)), stand)
    view = st.segmented_control(
        say("Show"), list(VIEWS), default="errors", required=True, key="compare-view",
        format_func=lambda v: say(VIEWS[v]), label_visibility="collapsed", bind="query-params",
    )  # fmt: skip
    with st.container(border=True):
        if view == "errors":
            figures.errors(asked, told, float(stand.bounds.resolution), "compare:errors")
            compare.table(asked, told)
        else:
            sweeps.show(view, asked, query, price, stand)


st.title(say("Compare"), anchor=False)
kind = st.segmented_control(
    say("Kind"), list(KINDS), default="own", required=True, key="compare-kind",
    format_func=lambda k: say(KINDS[k]), label_visibility="collapsed", bind="query-params",
)  # fmt: skip
try:
    textbook.show() if kind == "textbook" else own()
except ParameterError as wrong:
    st.error(quoted(say(str(wrong))))
