"""Pricing: epsilon and delta, or the error that one can live with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.inverse import epsilon_for
from discreet.ui.ask import price_fields
from discreet.ui.frame.odds import odds
from discreet.ui.frame.words import say

WAYS = {"epsilon": Phrase("the budget"), "error": Phrase("the error")}


def priced(kind: type[Any], mechanism: Any, public: Public, key: str, place: str) -> Mechanism:
    """Ask for epsilon, or for the error that one can live with, which is in the unit of one column; and for delta."""
    if "delta" in kind.parameters():
        mechanism = replace(mechanism, delta=price_fields.delta(f"{key}:delta"))
    width = mechanism.forecast(public).half_width
    if width is None or _way(key) == "epsilon":
        epsilon = price_fields.epsilon(f"{key}:epsilon")
    else:
        wanted = _error(float(width or 1.0), f"{place}:error:{kind.slug}")
        epsilon = float(f"{epsilon_for(mechanism, public, wanted) * 1.0005:.4g}")
        st.caption(say("This takes ε = {epsilon:g}.", epsilon=epsilon))
    at_price: Mechanism = replace(mechanism, epsilon=epsilon)
    st.caption(odds(at_price.cost()))
    return at_price


def _way(key: str) -> str:
    """Ask what is set: the budget or the error."""
    return st.segmented_control(
        say("Set"),
        ["epsilon", "error"],
        default="epsilon",
        key=f"{key}:set",
        format_func=lambda way: say(WAYS[way]),
        required=True,
        persist_state="session",
    )


def _error(width: float, key: str) -> float:
    return st.number_input(
        say("Error you can live with, 19 times in 20"),
        min_value=1e-9,
        value=float(f"{max(width, 1e-9):.2g}"),
        format="%g",
        key=key,
        persist_state="session",
    )
