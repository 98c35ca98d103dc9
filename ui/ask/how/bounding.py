"""Bounding: what a person can move is what the noise must hide."""

from __future__ import annotations

import streamlit as st

from discreet.lab import explain
from discreet.ui.ask.how.stand import ground_of
from discreet.ui.figures import tradeoffs
from discreet.ui.frame.words import say


def global_sensitivity(key: str) -> None:
    """Bound against noise: what a person can move is what the noise must hide."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = ground_of(key, "capital_gain")
        epsilon = st.slider(say("Epsilon"), 0.01, 3.0, 0.5, 0.01, key=f"{key}:how:epsilon")
        st.markdown(
            say(
                "Noise follows the **largest change one person could make to any data**: "
                "the bounds alone decide. A wide bound is paid for by everybody, a tight "
                "one cuts off those beyond it."
            )
        )
    with right, st.container(border=True):
        tradeoffs.clipping(explain.clipping(ground.column, epsilon), f"{key}:clipping")
