"""Lesson 9: five printed guarantees, what they are worth, and what passes the same test."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.lab.audit import ROUNDING
from discreet.lab.lessons import mistakes
from discreet.lab.lessons.mistakes import Case
from discreet.mechanisms.exhibit_global import TextbookGlobalMean
from discreet.mechanisms.exhibit_mean import TextbookLocalMean
from discreet.mechanisms.exhibit_ptr import TextbookPTR
from discreet.ui.figures import learn
from discreet.ui.figures.learn import Series
from discreet.ui.frame.words import number, say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.lesson import Step, lesson, numbers

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
FORMS = {"printed": Phrase("Printed"), "corrected": Phrase("Corrected")}
Chosen = tuple[Case, str, int]


def _form(by: Controls) -> str:
    return by.choose("form", say("Which form"), FORMS)


def global_controls(by: Controls) -> Chosen:
    """Choose the form, epsilon, the highest value, and a draw of the attack."""
    form = _form(by)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε"), EPSILONS, 1.0)
    with right:
        upper = by.pick("upper", say("Highest value u"), (5, 10, 20, 50, 75, 100), 20)
    return mistakes.global_mean(epsilon, int(upper)), form, by.draw()


def local_controls(by: Controls) -> Chosen:
    """Choose the form, epsilon, the lowest value, the people, and a draw of the attack."""
    form = _form(by)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε"), EPSILONS, 1.0)
        people = by.pick("people", say("People n"), (3, 10, 40, 200, 1000), 40)
    with right:
        lower = by.pick("lower", say("Lowest value l"), (-1000, -100, -50, 0), -100)
        draw = by.draw()
    return mistakes.local_mean(epsilon, int(lower), int(people)), form, draw


def tested_controls(by: Controls) -> Chosen:
    """Choose the form, epsilon, delta, the people before the jump, and a draw of the attack."""
    form = _form(by)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε"), (0.5, 1.0, 2.0, 3.0), 1.0)
        ones = by.whole("ones", say("People t at 1"), 0, 12, 2)
    with right:
        delta = by.pick("delta", say("δ"), (1e-6, 1e-4, 1e-3, 1e-2), 1e-3)
        draw = by.draw()
    return mistakes.tested(epsilon, delta, ones), form, draw


def smooth_controls(by: Controls) -> Chosen:
    """Choose the form, epsilon, delta, and a draw of the attack."""
    form = _form(by)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε"), (0.5, 1.0, 2.0, 4.0, 6.0, 8.0), 6.0)
    with right:
        delta = by.pick("delta", say("δ"), (1e-6, 1e-3, 1e-2, 0.1), 0.1)
    return mistakes.smooth(epsilon, delta), form, by.draw()


def chunks_controls(by: Controls) -> Chosen:
    """Choose the form, epsilon, the chunks, and a draw of the blocks and the attack."""
    form = _form(by)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε"), (0.01, 0.05, 0.1, 0.5, 1.0), 0.1)
    with right:
        k = by.pick("k", say("Chunks k"), (2, 6, 20, 60, 200, 600), 20)
    draw = by.draw()
    return mistakes.chunks(epsilon, int(k), draw), form, draw


def exhibit(settings: Chosen, key: str) -> None:
    """Show the claim, the exact truth of both forms, the attack, and both distributions."""
    case, form, seed = settings
    _told(case, form, seed)
    found = mistakes.bars(case, form)
    without, within = found.without.tolist(), found.within.tolist()
    axes = say("Answer"), say("Chance")
    layout: dict[str, Any] = {"yaxis_tickformat": ".0%"}
    labels: list[object] = found.middles.tolist()
    if isinstance(case.printed, TextbookPTR):  # refusals, rare answers: only logarithms show both
        without, within = [found.refused[0], *without], [found.refused[1], *within]
        labels = [say("refused"), *(number(float(at), 3) for at in found.middles)]
        axes = say("Answer"), say("Chance (logarithmic)")
        layout = {
            "yaxis_type": "log",
            "yaxis_range": [-6, 0.1],
            "yaxis_dtick": 2,
            "yaxis_tickformat": ".4~%",
            "xaxis_type": "category",
            "xaxis_nticks": 8,
            "xaxis_tickangle": 0,
        }
    learn.bars(
        labels,
        [Series(say("without the person"), without, "global"), Series(say("with the person"), within, "ptr")],
        axes,
        say(
            "Exact chances of the answers without and with one person. δ is {printed} as printed "
            "and {corrected} corrected; {claimed} is claimed.",
            printed=_delta(case, "printed"),
            corrected=_delta(case, "corrected"),
            claimed=number(case.printed.claim.delta, 3),
        ),
        key,
        bargap=0.05,
        **layout,
    )


def _told(case: Case, form: str, seed: int) -> None:
    """Show the four numbers of an exhibit and the verdict in words."""
    finding = mistakes.attack(case, form, seed)
    numbers(
        {
            say("δ claimed"): number(case.printed.claim.delta, 3),
            say("δ as printed"): _delta(case, "printed"),
            say("δ corrected"): _delta(case, "corrected"),
            say("ε by attack"): f"≥ {number(finding.epsilon, 3)}",
        }
    )
    st.caption(_verdict(case, form, finding.refuted))


def _delta(case: Case, form: str) -> str:
    return _small(case.exact(form).delta)


def _small(delta: float) -> str:
    return number(delta, 3) if delta > ROUNDING else "0"


def _verdict(case: Case, form: str, refuted: bool) -> str:
    """Say what the attack found, what is exactly true, and what holds over all data."""
    holds, title = case.exact(form).holds, say(case.corrected.title)
    if refuted and holds:
        return say("**False alarm:** 1 attack in 100 at most accuses a right claim. The exact δ keeps it.")
    if form == "corrected" and case.corrected.view.in_blocks:
        return say(
            "*{title}* keeps the claim, here with the blocks of this draw, and the attack finds nothing.", title=title
        )
    if form == "corrected":
        return say("*{title}* keeps the claim, and the attack finds nothing.", title=title)
    worth = _worth(case)
    if refuted:
        return say(
            "**Refuted**, 99 % sure, by {answers:,} answers each. {worth}", answers=mistakes.ANSWERS, worth=worth
        )
    if holds:
        return say("**Keeps its claim** on this pair. {worth}", worth=worth)
    return say(
        "**False** exactly, but {answers:,} answers cannot show it. {worth}", answers=mistakes.ANSWERS, worth=worth
    )


def _worth(case: Case) -> str:
    """Say what the printed form guarantees, as far as the exhibit itself can tell."""
    truth = case.truth
    epsilon, delta = number(truth.epsilon, 3), _small(truth.delta)
    if isinstance(case.printed, TextbookLocalMean):
        return say(
            "With {people} people δ is {delta} at this ε, and 0 at none.", people=case.public.size_guess, delta=delta
        )
    if isinstance(case.printed, TextbookGlobalMean):
        return say("For these bounds it is ({epsilon}, {delta})-DP.", epsilon=epsilon, delta=delta)
    return say("Over all data it is ({epsilon}, {delta})-DP.", epsilon=epsilon, delta=delta)


lesson(
    "lesson_9_mistakes",
    {
        "global": Step(
            Phrase("Noise for u"),
            Phrase(
                "A noisy sum over a noisy count, as if one row moved the sum by u at most. A row "
                "at −100 moves it by 100. The pair: 1,000 people at 0.8 u, and one more at −100."
            ),
            Phrase("From which u on does the claim hold, and why there?"),
            global_controls,
            exhibit,
        ),
        "local": Step(
            Phrase("Local noise"),
            Phrase(
                "Noise scaled to u/(n+1), with u = 100. But the mean moves by (u−l)/n, and the "
                "scale tells n. The pair: n−1 people at l, and one more at u."
            ),
            Phrase("Set l to 0: is the claim true now? With more people?"),
            local_controls,
            exhibit,
        ),
        "test": Step(
            Phrase("The test"),
            Phrase(
                "Test and answer spend ε each, and the threshold is too low. The pair: t+1 people "
                "at 0, t at 1, one at 1,000; one more at 1,000. Their median, b = 0.5."
            ),
            Phrase("Set t to 0: the median jumps. How often is that told?"),
            tested_controls,
            exhibit,
        ),
        "smooth": Step(
            Phrase("Smooth"),
            Phrase(
                "The printed maximum leaves out k = 0, so S may be too small. A hard pair for "
                "a median: 20 people at 0, one further up, 21 at 100, and one more at 100."
            ),
            Phrase("Take ε = 1 and δ = 1e-6. Wrong, or only careless?"),
            smooth_controls,
            exhibit,
        ),
        "chunks": Step(
            Phrase("Chunks"),
            Phrase(
                "A file cut into k chunks in its order. Without its first row every chunk shifts. "
                "The pair: 0, 0, 100, 100, … with and without it; the standard deviation."
            ),
            Phrase("Take 600 chunks at ε = 0.01. How strict is that?"),
            chunks_controls,
            exhibit,
        ),
    },
)
