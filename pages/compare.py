"""Compare: every mechanism at equal cost, on open data or a scenario, and what to take."""

from typing import Any

import streamlit as st

from discreet.budget import Cost, ParameterError, Phrase
from discreet.lab import contest
from discreet.lab.choices import choosing
from discreet.lab.contest import Ground
from discreet.ui.compare import contest as compare
from discreet.ui.compare import curves as sweeps
from discreet.ui.compare import printed as textbook
from discreet.ui.figures import answers
from discreet.ui.figures import contest as figures
from discreet.ui.frame.links import view
from discreet.ui.frame.words import quoted, say

VIEWS = {
    "errors": Phrase("Errors"),
    "epsilon": Phrase("Against epsilon"),
    "size": Phrase("Against people"),
    "setting": Phrase("Against k or b"),
}
KINDS = {"own": Phrase("Your comparison"), "textbook": Phrase("The textbook's comparisons")}


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
    part = view(say("Show"), VIEWS, "compare-view")
    with st.container(border=True):
        if part == "errors":
            figures.errors(asked, told, float(stand.bounds.resolution), "compare:errors")
            compare.table(asked, told)
        else:
            sweeps.show(part, asked, query, price, stand)


st.title(say("Compare"), anchor=False)
kind = view(say("Kind"), KINDS, "compare-kind")
try:
    textbook.show() if kind == "textbook" else own()
except ParameterError as wrong:
    st.error(quoted(say(wrong)))
