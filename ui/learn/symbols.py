"""Symbols: what the letters of formulas stand for, said where the mouse rests on them.

Only letters that mean one thing throughout the course are here.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from discreet.budget import Phrase
from discreet.ui.frame.words import say

SYMBOLS = {
    "ε": Phrase("ε: by how much one person may change the chances, as a logarithm"),
    "δ": Phrase("δ: the area by which one law may exceed e^ε times the other"),
    "σ": Phrase("σ: the standard deviation of the noise"),
    "α": Phrase("α: the order of a Rényi divergence"),
    "ρ": Phrase("ρ: the slope that bounds all Rényi divergences"),
    "β": Phrase("β: how fast the smooth bound forgets distant data"),
    "F": Phrase("F: the algorithm that answers"),
    "⊥": Phrase("⊥: no answer"),
}
NAMER = st.components.v2.component(
    "discreet_symbols", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)


def name_symbols(key: str) -> None:
    """Name the symbols of the formulas in the panel around."""
    NAMER(key=f"{key}:symbols", data={"symbols": {letter: say(words) for letter, words in SYMBOLS.items()}})
