"""Budgets: of what the amounts on a screen are, where each wave of the rows is a budget of its own."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Cost
from discreet.office import per_wave, registry
from discreet.office.house import House
from discreet.office.registry import Registered
from discreet.office.standing import by_wave
from discreet.ui.frame import wording
from discreet.ui.frame.words import quoted, say


def of_wave(data: Registered) -> None:
    """Say that amounts are of the newest wave, and what a person in several has; nothing where there are none."""
    promise = per_wave.promise(data.registration)
    if promise is not None:
        st.caption(wording.of_wave(data.versions[-1].wave))
        st.caption(quoted(say(promise)))


def each_wave(house: House, data: Registered) -> dict[int, Cost]:
    """Return what is spent or reserved of each wave; empty where waves are no budgets."""
    ledger = registry.ledger(house, data.id)
    return by_wave(ledger.rule, ledger.limit, ledger.lines, data.versions[-1].wave) if data.wave else {}
