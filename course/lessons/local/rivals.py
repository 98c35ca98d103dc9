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
    margins = [_margin(rival) for rival in rivals]
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
        [_size(rival.error) for rival in rivals],
        **SCALES,
    )


def _margin(rival: local.Way) -> str:
    if rival.refusals > 0.5:
        return say("no result")
    return _size(rival.error) if rival.error < LEAST else f"± {_size(rival.error)}"


def _size(error: float) -> str:
    """Return an error as a number, or that it is below the axis."""
    return f"< {number(LEAST)}" if error < LEAST else number(error, 3)


def _apart(titles: Sequence[str], errors: Sequence[float]) -> str:
    """State the ratio of the best error to that of global sensitivity: a logarithmic axis hides it."""
    best = min(range(len(errors)), key=lambda way: math.inf if math.isnan(errors[way]) else errors[way])
    if best == 0:
        return say("No mechanism has a smaller error than global noise.")
    if errors[best] < LEAST:
        return say(
            "{way} has the smallest error. Global noise has more than {times} times as much.",
            way=titles[best],
            times=number(errors[0] / LEAST, 3),
        )
    return say(
        "{way} has the smallest error. Global noise has {times} times as much.",
        way=titles[best],
        times=number(errors[0] / errors[best], 3),
    )


RIVALS = Step(
    "ways",
    Phrase("Three safe mechanisms"),
    Phrase(
        "**Test** proposes a bound. There is a result only if a noisy test finds the dataset far "
        "from exceeding it. **Smooth** uses a larger bound, which one person hardly changes. "
        "**Blocks** combines results of separate blocks of people with noise. All have the same ε "
        "and δ = 1e-6."
    ),
    Phrase(
        "Which mechanisms need many people? Take 50, then 30,000. Next, propose another b: which results stay as "
        "they are?"
    ),
    ways_controls,
    ways,
    GUESSES["ways"],
    PAGES["ways"],
    letters=LETTERS["ways"],
)
