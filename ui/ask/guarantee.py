"""Guarantee: the statement, why it is true, who found it, and what a textbook prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from discreet.mechanisms import Public, registry
from discreet.mechanisms.exhibit import Exhibit
from discreet.mechanisms.families import Family
from discreet.mechanisms.statement import parts
from discreet.queries import Bounds
from discreet.ui.ask.check import check
from discreet.ui.ask.topics import of_families
from discreet.ui.frame import proofs
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.state import workspace

CENSUS_AGE = Bounds(0, 100, integer=True)


def guarantee(families: Sequence[Family], key: str) -> None:
    """Show the statement of a mechanism of this page, and what a textbook prints instead."""
    kinds = of_families(families)
    kind = st.selectbox(say("Method"), kinds, format_func=lambda k: say(k.title), key=f"{key}:guarantee")
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(border=True):
        for name, text in parts(kind).items():
            st.markdown(f"**{say(name)}.** {quoted(proofs.lettered(say(text)))}")
        proofs.offer(key)
    with right:
        with st.container(border=True):
            check(kind, key)
        for exhibit in exhibits(families):
            with st.container(border=True):
                _exhibit(exhibit)


def exhibits(families: Sequence[Family]) -> list[type[Exhibit]]:
    """Return what a textbook prints beside these families."""
    printed = [kind for kind in registry.values() if issubclass(kind, Exhibit)]
    return [kind for kind in printed if kind.family in families]


def _exhibit(kind: Any) -> None:
    """Show what a textbook prints, and what it truly gives for the bounds in use."""
    st.markdown(f"**{say(kind.title)}**")
    exhibit = kind(delta=1e-6) if "delta" in kind.parameters() else kind()
    truly = exhibit.true_guarantee(_public())
    claimed, held = st.columns(2)
    claimed.metric(say("Printed ε"), number(exhibit.claim.epsilon))
    held.metric(say("True ε"), "∞" if truly.epsilon == float("inf") else number(truly.epsilon))
    if exhibit.claim.delta or truly.delta:
        claimed.metric(say("Printed δ"), number(exhibit.claim.delta))
        held.metric(say("True δ"), number(truly.delta))
    st.caption(quoted(say(truly.text)))


def _public() -> Public:
    numbers = workspace().dataset.schema.numbers.values()
    bounds = next((declared.bounds for declared in numbers), CENSUS_AGE)
    return Public(bounds, 1000)
