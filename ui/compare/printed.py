"""The textbook's comparisons, one click each, beside what the same promise really costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from discreet.budget import Phrase
from discreet.lab import preview, textbook
from discreet.mechanisms.families import BLOCKS, PTR, SMOOTH
from discreet.ui.figures import contest as figures
from discreet.ui.figures import inside
from discreet.ui.frame.links import view
from discreet.ui.frame.words import number, say

SEED = 2024


def show() -> None:
    """Choose one of the three comparisons and show it."""
    part = view(say("Comparison"), NAMES, "textbook-comparison")
    st.caption(say("Mean age of the census sample, 32,561 people who do not exist, ages 0 to 100."))
    SHOWN[part]()


def _percent(lines: Sequence[textbook.Reproduced], key: str) -> None:
    with st.container(border=True):
        figures.percent(
            [say(line.name) for line in lines],
            [line.contender.slug for line in lines],
            [line.result for line in lines],
            key,
        )


def _first() -> None:
    st.markdown(
        say(
            "ε = 1, δ = 1/n², b = 0.005, 100 answers each. *As printed* is what the "
            "textbook runs; *as proven* keeps the promise that it makes."
        )
    )
    _percent(textbook.global_against_ptr(preview.census_ground("age"), SEED), "textbook:ptr")
    st.markdown(
        say(
            "The printed test and answer spend ε twice and pass too often near a jump: see "
            "the Guarantee of propose-test-release for what it truly gives."
        )
    )


def _second() -> None:
    for bound, place in zip(textbook.smooth_bounds(preview.census_ground("age")), st.columns(2), strict=True):
        with place, st.container(border=True):
            st.markdown(f"**{say(bound.name)}**")
            inside.smooth(bound.smoothed, f"textbook:smooth:{bound.name}")
            st.caption(
                say(
                    "S = {right}; leaving k = 0 out, as printed, gives {printed}. β = {beta}.",
                    right=number(bound.smoothed.bound),
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
    _percent(textbook.blocks_against_global(preview.census_ground("age"), SEED), "textbook:blocks")


NAMES = {
    PTR.key: Phrase("Global sensitivity against propose-test-release"),
    SMOOTH.key: Phrase("The smooth bound for k below 200"),
    BLOCKS.key: Phrase("Sample and aggregate at k = 10, 600, 1000, 6000"),
}
SHOWN: dict[str, Callable[[], None]] = {PTR.key: _first, SMOOTH.key: _second, BLOCKS.key: _third}
