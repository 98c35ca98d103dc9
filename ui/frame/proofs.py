"""Proofs: the way from a screen to the whole proofs, and formulas with their letters."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st

from discreet.ui.frame.words import say

PROOFS = Path(__file__).resolve().parents[2] / "docs" / "guarantees.md"
LETTERS = {
    "epsilon": "ε",
    "Epsilon": "ε",
    "delta": "δ",
    "Delta": "Δ",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "lambda": "λ",
    "mu": "μ",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "sqrt": "√",
}
NAMED = re.compile(rf"(?<![A-Za-z])({'|'.join(LETTERS)})(?![A-Za-z])")


def lettered(text: str) -> str:
    """Write the names of Greek letters as letters."""
    return NAMED.sub(lambda name: LETTERS[name[0]], text)


def offer(key: str) -> None:
    """Offer the whole proofs where they lie beside the program; an installed package has none."""
    if PROOFS.is_file():
        label = say("All proofs in full")
        st.download_button(
            label, PROOFS.read_bytes(), PROOFS.name, "text/markdown", key=f"proofs:{key}", icon=":material/download:"
        )
    else:
        st.caption(say("Full proofs: docs/guarantees.md, in the repository of this program."))
