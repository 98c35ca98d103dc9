"""Links from one screen to another, and choices that the address remembers."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Mapping
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import segno
import streamlit as st

from discreet.ui.frame.words import say
from discreet.ui.session.state import follow_address, tell_address
from discreet.ui.session.streamlit_seams import scripts

# Navigable: screens as the navigation wants them, looked up once: Streamlit resolves each path in every run.

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


def link(page: str, label: str, icon: str = "arrow_forward", at: Mapping[str, str] | None = None) -> None:
    """Show a link to a screen by the name of its file, and to a place on it."""
    st.page_link(f"../pages/{page}.py", label=label, icon=f":material/{icon}:", query_params=at)


def offered(page: str) -> bool:
    """Say whether whoever looks has this screen at all."""
    return page in scripts()


def files(label: str, address: str) -> None:
    """Offer JSON and YAML at an address of this server, which looks at who asks."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(label, width="content")
        for kind in ("json", "yaml"):
            st.link_button(kind.upper(), f"{address}.{kind}", type="tertiary", icon=":material/download:")


def card_files(request: str) -> None:
    """Offer the card of a registered request."""
    files(say("Card as a file"), f"/card/{request}")


def view(label: str, options: Mapping[str, str], key: str, default: str = "", *, labelled: bool = False) -> str:
    """Choose a part of a screen; the address carries its name, the same in every language."""
    first = default or next(iter(options))
    follow_address(key, options, first)
    chosen = st.segmented_control(
        label,
        list(options),
        required=True,
        key=key,
        format_func=lambda name: say(options[name]),
        label_visibility="visible" if labelled else "collapsed",
    )
    part = chosen or first
    tell_address(key, part, first)
    return part


def pick(label: str, options: Mapping[str, str], key: str) -> str:
    """Choose one of many, whose labels are people's own words; the address carries its name."""
    first = next(iter(options))
    follow_address(key, options, first)
    chosen: str = st.selectbox(label, list(options), key=key, format_func=options.__getitem__)
    part = chosen or first
    tell_address(key, part, first)
    return part


# Square codes: a text that a telephone reads from the screen.


def square(text: str) -> str:
    """Return a square code as the source of an image: dark on white, whatever the theme."""
    image = io.BytesIO()
    segno.make(text, error="m").save(image, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False)
    return f"data:image/svg+xml;base64,{b64encode(image.getvalue()).decode()}"


# Theme: light or dark, and whether it is in somebody's hand, as whoever looks has it.


def dark() -> bool:
    """Say whether the person looks at the dark theme."""
    return bool(st.context.theme.type == "dark")


def handheld() -> bool:
    """Say whether a browser calls itself one of a telephone, whose screen is narrow."""
    return "Mobi" in (st.context.headers.get("User-Agent") or "")


# Buttons that act, readable in both themes.


ON_ACCENT = "#06201d"  # the accent of the dark theme is light, and so must carry dark text


def primary(label: str, disabled: bool = False, **options: Any) -> bool:
    """Show the one button of a form that acts."""
    text = label if disabled or not dark() else f':color[{label}]{{foreground="{ON_ACCENT}"}}'
    return st.button(text, type="primary", disabled=disabled, **options)
