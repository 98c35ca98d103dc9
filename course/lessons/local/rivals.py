"""Rivals: global sensitivity and the three safe mechanisms, at equal cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.lesson import numbers
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.local.book import PAGES
from discreet.course.lessons.local.guesses import GUESSES, STATISTICS
from discreet.course.lessons.local.letters import LETTERS
from discreet.course.steps import Step
from discreet.ui.frame.words import number, say

EPSILONS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
SIZES = (50, 100, 300, 1000, 3000, 10_000, 30_000)
TIMES = (0.1, 0.3, 0.5, 1.0, 2.0, 5.0, 20.0)
LEAST = 1e-3
SCALES: dict[str, Any] = {"yaxis_type": "log", "yaxis_range": [-3.2, 2.4], "yaxis_dtick": 1, "xaxis_range": [-0.5, 3.5]}


def ways_controls(by: Controls) -> tuple[str, int, float, float]:
    """Choose the statistic, the number of people, epsilon, and how good the proposal is."""
    name = by.choose("statistic", say("Statistic"), STATISTICS)
    left, right = st.columns(2)
    with left:
        people = int(by.pick("people", say("People"), SIZES, 300))
    with right:
        epsilon = by.pick("epsilon", say("ε"), EPSILONS, 1.0)
    return name, people, epsilon, by.pick("b", say("Proposed b, as a multiple of the best one"), TIMES, 1.0)


def ways(settings: tuple[str, int, float, float], key: str) -> None:
    """Draw the errors of global sensitivity and of the three safe mechanisms at equal cost."""
    rivals = local.ways(*settings)
    titles = (say("Global"), say("Test"), say("Smooth"), say("Blocks"))
    margins = [say("no result") if rival.refusals > 0.5 else f"± {number(rival.error, 3)}" for rival in rivals]
    numbers(dict(zip(titles, margins, strict=True)))
    named = (f"{say(rival.kind.title)} {margin}" for rival, margin in zip(rivals, margins, strict=True))
    st.caption(_apart(titles, [rival.error for rival in rivals]))
    figures.dots(
        titles,
        [max(rival.error, LEAST) for rival in rivals],
        [rival.kind.family.key for rival in rivals],
        ("", say("Margin of error (95%, logarithmic)")),
        say("Margins of error at equal cost: {listed}.", listed=", ".join(named)),
        key,
        **SCALES,
    )


def _apart(titles: Sequence[str], errors: Sequence[float]) -> str:
    """State the ratio of the best error to that of global sensitivity: a logarithmic axis hides it."""
    best = min(range(len(errors)), key=lambda way: math.inf if math.isnan(errors[way]) else errors[way])
    if best == 0:
        return say("No mechanism has a smaller error than global noise.")
    return say(
        "{way} has the smallest error. Global noise has {times} times as much.",
        way=titles[best],
        times=number(errors[0] / max(errors[best], LEAST), 3),
    )


RIVALS = Step(
    "ways",
    Phrase("Three safe mechanisms"),
    Phrase(
        "Three mechanisms use local sensitivity safely. Test that the dataset is far from any "
        "jump, and release nothing if it is not. Smooth the sensitivity so that it reveals "
        "nothing. Or compute on blocks and aggregate. All use the same ε and δ = 1e-6, with ages "
        "of the census."
    ),
    Phrase("Which is best for 50 people, which for 30,000? Next, propose another b: which results stay as they are?"),
    ways_controls,
    ways,
    GUESSES["ways"],
    PAGES["ways"],
    letters=LETTERS["ways"],
)
