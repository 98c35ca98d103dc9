"""Textbook: the numbers printed in a chapter, with its settings, beside the correct ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.lab import explain, textbook
from discreet.lab.contest import Ground
from discreet.lab.textbook import printed_numbers
from discreet.mechanisms.base.vocabulary import BLOCKS, PTR, SMOOTH
from discreet.ui.figures import answers as figures
from discreet.ui.figures import curves
from discreet.ui.frame.links import view
from discreet.ui.frame.words import number, say

# Settings of the textbook's comparisons: sliders that start at the chapter's values.

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0)
BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
SIZES = (1000, 3000, 10_000, 32_561)
SQUARE = "1/n²"  # the chapter's delta, which depends on n
DELTAS = ("1e-12", SQUARE, "1e-6", "1e-3")
PRINTED_BLOCKS = (2, 10, 60, 200, 600, 1000, 3000, 6000)


@dataclass(frozen=True)
class PrintedSetting:
    """The settings of a comparison."""

    ground: Ground
    epsilon: float
    delta: float | None = None
    b: float = textbook.PROPOSED
    k: int = textbook.BLOCKS[1]
    clipped: tuple[float, float] = textbook.CLIPPED


def ground() -> Ground:
    """Return the ages of the census, for as many people as in the chapter."""
    return explain.census_ground("age")


def tested() -> PrintedSetting:
    """Choose epsilon, delta, the bound b and the number of people."""
    first, second, third, fourth = st.columns(4)
    with first:
        epsilon = _epsilon("tested")
    with second:
        delta = _delta("tested")
    with third:
        b = st.select_slider(say("Bound b"), BOUNDS, textbook.PROPOSED, key="textbook:tested:b")
    with fourth:
        size = _people("tested")
    return PrintedSetting(ground().resized(size), epsilon, delta, b)


def smoothed() -> PrintedSetting:
    """Choose epsilon, delta and the number of people."""
    first, second, third = st.columns(3)
    with first:
        epsilon = _epsilon("smoothed")
    with second:
        delta = _delta("smoothed")
    with third:
        size = _people("smoothed")
    return PrintedSetting(ground().resized(size), epsilon, delta)


def in_blocks() -> PrintedSetting:
    """Choose epsilon, the number of blocks, the bounds of their means, and the number of people."""
    first, second, third, fourth = st.columns(4)
    with first:
        epsilon = _epsilon("blocks")
    with second:
        k = st.select_slider(
            say("Blocks k"), PRINTED_BLOCKS, textbook.BLOCKS[1], key="textbook:blocks:k", format_func=number
        )
    with third:
        low, high = st.slider(
            say("Bounds l to u of a block's mean"), 0.0, 100.0, textbook.CLIPPED, 5.0, key="textbook:blocks:bounds"
        )
    with fourth:
        size = _people("blocks")
    return PrintedSetting(ground().resized(size), epsilon, k=min(k, size), clipped=(low, max(high, low + 5)))


def _epsilon(part: str) -> float:
    epsilon: float = st.select_slider(say("ε"), EPSILONS, textbook.EPSILON, key=f"textbook:{part}:epsilon")
    return epsilon


def _delta(part: str) -> float | None:
    """Choose delta; None is the chapter's 1/n²."""
    delta: str = st.select_slider(say("δ"), DELTAS, SQUARE, key=f"textbook:{part}:delta")
    return None if delta == SQUARE else float(delta)


def _people(part: str) -> int:
    size: int = st.select_slider(say("People n"), SIZES, SIZES[-1], key=f"textbook:{part}:people", format_func=number)
    return size


# The textbook's comparisons, beside the real cost of the same guarantee.

SEED = 2024
SHOWN_SHARE = 0.98  # of the errors, so that a few outliers do not compress the figure


def show() -> None:
    """Choose a comparison and show it."""
    part = view(say("Comparison"), NAMES, "textbook-comparison")
    st.caption(say("Mean age in the census sample: 32,561 simulated people, ages 0 to 100."))
    SHOWN[part]()


def _pairs(pairs: tuple[textbook.Pair, textbook.Pair], key: str) -> None:
    """Draw the printed pair beside the proven one, on the same scale."""
    given = [figures.percents(line.result) for pair in pairs for line in pair]
    top = float(max((np.quantile(each, SHOWN_SHARE) for each in given if each.size), default=1.0))
    titles = (say("Textbook version"), say("Proven version, at the same ε and δ"))
    for pair, title, place in zip(pairs, titles, st.columns(2), strict=True):
        with place, st.container(border=True):
            st.markdown(f"**{title}**")
            runs = [(_said(line), line.contender.slug, line.result) for line in pair]
            figures.percent(runs, top, f"{key}:{title}")


def _said(line: textbook.Reproduced) -> str:
    refusals = int(np.isnan(line.result.answers).sum())
    name = say(line.name)
    return name if not refusals else f"{name} · {say('{n} without a result', n=refusals)}"


def _first() -> None:
    st.markdown(
        say("Each mechanism runs 100 times. The textbook uses ε = 1, δ = 1/n² and b = 0.005 on all 32,561 people.")
    )
    chosen = tested()
    _pairs(textbook.global_against_ptr(chosen.ground, SEED, chosen.epsilon, chosen.delta, chosen.b), "textbook:ptr")
    st.markdown(
        say(
            "The bound b = 0.005 was a good guess. Every further bound that is tried costs budget. The "
            "textbook's test and result spend ε twice, and the test passes too often near a jump. The "
            "Guarantee tab of propose-test-release shows the true guarantee."
        )
    )


def _second() -> None:
    chosen = smoothed()
    bounds = textbook.smooth_bounds(chosen.ground, chosen.epsilon, chosen.delta)
    for bound, place in zip(bounds, st.columns(2), strict=True):
        with place, st.container(border=True):
            _bound(bound)
    if any(bound.looked == 0 for bound in bounds):
        st.markdown(
            say(
                "Many people have the median age, so hundreds of them must leave before the median can change. A "
                "search over k < 200 finds S = 0 and adds no noise at all. The point to stop must be proven for "
                "each statistic."
            )
        )
    else:
        st.markdown(
            say(
                "Here the largest product is below k = 200, so the search finds it. With more people, that of the "
                "median is not. The point to stop must be proven for each statistic."
            )
        )


def _bound(bound: textbook.Bounds200) -> None:
    """Draw the smooth bound of one statistic, and what searching further gives."""
    st.markdown(f"**{say(bound.name)}**")
    curves.smooth(bound.smoothed, f"textbook:smooth:{bound.name}", textbook.RUNGS)
    right = number(bound.smoothed.bound)
    st.caption(
        say("S = {right}, the smallest value that is used: every product is smaller.", right=right)
        if bound.smoothed.floored
        else say("S = {right}, at k = {peak}.", right=right, peak=bound.smoothed.peak)
    )
    st.caption(
        say(
            "With k < 200 only, S is {looked}. Without k = 0, S is {printed}. β = {beta}.",
            looked=number(bound.looked),
            printed=number(bound.printed),
            beta=number(bound.beta),
        )
    )
    local = float(bound.smoothed.rungs[0])
    if local:
        times = number(2 * bound.smoothed.bound / local, 3)
        st.caption(
            say("The noise has the scale 2S/ε: {times} times LS/ε, and never less than twice LS/ε.", times=times)
        )


def _third() -> None:
    st.markdown(
        say(
            "Few blocks mean much noise, and many blocks mean few rows in each. For a mean, the global "
            "mechanism is hard to beat. For a slope, no global mechanism exists."
        )
    )
    chosen = in_blocks()
    pairs = textbook.blocks_against_global(chosen.ground, SEED, chosen.k, chosen.epsilon, chosen.clipped)
    _pairs(pairs, "textbook:blocks")


def _fourth() -> None:
    """List the numbers of the chapter, their sources, and their values here."""
    st.markdown(say("Numbers of the chapter for n = 32,561 people, ages up to u = 100, ε = 1, δ = 1/n² and b = 0.005."))
    seed = st.number_input(
        say("Random seed"),
        1,
        9999,
        textbook.SEED,
        key="textbook:numbers:seed",
        width=200,
        help=say("The same seed gives the same noise on every screen."),
    )
    for line in printed_numbers(ground(), seed):
        with st.container(border=True):
            left, right = st.columns([2, 3], vertical_alignment="center")
            left.markdown(f"**{say(line.name)}**")
            left.latex(line.formula)
            heads = {say("Textbook"): line.printed, say("Formula value"): _plain(line.again)}
            right.table(pd.DataFrame([heads | {say("Correct value here"): _plain(line.here)}]), hide_index=True)
            right.caption(say(line.why))


def _plain(value: float) -> str:
    """Format a whole number without decimals, and any other number with some."""
    text = number(int(value)) if value == int(value) else number(value, 5)
    return text if value == int(value) or "." in text else f"{value:,.3f}"


NAMES = {
    PTR.key: Phrase("Global sensitivity and propose-test-release"),
    SMOOTH.key: Phrase("Smooth bound, k below 200"),
    BLOCKS.key: Phrase("Blocks, k = 10 to 6,000"),
    "numbers": Phrase("The textbook's numbers"),
}
SHOWN: dict[str, Callable[[], None]] = {PTR.key: _first, SMOOTH.key: _second, BLOCKS.key: _third, "numbers": _fourth}
