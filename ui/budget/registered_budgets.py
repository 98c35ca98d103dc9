"""Registered budgets: what an officer finds on the page Budget, where everybody else finds the data in use."""

from __future__ import annotations

import streamlit as st

from discreet.lab.samples import SAMPLES
from discreet.office import Member
from discreet.ui.frame.links import link
from discreet.ui.frame.words import say
from discreet.ui.office import door, horizon
from discreet.ui.state import workspace


def in_place_of_sample(person: Member | None) -> bool:
    """Say whether an officer looks, who has asked nothing of a sample and uses no data of their own."""
    if person is None or "officer" not in person.roles:
        return False
    space = workspace()
    return space.current in SAMPLES and not space.curator.ledger.entries


def show(person: Member | None) -> None:
    """Show an officer where all data stand that they keep; nothing to others."""
    house = door.house()
    if house is None or person is None or "officer" not in person.roles:
        return
    st.header(say("Registered data"), anchor=False)
    if horizon.table(house, person):
        link("registered", say("Over time, by analyst, and what ends when"), "inventory_2", {"registered-view": "all"})
    else:
        st.info(say("Nothing is registered yet."))
