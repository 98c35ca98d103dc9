"""Price fields: epsilon by a slider or typed, and delta."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discreet.ui.frame.words import say
from discreet.ui.state import choose, chosen

EPSILON = 0.5  # before anybody says otherwise
LEAST, MOST = 0.01, 3.0  # where the slider ends
TYPED_LEAST, TYPED_MOST, DIGITS = 0.001, 50.0, 6
DELTAS = ("1e-5", "1e-6", "1e-7", "1e-8", "1e-9")


def epsilon(key: str, value: float = EPSILON) -> float:
    """Ask for epsilon: by moving a slider, or typed, which reaches further than the slider."""
    left, right = st.columns([5, 2], vertical_alignment="bottom", gap="small")
    words = say("Privacy loss: smaller is more private and noisier.")
    place = left.slider(say("Epsilon"), LEAST, MOST, value, LEAST, key=key, persist_state="session", help=words)
    stood, wish = chosen(_beyond(key), (None, place))
    number = wish if stood == place else place  # a slider that was moved since leads again
    typed, words = f"{key}:typed", say("Epsilon, typed")
    choose(typed, number)
    change: dict[str, Any] = {"on_change": _typed, "args": (key, typed), "label_visibility": "collapsed"}
    right.number_input(words, TYPED_LEAST, TYPED_MOST, step=0.05, format="%g", key=typed, **change)
    if not LEAST <= number <= MOST:
        st.caption(say("ε = {epsilon:g} counts, as typed: the slider does not reach so far.", epsilon=number))
    return float(number)


def settings_of_epsilon(key: str, wish: float) -> dict[str, tuple[float, float] | float]:
    """Return what the slider and its typed field remember where they say this epsilon."""
    number = round(wish, DIGITS)
    place = min(max(round(number, 2), LEAST), MOST)
    return {key: place, _beyond(key): (place, number)}


def _typed(key: str, typed: str) -> None:
    """Let the slider stand where somebody typed, or at its nearest end."""
    for name, value in settings_of_epsilon(key, float(chosen(typed))).items():
        choose(name, value)


def _beyond(key: str) -> str:
    """Name what remembers where the slider stood when a number was typed, and that number."""
    return f"{key}:beyond"


def delta(key: str) -> float:
    """Ask for delta."""
    return float(
        st.select_slider(
            say("Delta"),
            DELTAS,
            "1e-6",
            key=key,
            persist_state="session",
            help=say("The chance that the promise of epsilon fails. Far below 1 / people."),
        )
    )
