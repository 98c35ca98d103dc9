"""Curves: error against one setting, computed with a progress bar that can be stopped."""

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
from discreet.ui.figures import curves, theme
from discreet.ui.frame.background import away
from discreet.ui.frame.words import say
from discreet.ui.session.state import choose, workspace

VIEW = "compare-view"  # the key of the selected view


def show(view: str, contenders: Sequence[Contender], query: Any, price: Cost, stand: Ground) -> None:
    """Show the selected curve."""
    if view == "setting":
        _setting(contenders, query, price, stand)
        return
    slugs = [contender.slug for contender in contenders]
    sweep = sweeps.against_epsilon if view == "epsilon" else sweeps.against_size
    key = ("sweep", view, query, price, stand.name, stand.bounds)
    curve = _long(key, lambda report: sweep(query, price, stand, slugs, report, away))
    now = price.epsilon if view == "epsilon" else float(stand.column.n)
    curves.sweep(curve, now, f"compare:figure:{view}")


def _setting(contenders: Sequence[Contender], query: Any, price: Cost, stand: Ground) -> None:
    """Show the errors of one mechanism against its own k or b."""
    tunable = [entry for entry in contenders if isinstance(entry.mechanism, (SampleAggregate, ProposeTestRelease))]
    if not tunable:
        st.info(say("None of the mechanisms for this statistic has a block count k or a bound b."))
        return
    entry = st.selectbox(say("Mechanism"), tunable, format_func=lambda c: theme.title(c.slug), key="compare:tunable")
    key = ("setting", entry, query, price, stand.name, stand.bounds)
    now = entry.mechanism.values()
    if isinstance(entry.mechanism, ProposeTestRelease):
        curve = workspace().here.remember(key, lambda: sweeps.against_bound(entry, query, stand))
        here = now["b"]
    else:
        curve = _long(key, lambda report: sweeps.against_blocks(entry, query, stand, report, away))
        here = now["k"]
    curves.sweep(curve, float(here), "compare:setting")


def _long(key: object, make: Callable[[Callable[[float], None]], Sweep]) -> Sweep:
    """Compute with a progress bar; stopping returns to the errors and loses nothing."""
    place = st.empty()

    def compute() -> Sweep:
        with place.container():
            bar = st.progress(0.0, say("Computing"))
            st.button(say("Stop"), on_click=choose, args=(VIEW, "errors"))

        def report(share: float) -> None:
            bar.progress(share)

        return make(report)

    sweep = workspace().here.remember(key, compute)
    place.empty()
    return sweep
