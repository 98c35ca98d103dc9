"""Keystrokes: text typed into a table cell right after the click arrives there, however fast it is typed."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

SCRIPT = (Path(__file__).with_suffix(".js")).read_text(encoding="utf-8")
KEEPER = st.components.v2.component("discreet_keystrokes", js=SCRIPT, isolate_styles=False)


def keep_keystrokes(key: str) -> None:
    """Buffer the keys pressed before the editor of a cell has opened, in all tables of the page."""
    KEEPER(key=f"{key}:keystrokes", width="content")
