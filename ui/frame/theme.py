"""Theme: light or dark, as whoever looks has it."""

from __future__ import annotations

import streamlit as st


def dark() -> bool:
    """Say whether the person looks at the dark theme."""
    return bool(st.context.theme.type == "dark")
