"""Sweeps: error against one setting; long enough for a progress bar and a way to stop it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from discreet.budget import Cost
from discreet.lab import sweeps
from discreet.lab.contest import Contender, Ground
from discreet.lab.sweeps import Sweep
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.ui.compare.away import away
from discreet.ui.figures import inside, look
from discreet.ui.frame.words import say
from discreet.ui.state import choose, workspace


def show(view: str, asked: Sequence[Contender], query: Any, price: Cost, stand: Ground) -> None:
    """Show the sweep that is chosen."""
    if view == "setting":
        _setting(asked, query, price, stand)
        return
    slugs = [one.slug for one in asked]
    sweep = sweeps.against_epsilon if view == "epsilon" else sweeps.against_size
    key = ("sweep", view, query, price, stand.name, stand.bounds)
    told = _long(key, lambda report: sweep(query, price, stand, slugs, report, away))
    now = price.epsilon if view == "epsilon" else float(stand.column.n)
    inside.sweep(told, now, f"compare:figure:{view}")


def _setting(asked: Sequence[Contender], query: Any, price: Cost, stand: Ground) -> None:
    swept = (SampleAggregate, ProposeTestRelease)
    known = [one for one in asked if isinstance(one.mechanism, swept)]
    if not known:
        st.info(say("No mechanism with a k or a b answers this statistic."))
        return
    one = st.selectbox(say("Mechanism"), known, format_func=lambda c: look.title(c.slug), key="compare:tunable")
    key = ("setting", one, query, price, stand.name, stand.bounds)
    now = one.mechanism.values()
    if isinstance(one.mechanism, ProposeTestRelease):
        told = workspace().here.remember(key, lambda: sweeps.against_bound(one, query, stand))
        here = now["b"]
    else:
        told = _long(key, lambda report: sweeps.against_blocks(one, query, stand, report, away))
        here = now["k"]
    inside.sweep(told, float(here), "compare:setting")


def _long(key: object, make: Callable[[Callable[[float], None]], Sweep]) -> Sweep:
    """Compute with a progress bar; stopping goes back to the errors and loses nothing."""
    place = st.empty()

    def made() -> Sweep:
        with place.container():
            bar = st.progress(0.0, say("Computing"))
            st.button(say("Stop"), on_click=choose, args=("compare-view", "errors"))

        def told(share: float) -> None:
            bar.progress(share)

        return make(told)

    sweep = workspace().here.remember(key, made)
    place.empty()
    return sweep
