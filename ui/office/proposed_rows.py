"""Proposed rows: what takes two officers before rows come in, whose waits for the second one, and ways to answer."""

from __future__ import annotations

import streamlit as st

from discreet.office import House, Member, duties, renewal, voices
from discreet.office.memberships import name_of
from discreet.office.registration import VERSION
from discreet.office.registry import Registered
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.steps import do


def show(house: House, who: Member, data: Registered) -> None:
    """Say what waits for another officer of these data, and how it is confirmed; let it be dropped."""
    waits = duties.pending(house, VERSION, data.id)
    if waits is not None:
        st.warning(_whose(house, data, waits))
        st.caption(
            say("It holds when another officer adds the same file as a version, and says the same of the bounds.")
        )
        if st.button(say("Drop this proposal"), width="stretch", key=f"no:{waits.id}"):
            do(lambda: duties.drop(house, who, "officer", waits, data.name))


def before(house: House, who: Member, data: Registered) -> None:
    """Say above the button that adds a version whether one officer is enough, and what waits already."""
    waits = duties.pending(house, VERSION, data.id)
    if VERSION not in data.policy.both and waits is None:
        return
    if duties.alone(house, who, "officer", data.id):
        st.warning(say("You are the only officer. It holds on your word alone, and the trail says so."))
        return
    if waits is not None:
        st.info(_whose(house, data, waits))
    if VERSION in data.policy.both:
        st.caption(say("A version of these data takes two officers: it holds when both have added the same file."))


def _whose(house: House, data: Registered, waits: voices.Motion) -> str:
    """Say who proposes a version, and what was said of it."""
    name, why = name_of(house, waits.by), renewal.proposed(house, data)
    words, bounds = quoted(say("{name} proposes a version: “{why}”.", name=name, why=why)), waits.wanted.get("bounds")
    if not bounds:
        return words
    listed, source = ", ".join(f"{name} {end}" for name, end in bounds.items()), waits.wanted["source"]
    return f"{words} {quoted(say('Bounds from it on: {ends}, by: “{source}”.', ends=listed, source=source))}"
