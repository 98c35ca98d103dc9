"""Letters: what the letters of a formula stand for, and what on the figure and of the controls each of them is.

A letter lights up its marks and its controls while it is pointed at, focused or pressed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.ui.frame.words import say

BESIDE = r", \qquad "
HERE = Path(__file__)
SYMBOLS = {
    "ε": Phrase("ε: by how much one person may change the chances, as a logarithm"),
    "δ": Phrase("δ: the area by which one law may exceed e^ε times the other"),
    "σ": Phrase("σ: the standard deviation of the noise"),
    "α": Phrase("α: the order of a Rényi divergence"),
    "ρ": Phrase("ρ: the slope that bounds all Rényi divergences"),
    "β": Phrase("β: how fast the smooth bound forgets distant data"),
    "⊥": Phrase("⊥: no answer"),
    "F": Phrase("F: the algorithm that answers"),
}
WRITTEN = {
    "ε": r"\varepsilon",
    "δ": r"\delta",
    "σ": r"\sigma",
    "α": r"\alpha",
    "ρ": r"\rho",
    "β": r"\beta",
    "⊥": r"\bot",
}
LINKED = st.components.v2.component(
    "discreet_letters",
    js=HERE.with_suffix(".js").read_text(encoding="utf-8"),
    css=HERE.with_suffix(".css").read_text(encoding="utf-8"),
    isolate_styles=False,
)


@dataclass(frozen=True)
class Letter:
    """What a letter stands for; the names that its marks have on the figure, and those of its controls."""

    words: str
    marks: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()


def shared(lines: Sequence[str]) -> dict[str, Letter]:
    """Return the letters of formulas that mean the same throughout the course."""
    whole = "".join(lines)
    return {sign: Letter(words) for sign, words in SYMBOLS.items() if WRITTEN.get(sign, sign) in whole}


def formulas(lines: Sequence[str], letters: Mapping[str, Letter], key: str) -> None:
    """Show the formulas of a step, and beside them their letters."""
    with st.container(border=True, key=f"{key}-formulas"):
        left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
        with left:
            for line in lines:
                for part in line.split(BESIDE):  # what stands side by side in a book stands below each other here
                    st.latex(part)
        with right:
            LINKED(key=f"{key}:letters", data=_linked(shared(lines) | dict(letters), key))


def _linked(letters: Mapping[str, Letter], key: str) -> dict[str, Any]:
    """Return what the browser is told of the letters of a step, by the beginning of its keys."""
    by_sign = {
        sign: {
            "words": say(letter.words),
            "marks": [say(mark) for mark in letter.marks],
            "controls": list(letter.controls),
        }
        for sign, letter in letters.items()
    }
    return {"hint": say("Point at a letter, or press it: its line and its control light up."), "prefix": key} | {
        "letters": by_sign
    }
