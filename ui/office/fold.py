"""Folds: what is closed at first is neither computed nor sent before somebody opens it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from discreet.office import Member
from discreet.ui.office import door


def fold(name: str, label: str, draw: Callable[[], None], icon: str | None = None) -> None:
    """Show a fold; opening it draws what is inside and nothing else of the screen. Its name keeps it open."""
    st.fragment(_folded)(name, label, draw, icon, door.who())


def _folded(name: str, label: str, draw: Callable[[], None], icon: str | None, seen_by: Member | None) -> None:
    """Show it to whom the screen was shown; where a session ended or a role changed, the whole screen is asked anew."""
    box = st.expander(label, icon=icon, key=f"fold:{name}", on_change="rerun")
    if not box.open:
        return
    if door.who() != seen_by:
        st.rerun()
    with box:
        draw()
