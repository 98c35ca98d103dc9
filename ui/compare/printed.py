"""The textbook's comparisons, one click each, beside what the same promise really costs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.lab import textbook
from discreet.lab.printed_numbers import printed_numbers
from discreet.mechanisms.families import BLOCKS, PTR, SMOOTH
from discreet.ui.compare import printed_settings as settings
from discreet.ui.figures import contest as figures
from discreet.ui.figures import inside
from discreet.ui.frame.links import view
from discreet.ui.frame.words import number, say

SEED = 2024
SHOWN_SHARE = 0.98  # of the errors, so that a few far ones do not squeeze the figure


def show() -> None:
    """Choose a comparison and show it."""
    part = view(say("Comparison"), NAMES, "textbook-comparison")
    st.caption(say("Mean age of the census sample, 32,561 people who do not exist, ages 0 to 100."))
    SHOWN[part]()


def _pairs(pairs: tuple[textbook.Pair, textbook.Pair], key: str) -> None:
    """Draw the printed pair beside the proven one, on the same scale."""
    given = [figures.percents(line.result) for pair in pairs for line in pair]
    top = float(max((np.quantile(each, SHOWN_SHARE) for each in given if each.size), default=1.0))
    titles = (say("As the textbook runs it"), say("As proven, at the same ε and δ"))
    for pair, title, place in zip(pairs, titles, st.columns(2), strict=True):
        with place, st.container(border=True):
            st.markdown(f"**{title}**")
            runs = [(_said(line), line.contender.slug, line.result) for line in pair]
            figures.percent(runs, top, f"{key}:{title}")


def _said(line: textbook.Reproduced) -> str:
    refusals = int(np.isnan(line.result.answers).sum())
    name = say(line.name)
    return name if not refusals else f"{name} · {say('{n} refused', n=refusals)}"


def _first() -> None:
    st.markdown(say("A hundred answers each. The textbook takes ε = 1, δ = 1/n² and b = 0.005 on all 32,561 people."))
    chosen = settings.tested()
    _pairs(textbook.global_against_ptr(chosen.ground, SEED, chosen.epsilon, chosen.delta, chosen.b), "textbook:ptr")
    st.markdown(
        say(
            "The bound b = 0.005 was guessed well. Whoever has to try several bounds pays for every try. The printed "
            "test and answer spend ε twice and pass too often near a jump: the Guarantee of propose-test-release says "
            "what they truly give."
        )
    )


def _second() -> None:
    chosen = settings.smoothed()
    bounds = textbook.smooth_bounds(chosen.ground, chosen.epsilon, chosen.delta)
    for bound, place in zip(bounds, st.columns(2), strict=True):
        with place, st.container(border=True):
            _bound(bound)
    st.markdown(
        say(
            "So many people have the middle age that hundreds must leave before the median can move. Whoever looks "
            "at k < 200 finds S = 0 and adds no noise at all. Where to stop must be proven, for each statistic."
        )
    )


def _bound(bound: textbook.Bounds200) -> None:
    """Draw the smooth bound of one statistic, and what looking elsewhere gives."""
    st.markdown(f"**{say(bound.name)}**")
    inside.smooth(bound.smoothed, f"textbook:smooth:{bound.name}", textbook.RUNGS)
    st.caption(
        say(
            "S = {right}, reached at k = {peak}. Looking at k < 200 only gives {looked}. Leaving k = 0 out "
            "gives {printed}. β = {beta}.",
            right=number(bound.smoothed.bound),
            peak=bound.smoothed.peak,
            looked=number(bound.looked),
            printed=number(bound.printed),
            beta=number(bound.beta),
        )
    )


def _third() -> None:
    st.markdown(
        say(
            "Few blocks mean much noise, many blocks mean few rows in each: for a mean the global "
            "mechanism is hard to beat, for a slope there is no global mechanism."
        )
    )
    chosen = settings.in_blocks()
    pairs = textbook.blocks_against_global(chosen.ground, SEED, chosen.k, chosen.epsilon, chosen.clipped)
    _pairs(pairs, "textbook:blocks")


def _fourth() -> None:
    """List the numbers of the chapter, where they come from, and what they are here."""
    st.markdown(say("The chapter's numbers for ages up to u = 100 of n = 32,561 people, ε = 1, δ = 1/n², b = 0.005."))
    for line in printed_numbers(settings.ground()):
        with st.container(border=True):
            left, right = st.columns([2, 3], vertical_alignment="center")
            left.markdown(f"**{say(line.name)}**")
            left.latex(line.formula)
            heads = {say("Printed"): line.printed, say("The formula"): _plain(line.again)}
            right.table(pd.DataFrame([heads | {say("Right here"): _plain(line.here)}]), hide_index=True)
            right.caption(say(line.why))


def _plain(value: float) -> str:
    """Write a whole number as one; what is none does not look like one."""
    text = number(int(value)) if value == int(value) else number(value, 5)
    return text if value == int(value) or "." in text else f"{value:,.3f}"


NAMES = {
    PTR.key: Phrase("Global sensitivity against propose-test-release"),
    SMOOTH.key: Phrase("Smooth bound, k below 200"),
    BLOCKS.key: Phrase("Blocks, k = 10 to 6,000"),
    "numbers": Phrase("The printed numbers"),
}
SHOWN: dict[str, Callable[[], None]] = {PTR.key: _first, SMOOTH.key: _second, BLOCKS.key: _third, "numbers": _fourth}
