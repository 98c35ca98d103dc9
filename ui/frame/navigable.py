"""Navigable: screens as the navigation wants them, looked up once: Streamlit resolves each path in every run."""

from __future__ import annotations

from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Literal

import streamlit as st

PAGES = Path(__file__).resolve().parents[2] / "pages"
MOST = 1000  # names of screens that are remembered: all of them, in each language, with what waits behind some


def screen(
    name: str, title: str, icon: str, visibility: Literal["visible", "hidden"] = "visible", default: bool = False
) -> st.Page:
    """Return a screen, inside a run; its address is its name with dashes.

    It is a copy, because the run that chose a screen marks it.
    """
    return copy(_model(name, title, icon, visibility, default))


@lru_cache(maxsize=MOST)
def _model(name: str, title: str, icon: str, visibility: Literal["visible", "hidden"], default: bool) -> st.Page:
    return st.Page(
        PAGES / f"{name}.py",
        icon=f":material/{icon}:",
        title=title,
        url_path=name.replace("_", "-"),
        default=default,
        visibility=visibility,
    )
