"""Dealing: people in random blocks, the median of each, and a noisy mean or median of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Distance, Mark, Series
from discreet.course.guessing import GuessPoint
from discreet.course.lesson import numbers
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.local.answers import ANSWERS
from discreet.course.lessons.local.book import PAGES
from discreet.course.lessons.local.guesses import GUESSES, RANGE, STATISTICS
from discreet.course.lessons.local.letters import LETTERS
from discreet.course.lessons.local.numbers import NUMBERS, Deal
from discreet.course.steps import Step
from discreet.mechanisms.base import vocabulary
from discreet.queries.mean import Mean
from discreet.ui.figures import theme
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

LOWEST = (0.0, 10.0, 20.0, 30.0)
HIGHEST = (40.0, 50.0, 60.0, 80.0, 100.0)
FIRST = 10  # blocks
SURE = 2  # digits of simulated errors, of which 3% are chance
MIDDLE = 10.0  # of the errors' axis
LOW = 250  # pixels: the people are above the errors
HUE = vocabulary.BLOCKS.key
SCALES: dict[str, Any] = {"xaxis_type": "log", "yaxis_type": "log", "xaxis_range": [-0.08, 2.56]}
SCALES |= {"yaxis_range": [0, 2], "xaxis_tickvals": [1, 3, 10, 30, 100, 300]}
Chosen = tuple[str, int, float, float, int]


def dealing_controls(by: Controls) -> Chosen:
    """Choose what is done with the medians of the blocks, how many there are, their public range, and a draw."""
    name = by.choose("statistic", say("Combine the blocks by"), STATISTICS, Mean.name)
    k = int(by.pick("k", say("Blocks k"), NUMBERS, FIRST))
    left, right = st.columns(2)
    with left:
        low = by.pick("low", say("Lowest estimate"), LOWEST, RANGE[0])
    with right:
        high = by.pick("high", say("Highest estimate"), HIGHEST, RANGE[1])
    return name, k, low, high, by.draw()


def dealing(settings: Chosen, key: str) -> None:
    """Draw the people in their blocks, and below them the error against the number of blocks."""
    name, k, low, high, _ = settings
    dealt = local.deal(*settings)
    errors = local.errors_by_blocks(name, low, high)
    error = errors[NUMBERS.index(k)]
    numbers(
        {
            say("People in a block"): number(local.DEALT / k, 2),
            say("Margin of error (95%)"): margin(error, local.at_bound(error, dealt.truth, (low, high))),
            say("Result"): number(dealt.answer, 3),
        }
    )
    st.caption(_moved(name, k, (high - low) / k))
    _people(dealt, k, key)
    grip = Handle(f"{key}-k", say("Blocks k"), NUMBERS, NUMBERS, k, beside=errors[NUMBERS.index(k)])
    _errors(errors, [Mark(k, say("k = {k}", k=k), "quiet", "dash"), *POINT.marks(key, settings)], grip, key)


def margin(error: float, cut: bool) -> str:
    """Return a simulated error; clipping may have ended it."""
    width = number(error, SURE)
    return say("± {width}, cut at the bounds", width=width) if cut else f"± {width}"


def _moved(name: str, k: int, step: float) -> str:
    """State how far one person moves what is released."""
    if name == Mean.name:
        return say(
            "One person changes one of {k} medians, so their mean moves by {step} at most.", k=k, step=number(step, 3)
        )
    return say("One person changes one of {k} medians, so the median of them moves by one place at most.", k=k)


def _people(dealt: Deal, k: int, key: str) -> None:
    """Draw a line of people for each block, with its median; the exact value, the result, and its noise."""
    fig = theme.figure(say("Age"), say("Blocks"), xaxis_range=[0, 100], yaxis_range=[-0.7, k - 0.3])
    fig.update_yaxes(showticklabels=False, showgrid=False)
    colour = figures.colour(HUE)
    fig.add_scatter(
        x=dealt.ages.tolist(),
        y=dealt.blocks.tolist(),
        name=say("person"),
        mode="markers",
        marker={"color": theme.quiet(), "size": 3, "opacity": 0.6},
        hovertemplate="%{x:.3g}",
    )
    fig.add_scatter(
        x=dealt.estimates.tolist(),
        y=list(range(k)),
        name=say("median of a block"),
        mode="markers",
        marker={"color": colour, "size": max(5, min(12, 120 // k)), "symbol": "diamond"},
        hovertemplate="%{x:.3g}",
    )
    fig.add_band(*dealt.span, theme.colour("result"))
    theme.truth(fig, dealt.truth, say("exact value {x}", x=number(dealt.truth)))
    theme.mark(fig, dealt.answer, say("result {x}", x=number(dealt.answer, 3)), theme.colour("result"))
    words = say(
        "{people} people in {k} blocks. The mean or median of their medians is {centre}; 95% of results are from "
        "{low} to {high}.",
        people=dealt.ages.size,
        k=k,
        centre=number(dealt.centre, 3),
        low=number(dealt.span[0], 3),
        high=number(dealt.span[1], 3),
    )
    columns = {say("Blocks"): list(range(1, k + 1)), say("median of a block"): dealt.estimates.tolist()}
    theme.show(fig, words, columns, f"{key}-people", height=LOW)


def _errors(errors: Sequence[float], marks: Sequence[Mark | Distance], grip: Handle, key: str) -> None:
    """Draw the error against the number of blocks."""
    best = min(errors)
    figures.lines(
        NUMBERS,
        [Series(say("error"), errors, HUE, at=-1)],
        (say("Blocks k (logarithmic)"), say("Margin of error (95%, logarithmic)")),
        say(
            "The error is smallest, {error}, with {k} blocks.", error=number(best, SURE), k=NUMBERS[errors.index(best)]
        ),
        key,
        marks,
        [grip],
        **SCALES,
    )


def _frame(key: str, grip: Handle) -> None:
    """Draw the axes on which the number of blocks is guessed."""
    axes = (say("Blocks k (logarithmic)"), say("Margin of error (95%, logarithmic)"))
    figures.lines([], [], axes, say("The error is not shown yet."), key, (), [grip], **SCALES)


POINT = GuessPoint(
    GUESSES["blocks"], _frame, lambda settings: settings[0] == Mean.name and settings[2:4] == RANGE, "x", MIDDLE
)

DEALING = Step(
    "blocks",
    Phrase("Sample and aggregate"),
    Phrase(
        "Deal 300 people of the census into k random blocks and take the median age of each. One person is in "
        "one block. k and the range of a median are public: they are set before the data are read. So the size "
        "of the noise, (u − l)/(kε), reveals nothing. The result is clipped to the range, too. Here ε = 1."
    ),
    Phrase("Drag k to the smallest error. Next, narrow the range: which k is best now?"),
    dealing_controls,
    dealing,
    GUESSES["blocks"],
    PAGES["blocks"],
    POINT,
    letters=LETTERS["blocks"],
    answer=ANSWERS["blocks"],
)
