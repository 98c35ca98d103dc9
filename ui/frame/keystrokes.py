"""Keystrokes: whatever is typed into a cell of a table arrives there, however fast it is typed after the click."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

SCRIPT = (Path(__file__).with_suffix(".js")).read_text(encoding="utf-8")
KEEPER = st.components.v2.component("discreet_keystrokes", js=SCRIPT, isolate_styles=False)


def keep_keystrokes(key: str) -> None:
    """Keep keys that come before the editor of a cell, in all tables of the page."""
    KEEPER(key=f"{key}:keystrokes", width="content")
