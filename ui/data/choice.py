"""Choice: the samples, what this browser has opened, and what is registered here."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.lab.samples import SAMPLES
from discreet.office.registry import Registered
from discreet.ui.data import upload
from discreet.ui.frame.words import named, say
from discreet.ui.state import REGISTERED, workspace


def choose(desks: Sequence[Registered]) -> None:
    """Switch between the data, or bring a table along."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _work_on(desks)
    with right:
        upload.uploader()


def _work_on(desks: Sequence[Registered]) -> None:
    space = workspace()
    registered = {f"{REGISTERED}{desk.id}": say("{name} (registered)", name=desk.name) for desk in desks}
    names = list(dict.fromkeys([*SAMPLES, *space.opened, *registered]))
    here = space.here.name if space.current not in names else space.current
    chosen = st.selectbox(
        say("Work on"), names, names.index(here), format_func=lambda name: registered.get(name) or named(name)
    )
    if chosen != space.current:
        space.current = chosen
        st.rerun()
