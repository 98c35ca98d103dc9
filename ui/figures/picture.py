"""Picture: the figure of a result, saved by the browser as a PNG."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from discreet.ui.frame.words import say

BUTTON = st.components.v2.component(
    "discreet_picture",
    html='<button type="button" class="discreet-picture"><span></span></button>',
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def save(title: str, name: str, key: str) -> None:
    """Offer the figure right above as a picture with a title; the file is made in the browser."""
    data = {"label": say("Save as picture"), "title": title, "name": name}
    BUTTON(key=key, data=data, width="content")
