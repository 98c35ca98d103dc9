"""Guarantee: the statement, why it is true, who found it, what a textbook prints, the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import streamlit as st

from discreet.curator import Number
from discreet.lab.evidence import Certificate, certificate
from discreet.mechanisms import Mechanism, Public, registry
from discreet.mechanisms.exhibit import Exhibit
from discreet.mechanisms.families import Family
from discreet.mechanisms.statement import parts
from discreet.queries import Bounds
from discreet.ui.ask.topics import of_families
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.state import workspace

CENSUS_AGE = Bounds(0, 100, integer=True)


def guarantee(families: Sequence[Family], key: str) -> None:
    """Show the statement of a mechanism of this page, and what a textbook prints instead."""
    kinds = of_families(families)
    kind = st.selectbox(say("Method"), kinds, format_func=lambda k: say(k.title), key=f"{key}:guarantee")
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(border=True):
        for name, told in parts(kind).items():
            st.markdown(f"**{say(name)}.** {quoted(say(told))}")
        st.caption(say("Full proofs: docs/guarantees.md, in the folder of this program."))
    with right:
        with st.container(border=True):
            _evidence(kind, key)
        for exhibit in exhibits(families):
            with st.container(border=True):
                _exhibit(exhibit)


def exhibits(families: Sequence[Family]) -> list[type[Exhibit]]:
    """Return what a textbook prints beside these families."""
    printed = [kind for kind in registry.values() if issubclass(kind, Exhibit)]
    return [kind for kind in printed if kind.family in families]


def _evidence(kind: type[Mechanism], key: str) -> None:
    """Run the exact audit on every neighbour pair of a small world, here and now."""
    st.markdown(f"**{say('Evidence')}**")
    st.caption(
        say(
            "The exact distance of the two answers of every neighbour pair of a small world, "
            "computed without sampling. The tests do this for more worlds."
        )
    )
    if not st.button(say("Check it now"), key=f"{key}:check:{kind.slug}", icon=":material/verified:"):
        return
    with st.spinner(say("Comparing all pairs")):
        told = _checked(kind.slug)
    word = say("holds") if told.worst.holds else say("FAILS")
    st.success(
        say(
            "{pairs} pairs: the largest delta is {found}, claimed {claimed}. It {word}.",
            pairs=told.pairs,
            found=number(told.worst.delta),
            claimed=number(told.worst.claimed),
            word=word,
        )
    )


@lru_cache(maxsize=64)
def _checked(slug: str) -> Certificate:
    kind: Any = registry[slug]
    small = {"k": 3} if "k" in kind.parameters() else {}
    return certificate(kind(**small))


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
    columns = workspace().dataset.schema.columns.values()
    bounds = next((told.bounds for told in columns if isinstance(told, Number)), CENSUS_AGE)
    return Public(bounds, 1000)
