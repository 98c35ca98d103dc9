"""Tuned: the other settings, chosen on public ground or by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from discreet.lab.contest import Ground
from discreet.mechanisms import Mechanism
from discreet.mechanisms.block_count import propose_k
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.ui.ask import fields as ask_for
from discreet.ui.frame.words import number, say
from discreet.ui.opened import Opened


def tuned(kind: type[Any], mechanism: Any, ground: Ground | None, own: Opened, key: str) -> Mechanism:
    """Choose the other settings on public ground, or let the person choose them."""
    if isinstance(mechanism, SampleAggregate):
        return _blocks(mechanism, ground, key)
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


def _blocks(mechanism: SampleAggregate, ground: Ground | None, key: str) -> Mechanism:
    """Ask for the number of blocks and the public range of an estimate."""
    people = max(ground.column.n, 1) if ground is not None else 1000
    proposal = propose_k(mechanism.epsilon, people)
    k = st.number_input(
        say("Blocks"),
        1,
        1_000_000,
        proposal.k,
        key=f"{key}:k:{mechanism.epsilon}:{people}",
        help=say("Every person is in one secret random block."),
    )
    lower, upper = _range(mechanism, key)
    st.caption(say(proposal.reason))
    return replace(mechanism, k=int(k), lower=lower, upper=upper, default=None)


def _range(mechanism: SampleAggregate, key: str) -> tuple[float, float]:
    """Ask for the public range of an estimate."""
    left, right = st.columns(2)
    name = mechanism.estimator
    lower = left.number_input(say("Lowest estimate"), value=mechanism.lower, format="%g", key=f"{key}:low:{name}")
    upper = right.number_input(say("Highest estimate"), value=mechanism.upper, format="%g", key=f"{key}:high:{name}")
    return lower, upper
