"""Theme: light or dark, and whether it is in somebody's hand, as whoever looks has it."""

from __future__ import annotations

import streamlit as st


def dark() -> bool:
    """Say whether the person looks at the dark theme."""
    return bool(st.context.theme.type == "dark")


def handheld() -> bool:
    """Say whether a browser calls itself one of a telephone, whose screen is narrow."""
    return "Mobi" in (st.context.headers.get("User-Agent") or "")
