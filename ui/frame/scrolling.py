"""Scrolling: each page starts at its top, and what was made just now is brought into view, once."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from discreet.ui.session.state import choose, chosen

SCROLLER = st.components.v2.component(
    "discreet_scrolling", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)
NEW = "scrolling:new"  # what was made last, and how many things were made before it
TITLE = ""  # the place of a page's title


def start_at_top() -> None:
    """Let each page that a link or button opens start at its top; the way back keeps its position."""
    SCROLLER(key="scrolling", width="content")


def made(what: str) -> None:
    """Let the page that shows this thing be scrolled to it."""
    choose(NEW, (what, chosen(NEW, ("", 0))[1] + 1))


def bring(what: str, to: str = TITLE, *, upwards: bool = False) -> None:
    """Scroll to a place of the page, given as a CSS selector, if this thing was made last; upwards only, or both ways.

    What is in view already stays where it is.
    """
    new, number = chosen(NEW, ("", 0))
    data = {"to": to, "mark": number if what == new else 0, "upwards": upwards}
    SCROLLER(key=f"scrolling:{to or 'title'}", data=data, width="content")
