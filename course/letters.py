"""Letters: the meaning of the letters in a formula, and the parts of the figure and controls that belong to each.

A letter highlights its marks and its controls while it is hovered, focused or pressed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.course.figures import named
from discreet.ui.frame.formulas import raised
from discreet.ui.frame.words import say

BESIDE = r", \qquad "
HERE = Path(__file__)
SYMBOLS = {
    "ε": Phrase("ε: how much one person can change the probabilities, as a logarithm"),
    "δ": Phrase("δ: how much a probability may exceed e^ε times the other"),
    "σ": Phrase("σ: the standard deviation of the noise"),
    "α": Phrase("α: the order of a Rényi divergence"),
    "ρ": Phrase("ρ: the slope that bounds all Rényi divergences"),
    "β": Phrase("β: how fast the smooth bound reduces the weight of distant datasets"),
    "⊥": Phrase("⊥: no result"),
    "F": Phrase("F: the algorithm that produces the result"),
    "S": Phrase("S: any set of results"),
    "i": Phrase("i: an index, from the first to the last"),
    "e": Phrase("e: 2.718…, the base of the natural logarithm"),
    "ln": Phrase("ln: the natural logarithm; ln 20 is about 3"),
    "Pr": Phrase("Pr: the probability of the event in brackets"),
    "Lap": Phrase("Lap: Laplace noise, with its scale in brackets"),
}
WRITTEN = {
    "ε": r"\varepsilon",
    "δ": r"\delta",
    "σ": r"\sigma",
    "α": r"\alpha",
    "ρ": r"\rho",
    "β": r"\beta",
    "τ": r"\tau",
    "μ": r"\mu",
    "θ": r"\theta",
    "η": r"\eta",
    "Δ": r"\Delta",
    "⊥": r"\bot",
    "ln": r"\ln",
    "Pr": r"\Pr",
}
# the beginning of an environment, an upright name, a command, or a letter
PARTS = re.compile(
    r"\\(?:begin|end)\{\w+\}|\\(?:mathrm|operatorname)\{(?P<name>\w+)\}|(?P<command>\\[a-zA-Z]+)|(?P<letter>[a-zA-Z])"
)
LINKED = st.components.v2.component(
    "discreet_letters",
    js=HERE.with_suffix(".js").read_text(encoding="utf-8"),
    css=HERE.with_suffix(".css").read_text(encoding="utf-8"),
    isolate_styles=False,
)


@dataclass(frozen=True)
class Letter:
    """The meaning of a letter, and the names of its marks on the figure and of its controls."""

    words: str
    marks: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()


def signs(lines: Sequence[str]) -> list[str]:
    """Return the letters and names in formulas, in their order."""
    by_command = {command: sign for sign, command in WRITTEN.items()}
    parts = [part for line in lines for part in PARTS.finditer(line)]
    words = [part["name"] or part["letter"] or by_command.get(part["command"] or "", "") for part in parts]
    return list(dict.fromkeys(filter(None, words)))


def shared(lines: Sequence[str]) -> dict[str, Letter]:
    """Return the letters of formulas that mean the same in the whole course."""
    return {sign: Letter(SYMBOLS[sign]) for sign in signs(lines) if sign in SYMBOLS}


def every(lines: Sequence[str], letters: Mapping[str, Letter]) -> dict[str, Letter]:
    """Return the letters of a step, its own before those of the whole course."""
    return {**letters, **{sign: letter for sign, letter in shared(lines).items() if sign not in letters}}


def formulas(lines: Sequence[str], letters: Mapping[str, Letter], key: str) -> None:
    """Show the formulas of a step, with their letters beside."""
    with st.container(border=True, key=f"{key}-formulas"):
        left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
        with left:
            for line in lines:
                for part in line.split(BESIDE):  # formulas side by side in a book are one below the other here
                    st.latex(part)
        with right:
            LINKED(key=f"{key}:letters", data=_linked(every(lines, letters), key))


def _linked(letters: Mapping[str, Letter], key: str) -> dict[str, Any]:
    """Return the description of a step's letters for the browser, by key prefix."""
    by_sign = {
        sign: {
            "words": raised(say(letter.words)),
            "marks": [named(say(mark)) for mark in letter.marks],
            "controls": list(letter.controls),
        }
        for sign, letter in letters.items()
    }
    return {"hint": say("Point at a letter, or press it: its line and its control are highlighted."), "prefix": key} | {
        "letters": by_sign
    }
