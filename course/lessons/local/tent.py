"""Tent: decreasing weights over A(k), and the maximum of their product."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import Phrase
from discreet.course.controls import Controls
from discreet.course.figures import Distance, Mark, percent
from discreet.course.guessing import GuessPoint
from discreet.course.lesson import numbers
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.local.answers import ANSWERS
from discreet.course.lessons.local.book import PAGES
from discreet.course.lessons.local.guesses import GUESSES, OLD, TAIL, YOUNG
from discreet.course.lessons.local.letters import LETTERS
from discreet.course.steps import Step
from discreet.lab.explain import Smoothed
from discreet.mechanisms.smooth import M_CHOICES
from discreet.queries.median import Median
from discreet.ui.figures import curves, theme
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

MOST = 12
FURTHEST = 24
HIGHEST = 1.05 * Median().global_sensitivity(local.AGES)
Chosen = tuple[int, int, int, int]


def tent_controls(by: Controls) -> Chosen:
    """Choose the two groups, how fast the weights decrease, and a distance."""
    left, right = st.columns(2)
    with left:
        young = by.whole("young", say("People around 40"), 1, MOST, YOUNG)
    with right:
        old = by.whole("old", say("People around 80"), 1, MOST, OLD)
    m = int(by.pick("m", say("Tail m (β = 1/m)"), M_CHOICES[:8], TAIL))
    return young, old, m, by.whole("k", say("Distance k in people"), 0, FURTHEST, 0)


def tents(settings: Chosen, key: str) -> None:
    """Draw the weights over A(k), and the chosen distance."""
    young, old, m, k = settings
    smoothed = local.tent(young, old, m)
    k = min(k, int(smoothed.k[-1]))
    numbers(
        {
            say("A({k})", k=k): number(float(smoothed.rungs[k]), 3),
            say("Its weight"): percent(smoothed.tent[k], 1),
            say("Their product"): number(float(smoothed.weighted[k]), 3),
            say("Smooth bound S"): number(smoothed.bound, 3),
        }
    )
    here = [] if k == smoothed.peak else [Mark(k, say("k = {k}", k=k), "quiet", "dash")]
    best = Mark(smoothed.peak, say("S = {s}", s=number(smoothed.bound, 3)), "truth")
    rungs = smoothed.k[: FURTHEST + 1].tolist()
    on_curve = float(smoothed.weighted[k])
    grip = Handle(f"{key}-k", say("Distance k in people"), rungs, rungs, k, beside=on_curve)
    _figure(smoothed, [best, *here, *POINT.marks(key, settings)], grip, key)


def _figure(smoothed: Smoothed, marks: Sequence[Mark | Distance], grip: Handle, key: str) -> None:
    """Draw the weights and A(k), with the marks."""
    fig = curves.tent(smoothed, HIGHEST)
    curves.product(fig, smoothed)
    for mark in marks:
        mark.draw(fig)
    theme.show(fig, curves.reached(smoothed), curves.columns(smoothed), f"{key}:figure", height=None, grips=[grip])


def _frame(key: str, grip: Handle) -> None:
    """Draw A(k) and the weights, without their product."""
    smoothed = local.tent(YOUNG, OLD, TAIL)
    words = say("The ladder A(k) rises with k while its weight falls. Their product is not shown yet.")
    theme.show(curves.tent(smoothed, HIGHEST), words, {}, f"{key}:figure", height=None, grips=[grip])


POINT = GuessPoint(GUESSES["tent"], _frame, lambda settings: settings[:3] == (YOUNG, OLD, TAIL), "x")

TENT = Step(
    "tent",
    Phrase("The tent"),
    Phrase(
        "As k grows, A(k) grows, but its weight e^(−βk), drawn as a tent, shrinks. The largest "
        "product of the two is the smooth sensitivity S, which sets the noise. S reacts to a jump "
        "before the dataset reaches it."
    ),
    Phrase("Move k: where is the product largest? Next, remove one person around 40: does S jump?"),
    tent_controls,
    tents,
    GUESSES["tent"],
    PAGES["tent"],
    POINT,
    letters=LETTERS["tent"],
    answer=ANSWERS["tent"],
)
