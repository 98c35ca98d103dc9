"""Own: the contest that somebody has set up, and what comes out of it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discreet.budget import Cost, Phrase
from discreet.lab import contest
from discreet.lab.choices import choosing
from discreet.lab.contest import Contender, Ground
from discreet.lab.experiment import Experiment
from discreet.lab.publishable import Ranked, by_width
from discreet.ui.compare import advice, curves, subject
from discreet.ui.compare.ground import ground
from discreet.ui.figures import answers
from discreet.ui.figures import contest as figures
from discreet.ui.frame.links import view
from discreet.ui.frame.words import quoted, say
from discreet.ui.state import workspace

VIEWS = {
    "errors": Phrase("Errors"),
    "intervals": Phrase("Intervals"),
    "epsilon": Phrase("Against epsilon"),
    "size": Phrase("Against people"),
    "setting": Phrase("Against k or b"),
}


def show() -> None:
    """Show the contest: what is asked on the left, who wins on the right."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        name = subject.statistic()
        if name == subject.CHOICE:
            counts, epsilon = subject.counts(), subject.cost().epsilon
        else:
            stand = ground()
            query, price = subject.query(name, stand), subject.cost()
    with right:
        if name != subject.CHOICE:
            _numbers(stand, query, price)
        elif counts is not None:
            advice.choices(choosing(counts[1], epsilon))
            with st.container(border=True):
                labels, scores = counts[1].labels, counts[1].counts.tolist()
                answers.counts(labels, scores, None, "permute-and-flip", "compare:counts")


def _numbers(stand: Ground, query: Any, price: Cost) -> None:
    """Show errors of a number: who wins and why, side by side, and against one setting."""
    st.caption(quoted(say("On {name}", name=stand.name)))
    part = view(say("Show"), VIEWS, curves.VIEW)
    if part == "intervals":
        advice.intervals(_ranked(query, price, stand))
        return
    contenders, results = _held(query, price, stand)
    step = float(stand.bounds.resolution)
    advice.recommend(contest.advice(contenders, results, stand), stand)
    with st.container(border=True):
        if part == "errors":
            figures.errors(contenders, results, step, "compare:errors")
            advice.table(contenders, results)
        else:
            curves.show(part, contenders, query, price, stand)


def _ranked(query: Any, price: Cost, stand: Ground) -> list[Ranked]:
    """Rank by the interval that one can publish; those take part that draw one."""

    def rank() -> list[Ranked]:
        return by_width(contest.contenders(query, price, stand, intervals=True), stand)

    return workspace().here.remember(("widths", query, price, stand.name, stand.bounds), rank)


def _held(query: Any, price: Cost, stand: Ground) -> tuple[list[Contender], list[Experiment]]:
    """Hold the contest; the same question on the same ground is held once."""

    def hold() -> tuple[list[Contender], list[Experiment]]:
        contenders = contest.contenders(query, price, stand)
        return contenders, contest.run(contenders, query, stand, draws=2000, seed=1)

    return workspace().here.remember(("contest", query, price, stand.name, stand.bounds), hold)
