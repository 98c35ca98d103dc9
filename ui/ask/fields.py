"""Fields: widgets for a mechanism's public parameters, drawn from what each declares."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from discreet.mechanisms import Mechanism, Parameter
from discreet.ui.frame.words import say

ELSEWHERE = {"epsilon", "delta", "q", "lower", "upper", "k"}  # asked in places of their own


def settings(kind: type[Mechanism], now: Mechanism, key: str) -> dict[str, Any]:
    """Draw a widget for every parameter but those asked elsewhere, starting from `now`."""
    return {
        name: widget(parameter, now.values()[name], f"{key}:{name}") for name, parameter in settings_of(kind).items()
    }


def widget(parameter: Parameter, value: Any, key: str) -> Any:
    """Draw one parameter: a choice, a whole number or a number."""
    label, help_ = say(parameter.label), say(parameter.help)
    if parameter.choices:
        at = parameter.choices.index(value) if value in parameter.choices else 0
        return st.selectbox(label, parameter.choices, at, key=key, help=help_, format_func=_choice)
    if isinstance(value, int) and not isinstance(value, bool):
        low, high = math.ceil(parameter.low), math.floor(min(parameter.high, 10**12))
        return st.number_input(label, low, high, value, key=key, help=help_)
    return st.number_input(
        label,
        parameter.low if math.isfinite(parameter.low) else None,
        parameter.high if math.isfinite(parameter.high) else None,
        float(value or 0.0),
        step=_step(value),
        format="%g",
        key=key,
        help=help_,
    )


def _choice(value: Any) -> str:
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    return say(str(value))


def _step(value: Any) -> float:
    size = abs(float(value or 1.0))
    return float(f"1e{math.floor(math.log10(size)) - 1}")


def settings_of(kind: type[Mechanism]) -> dict[str, Parameter]:
    """Return the parameters that no other place asks for."""
    return {name: parameter for name, parameter in kind.parameters().items() if name not in ELSEWHERE}


def size(rows: int, key: str) -> int:
    """Ask for the public number of rows: not of people, where one may have several."""
    words = (
        say("One row for each person who has a value and passes the filters.")
        if rows == 1
        else say(
            "Rows, not people: {rows} times the people, if everybody has so many or more. "
            "Otherwise it is not public, and this must stay off.",
            rows=rows,
        )
    )
    asked = say("Rows that count")
    return int(st.number_input(asked, 1, 10**9, 1000, key=key, help=words))
