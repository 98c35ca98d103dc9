"""Refuting: the exact distributions of a claim and of its correction, and the attack."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.figures import Series, Shade
from discreet.course.lesson import numbers
from discreet.course.lessons.mistakes import numbers as mistakes
from discreet.course.lessons.mistakes.numbers import Case
from discreet.course.lessons.mistakes.verdict import delta, verdict
from discreet.evidence.audit import Finding
from discreet.mechanisms.exhibits.ptr import TextbookPTR
from discreet.ui.frame.words import number, say

Chosen = tuple[Case, str, int]
SIDES = ((Phrase("without Mia"), "without"), (Phrase("with Mia"), "with"))


def exhibit(settings: Chosen, key: str) -> None:
    """Show the claim, the exact guarantee of both versions, the attack, and both distributions."""
    case, form, seed = settings
    finding = mistakes.attack(case, form, seed)
    numbers(
        {
            say("Claimed δ"): number(case.printed.claim.delta, 3),
            say("Textbook δ"): delta(case, "printed"),
            say("Corrected δ"): delta(case, "corrected"),
            say("ε by attack"): f"≥ {number(finding.epsilon, 3)}",
        }
    )
    st.caption(f"{verdict(case, form, finding.refuted)} {_event(finding)}")
    figure = _rare if isinstance(case.printed, TextbookPTR) else _usual
    bars = mistakes.bars(case, form)
    figure(bars, mistakes.cells(bars, finding.event), _words(case), key)


def _event(finding: Finding) -> str:
    """Describe the event that the attack uses, and how often it occurred."""
    return say(
        "The attack counts results in the shaded area: {within} of {all} with Mia, {without} without.",
        without=number(finding.hits[0]),
        within=number(finding.hits[1]),
        all=number(mistakes.ANSWERS // 2),
    )


def _words(case: Case) -> str:
    return say(
        "Exact probabilities of the results without and with Mia. The textbook version needs δ = "
        "{printed}, the corrected one {corrected}. The claim is {claimed}.",
        printed=delta(case, "printed"),
        corrected=delta(case, "corrected"),
        claimed=number(case.printed.claim.delta, 3),
    )


def _usual(chances: mistakes.Bars, event: Sequence[tuple[int, int]], words: str, key: str) -> None:
    """Draw both distributions on a linear scale, and shade the event of the attack."""
    pair = (chances.without.tolist(), chances.within.tolist())
    middles = chances.middles
    first = float(middles[0])
    width = float(middles[1] - middles[0])
    figures.bars(
        middles.tolist(),
        [Series(say(name), y, hue) for (name, hue), y in zip(SIDES, pair, strict=True)],
        (say("Result"), say("Probability")),
        words,
        key,
        [Shade(first + (max(low, 1) - 1.5) * width, first + (high - 0.5) * width) for low, high in event if high],
        bargap=0.05,
        yaxis_tickformat=".0%",
    )


def _rare(chances: mistakes.Bars, event: Sequence[tuple[int, int]], words: str, key: str) -> None:
    """Draw refusals beside rare results as dots: only a logarithmic scale shows both."""
    chances_ = ([chances.refused[0], *chances.without.tolist()], [chances.refused[1], *chances.within.tolist()])
    figures.lines(
        [say("no result"), *(number(float(at), 3) for at in chances.middles)],
        [Series(say(name), y, hue, at=-1, marks=True) for (name, hue), y in zip(SIDES, chances_, strict=True)],
        (say("Result"), say("Probability (logarithmic)")),
        words,
        key,
        [Shade(low - 0.5, high + 0.5) for low, high in event],
        yaxis_type="log",
        yaxis_range=[-6, 0.1],
        yaxis_dtick=2,
        yaxis_tickformat=".4~%",
        xaxis_type="category",
        xaxis_nticks=5,
        xaxis_tickangle=0,
        showlegend=True,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    )
