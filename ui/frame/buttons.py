"""Buttons that act, readable in both themes."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discreet.ui.frame.theme import dark

ON_ACCENT = "#06201d"  # the accent of the dark theme is light, and so must carry dark text


def primary(label: str, disabled: bool = False, **options: Any) -> bool:
    """Show the one button of a form that acts."""
    text = label if disabled or not dark() else f':color[{label}]{{foreground="{ON_ACCENT}"}}'
    return st.button(text, type="primary", disabled=disabled, **options)
