"""Rivals: global sensitivity and the three safe mechanisms, at equal cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.budget.errors import listed
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.local.answers import ANSWERS
from discreet.course.lessons.local.book import PAGES
from discreet.course.lessons.local.dealing import SURE, margin
from discreet.course.lessons.local.guesses import GUESSES, STATISTICS
from discreet.course.lessons.local.letters import LETTERS
from discreet.course.lessons.local.nearby import NEARBY, here, walked
from discreet.course.steps import Step
from discreet.ui.frame.words import number, say

PICTURES = {"errors": Phrase("Errors"), "people": Phrase("People")}
EPSILONS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
SIZES = (50, 100, 300, 1000, 3000, 10_000, 30_000)
TIMES = (0.1, 0.3, 0.5, 1.0, 2.0, 5.0, 20.0)
LEAST = 1e-3
SCALES: dict[str, Any] = {"xaxis_type": "log", "xaxis_range": [-3.2, 2.6], "xaxis_dtick": 1}
Drawn = tuple[Callable[[Any, str], None], Any]  # what draws the picture, and its settings


def ways_controls(by: Controls) -> Drawn:
    """Choose the picture: the errors, or a mechanism that is walked through on the people of an earlier step."""
    left, right = st.columns(2)
    with left:
        picture = by.choose("picture", say("Picture"), PICTURES)
    if picture == "people":
        return here, walked(by.of(NEARBY.name))
    with right:
        name = by.choose("statistic", say("Statistic"), STATISTICS)
    return errors, _compared(by, name)


def _compared(by: Controls, name: str) -> tuple[str, int, float, float]:
    """Choose the number of people, epsilon, and how good the proposal is."""
    left, right = st.columns(2)
    with left:
        people = int(by.pick("people", say("People"), SIZES, 300))
    with right:
        epsilon = by.pick("epsilon", say("ε"), EPSILONS, 1.0)
    return name, people, epsilon, by.pick("b", say("Proposed bound, as a multiple of the tuned one"), TIMES, 1.0)


def ways(settings: Drawn, key: str) -> None:
    """Draw the chosen picture."""
    draw, chosen = settings
    draw(chosen, key)


def errors(settings: tuple[str, int, float, float], key: str) -> None:
    """Draw the errors of global sensitivity and of the three safe mechanisms at equal cost."""
    rivals = local.ways(*settings)
    titles = [say(rival.kind.family.name) for rival in rivals]
    margins = [_margin(rival) for rival in rivals]
    named = (f"{title} {margin}" for title, margin in zip(titles, margins, strict=True))
    st.caption(_apart(titles, [rival.error for rival in rivals]))
    figures.dots(
        titles,
        [max(rival.error, LEAST) for rival in rivals],
        [rival.kind.family.key for rival in rivals],
        (say("Margin of error (95%, logarithmic)"), ""),
        say("Margins of error at equal cost: {listed}.", listed=", ".join(named)),
        key,
        margins,
        LEAST,
        **SCALES,
    )


def _margin(rival: local.Way) -> str:
    """Return an error as a number, or that it is below the axis, or that there is mostly no result."""
    if math.isnan(rival.error):
        return say("no result")
    return f"< {number(LEAST)}" if rival.error < LEAST else margin(rival.error, rival.cut)


def _apart(titles: Sequence[str], errors: Sequence[float]) -> str:
    """State the ratio of the best error to that of global sensitivity: a logarithmic axis hides it."""
    best = min(range(len(errors)), key=lambda way: math.inf if math.isnan(errors[way]) else errors[way])
    if best == 0:
        return say("No mechanism has a smaller error than global noise.")
    if errors[best] < LEAST:
        tiny = [title for title, error in zip(titles, errors, strict=True) if error < LEAST]
        return say(
            "{ways}: error below {least}. That of global sensitivity is more than {times} times as large.",
            ways=say(listed(tiny)),
            least=number(LEAST),
            times=number(errors[0] / LEAST, SURE),
        )
    return say(
        "{way} has the smallest error. That of global sensitivity is {times} times as large.",
        way=titles[best],
        times=number(errors[0] / errors[best], SURE),
    )


RIVALS = Step(
    "ways",
    Phrase("Three safe mechanisms"),
    Phrase(
        "**Propose-test-release** tests a proposed bound with noise; if it fails, nothing is "
        "released. **Smooth sensitivity** is at least the local one, and one person changes "
        "it by a small factor only. **Sample and aggregate** releases a noisy mean or median "
        "of blocks. All cost ε and δ ≤ 10⁻⁶."
    ),
    Phrase("Take 50 people, then 30,000. Next, propose another bound. What changes?"),
    ways_controls,
    ways,
    GUESSES["ways"],
    PAGES["ways"],
    letters=LETTERS["ways"],
    answer=ANSWERS["ways"],
)
