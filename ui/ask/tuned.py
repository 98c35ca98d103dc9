"""Tuned: the other settings, chosen on public ground or by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from discreet.lab.contest import Ground
from discreet.mechanisms import Mechanism
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.rows.columns import Quantity
from discreet.ui.ask import blocks
from discreet.ui.ask import fields as ask_for
from discreet.ui.frame.words import number, say
from discreet.ui.opened import Opened


def tuned(
    kind: type[Any], mechanism: Any, column: Quantity | None, ground: Ground | None, own: Opened, key: str
) -> Mechanism:
    """Choose the other settings on public ground, or let the person choose them."""
    if isinstance(mechanism, SampleAggregate):
        return blocks.numbers(mechanism, ground, column, key)
    plain: Mechanism = mechanism
    parameters = ask_for.settings_of(kind)
    if not parameters:
        return plain
    best = own.tuned(plain, ground) if ground is not None else plain
    with st.expander(say("Settings"), icon=":material/tune:"):
        if not st.toggle(say("Choose the settings for me"), True, key=f"{key}:auto:{kind.slug}"):
            by_hand: Mechanism = replace(mechanism, **ask_for.settings(kind, best, f"{key}:{kind.slug}"))
            return by_hand
        for name, parameter in parameters.items():
            st.text(f"{say(parameter.label)}: {number(best.values()[name])}")
    return best
