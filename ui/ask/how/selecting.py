"""Selecting: exact chances of every candidate as epsilon moves, for each way to choose."""

from __future__ import annotations

import numpy as np
import streamlit as st

from discreet.lab import explain, preview
from discreet.mechanisms.selection import Selection
from discreet.ui.ask.how.knobs import numbers, way
from discreet.ui.ask.how.stand import stand
from discreet.ui.figures import answers
from discreet.ui.frame.words import say


def exponential_selection(key: str) -> None:
    """Exact chances of every candidate as epsilon moves, for three ways to choose."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        data, column = stand(key, "occupation", numbers=False)
        epsilon = st.select_slider(
            say("Epsilon"), (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0), 0.01, key=f"{key}:how:epsilon"
        )
        mechanism: Selection = way(Selection, key)(epsilon=epsilon)
        st.markdown(say("Counts decide the chances; the counts themselves are never released."))
    chances = explain.chances(mechanism, preview.counts(data, column))
    with right, st.container(border=True):
        best = int(np.argmax(chances.counts))
        rightly = f"{chances.probabilities[best]:.1%}"
        numbers({say("Most common"): chances.labels[best], say("Chosen rightly"): rightly})
        answers.chances(chances.labels, chances.probabilities.tolist(), mechanism.slug, f"{key}:chances")
