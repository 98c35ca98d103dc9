"""Formulas: mathematical text with Greek letters and powers, and the download of the proofs."""

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
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "Phi": "Φ",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "sqrt": "√",
}
NAMED = re.compile(rf"(?<![A-Za-z])({'|'.join(LETTERS)})(?![A-Za-z])")
POWER = re.compile(r"\^(-?\d+)(?![\w.]*\d)")
INDEX = re.compile(r"(?<![A-Za-z])(?:([A-Za-z]{1,2})_([0-9ij])|([ez])([12]))(?!\w)")
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
LOWERED = str.maketrans("0123456789ij", "₀₁₂₃₄₅₆₇₈₉ᵢⱼ")
SIGNS = {"+-": "±", "-+": "∓", "x'": "x′", "S'": "S′", "δ'": "δ′", "g'": "g′"}
BEGINNING = re.compile(r"^(?:a(?= )|[a-z](?=[a-z]+[ ,;:]))")  # a first word that is not a formula
LESS = re.compile(r"(?<= )-(?= )|(?<=\()-(?=\S)")


def lettered(text: str) -> str:
    """Typeset plain text: Greek letters, raised powers, lowered indices, wide minus signs, a capital at the start."""
    named = NAMED.sub(lambda name: LETTERS[name[0]], text)
    raised = POWER.sub(lambda power: power[1].translate(RAISED), named)
    indexed = INDEX.sub(lambda index: (index[1] or index[3]) + (index[2] or index[4]).translate(LOWERED), raised)
    for typed, sign in SIGNS.items():
        indexed = indexed.replace(typed, sign)
    return BEGINNING.sub(lambda word: word[0].upper(), LESS.sub("−", indexed))


def offer(key: str) -> None:
    """Offer the file of proofs where it exists beside the program; an installed package has none."""
    if PROOFS.is_file():
        label = say("Download full proofs")
        st.download_button(
            label, PROOFS.read_bytes(), PROOFS.name, "text/markdown", key=f"proofs:{key}", icon=":material/download:"
        )
    else:
        st.caption(say("Full proofs: docs/guarantees.md in the Discreet repository."))
