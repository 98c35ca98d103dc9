"""Refining: ask once more, more exactly, and pay the difference, from the card of an answer."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discreet.budget import BudgetExceeded, ParameterError
from discreet.curator import Release, Request
from discreet.mechanisms.refining import Difference
from discreet.office import seal
from discreet.rows import Schema
from discreet.ui.frame.units import unit_of
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.state import moved, settings, workspace

TWICE, MOST = 2.0, 50.0  # times the epsilon before, and in all
STEPS = 40
ACTING = ("refine",)


def more_exactly(release: Release, schema: Schema) -> None:
    """Offer the same answer with less noise, or say why there is none; a finer one is refined in its place."""
    curator = workspace().curator
    before = release.request.mechanism.cost().epsilon
    if release.refused or before >= MOST or any(each.refines == release.id for each in curator.releases):
        return
    with st.popover(say("Ask once more, more exactly"), icon=":material/zoom_in:", type="tertiary"):
        try:
            curator.step(release.id, min(TWICE * before, MOST))  # before anything is offered
            epsilon = _total(before, curator.ledger.left.epsilon, f"finer:{release.id}")
            request, step = curator.step(release.id, epsilon)
        except ParameterError as refused:
            st.caption(quoted(say(refused)))
        else:
            _worth(request, step, schema)
            _button(step, epsilon, curator.ledger.after(step.cost(), step.account()) is not None)


def _total(before: float, left: float, key: str) -> float:
    """Ask for the epsilon of the finer answer, by itself."""
    high = min(MOST, max(TWICE * before, before + left))
    values = [round(before + (high - before) * step / STEPS, 6) for step in range(1, STEPS + 1)]
    start = min(values, key=lambda value: abs(value - TWICE * before))
    return float(st.select_slider(say("Epsilon in all"), values, start, key=f"{key}:total"))


def _worth(request: Request, step: Difference, schema: Schema) -> None:
    """Say how near the finer answer is, and what is charged for it."""
    width = request.mechanism.forecast(request.public(schema)).half_width
    if width is not None:
        span = f"{number(width)}{unit_of(request, schema)}"
        st.markdown(say("**19 times in 20 within ± {width}.**", width=quoted(span)))
    st.caption(
        say("Both answers together tell no more than the finer one alone, so only the difference is charged.")
        if step.refined.instead
        else say("Fresh noise is drawn and averaged with the old: what is charged is what that noise loses.")
    )


def _button(step: Difference, epsilon: float, fits: bool) -> None:
    """Name the price on the button that spends it."""
    key = f"finer:{step.earlier}"
    st.button(
        say("Spend {cost} and release", cost=step.cost()),
        disabled=not fits,
        key=f"{key}:refine",
        on_click=_refine,
        args=(step.earlier, epsilon, settings(key, ACTING)),
        width="stretch",
    )


def _refine(earlier: str, epsilon: float, before: dict[str, Any]) -> None:
    """Refine to the epsilon that the button named, in one step; where it was moved since, do nothing."""
    space = workspace()
    if moved(before):
        space.notice = ParameterError(seal.OTHER)
        return
    try:
        space.curator.refine(earlier, epsilon)
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused
