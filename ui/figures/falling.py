"""Falling: an animation of results that fall one by one on their values and pile up.

The results were drawn before from the distribution itself; the browser only shows them one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import streamlit as st

from discreet.queries.bounds import FloatArray
from discreet.ui.figures.theme import TALL
from discreet.ui.frame.words import number, say

HERE = Path(__file__)
FIELD = st.components.v2.component(
    "discreet_falling",
    js=HERE.with_suffix(".js").read_text(encoding="utf-8"),
    css=HERE.with_suffix(".css").read_text(encoding="utf-8"),
)
PILES = 41


def falling(
    answers: FloatArray, reach: tuple[float, float], truth: float, axis: str, words: str, key: str, first: int = 0
) -> None:
    """Animate numbers that fall into equal bins between two ends; values beyond fall into the first or last bin.

    The first ones fall by themselves.
    """
    low, high = reach
    edges = np.linspace(low, high, PILES + 1)
    places = np.clip(np.searchsorted(edges, answers, side="right") - 1, 0, PILES - 1)
    middle = (edges[:-1] + edges[1:]) / 2
    labels = [number(round(float(at), 3 - len(str(int(high - low))))) for at in middle]
    centre = (truth - low) / (high - low) * PILES - 0.5
    _field(places.tolist(), answers.tolist(), labels, centre, axis, words, key, first=first)


def falling_choices(choices: Sequence[int], labels: Sequence[str], axis: str, words: str, key: str) -> None:
    """Animate choices, given by their index, that fall on their names."""
    _field(list(choices), [], labels, None, axis, words, key, [labels[choice] for choice in choices])


def _field(
    piles: Sequence[int],
    values: Sequence[float],
    labels: Sequence[str],
    truth: float | None,
    axis: str,
    words: str,
    key: str,
    texts: Sequence[str] = (),
    first: int = 0,
) -> None:
    status = say("Results: {n}, last {last}, average {mean}") if values else say("Draws: {n}, last {last}")
    said = {"one": say("Add one"), "hundred": say("Add 100"), "again": say("Start again")}
    data = {
        "piles": piles,
        "values": values,
        "texts": list(texts) or [number(value) for value in values],
        "labels": labels,
        "truth": truth,
        "axis": axis,
        "digits": 2,
        "first": first,
        "words": said | {"status": status, "figure": words},
        "draws": sha256(repr((piles, labels)).encode()).hexdigest(),
    }
    with st.container(key=f"{TALL}-{key}:falling"):
        FIELD(key=f"{key}:falling", data=data, height="stretch")
