"""Formulas: mathematical text with Greek letters and powers, plain or typeset, and the download of the proofs."""

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

# a power in plain signs, such as e^ε or e^(−β k); a word of two letters or more in it is upright
TYPED = re.compile(
    r"(?<![A-Za-z0-9])(?P<base>[A-Za-z0-9]+)"
    r"\^(?:\((?P<inner>(?:[^()]|\([^()]*\))*)\)|(?P<plain>−?[A-Za-z0-9Α-ω₀-₉]+(?:\.\d+)?))"
)
SHIFTED = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d+)(?![\w.]*\w)")  # such as 1e-6 and 6.7e-9
UPRIGHT = re.compile(r"[A-Za-z\u4e00-\u9fff]{2,}")


def lettered(text: str) -> str:
    """Typeset plain text: Greek letters, raised powers, lowered indices, wide minus signs, a capital at the start."""
    named = NAMED.sub(lambda name: LETTERS[name[0]], text)
    raised = POWER.sub(lambda power: power[1].translate(RAISED), named)
    indexed = INDEX.sub(lambda index: (index[1] or index[3]) + (index[2] or index[4]).translate(LOWERED), raised)
    for typed, sign in SIGNS.items():
        indexed = indexed.replace(typed, sign)
    return BEGINNING.sub(lambda word: word[0].upper(), LESS.sub("−", indexed))


def powers(text: str) -> str:
    """Write numbers such as 1e-6 and 6.7e-9 with a power of ten: 10⁻⁶ and 6.7·10⁻⁹."""
    return SHIFTED.sub(lambda made: f"{'' if made[1] == '1' else made[1] + '·'}10{_exponent(made[2])}", text)


def _exponent(digits: str) -> str:
    return str(int(digits)).translate(RAISED)


def typeset(text: str) -> str:
    """Typeset the powers in a text of Markdown."""
    return TYPED.sub(lambda power: f"${power['base']}^{{{_math(power['inner'] or power['plain'])}}}$", text)


def _math(exponent: str) -> str:
    upright = UPRIGHT.sub(lambda word: rf"\text{{{word[0]}}}", exponent)
    return upright.replace(" ", r"\,")


def raised(text: str) -> str:
    """Raise the powers in the letters of a figure, which are read as HTML."""
    return TYPED.sub(lambda power: f"{power['base']}<sup>{power['inner'] or power['plain']}</sup>", text)


def offer(key: str) -> None:
    """Offer the file of proofs where it exists beside the program; an installed package has none."""
    if PROOFS.is_file():
        label = say("Download full proofs")
        st.download_button(
            label, PROOFS.read_bytes(), PROOFS.name, "text/markdown", key=f"proofs:{key}", icon=":material/download:"
        )
    else:
        st.caption(say("Full proofs: docs/guarantees.md in the Discreet repository."))
