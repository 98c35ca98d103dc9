"""Links: links from one screen to another, choices kept in the address, QR codes and theme."""

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

# Screens: the pages of the navigation, cached because Streamlit resolves each path in every run.

PAGES = Path(__file__).resolve().parents[2] / "pages"
MOST = 1000  # size of the cache: all screens in each language, some with a count of what waits


def screen(
    name: str, title: str, icon: str, visibility: Literal["visible", "hidden"] = "visible", default: bool = False
) -> st.Page:
    """Return a screen, inside a run; its address is its name with dashes.

    It is a copy, because the run that selects a screen marks the object.
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
    """Show a link to a screen by the name of its file, optionally with query parameters."""
    st.page_link(f"../pages/{page}.py", label=label, icon=f":material/{icon}:", query_params=at)


def lead(page: str, label: str, icon: str, at: Mapping[str, str] | None = None, main: bool = False) -> None:
    """Show a button that leads to a screen, also to another address of the open one, which a link does not change."""
    sign = f":material/{icon}:"
    pressed = primary(label, icon=sign) if main else st.button(label, icon=sign, type="tertiary")
    if pressed:
        st.switch_page(f"../pages/{page}.py", query_params=at)


def offered(page: str) -> bool:
    """Whether the signed-in person has this screen."""
    return page in scripts()


def to_managers() -> None:
    """Link to the page on who can read a table, who must agree, and what is at stake."""
    link("help", say("For managers and privacy officers"), "help", {"topic": "explanation/managers-and-officers"})


BACK = "back"  # in the address of the page Dataset: the page that led there


def to_dataset(page: str) -> None:
    """Link from a page where nothing can be asked to the columns, which lead back to it once they are declared."""
    link("dataset", say("Declare a column on the Dataset page"), at={BACK: page})


def go_back(other: str = "") -> None:
    """Go to the page that led here, or else to another one; stay without either."""
    page = st.query_params.get(BACK) or other
    if offered(page):
        st.switch_page(f"../pages/{page}.py")


def files(label: str, address: str) -> None:
    """Offer JSON and YAML at an address of this server, which checks the access rights."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(label, width="content")
        for kind in ("json", "yaml"):
            st.link_button(kind.upper(), f"{address}.{kind}", type="tertiary", icon=":material/download:")


def card_files(request: str) -> None:
    """Offer the release card of a registered request."""
    files(say("Release card"), f"/card/{request}")


def view(label: str, options: Mapping[str, str], key: str, default: str = "", *, labelled: bool = False) -> str:
    """Choose a part of a screen; the address holds its name, which does not depend on the language."""
    first = default or next(iter(options))
    follow_address(key, options, first)
    chosen = st.segmented_control(
        label,
        list(options),
        required=True,
        key=key,
        format_func=lambda name: say(options[name]),
        label_visibility="visible" if labelled else "collapsed",
        wrap=True,
    )
    part = chosen or first
    tell_address(key, part, first)
    return part


def pick(label: str, options: Mapping[str, str], key: str) -> str:
    """Choose one of many options labelled with people's own text; the address holds the chosen name."""
    first = next(iter(options))
    follow_address(key, options, first)
    chosen: str = st.selectbox(label, list(options), key=key, format_func=options.__getitem__)
    part = chosen or first
    tell_address(key, part, first)
    return part


# Theme: whether the browser shows the light or dark theme, and whether it is a phone.


def dark() -> bool:
    """Whether the browser shows the dark theme."""
    return bool(st.context.theme.type == "dark")


def handheld() -> bool:
    """Whether the browser identifies as a phone, with a narrow screen."""
    return "Mobi" in (st.context.headers.get("User-Agent") or "")


# Action buttons, readable in both themes.


ON_ACCENT = "#111716"  # the accent colour of the dark theme is light, and so needs dark text


def primary(label: str, disabled: bool = False, **options: Any) -> bool:
    """Show the primary button of a form."""
    text = label if disabled or not dark() else f':color[{label}]{{foreground="{ON_ACCENT}"}}'
    return st.button(text, type="primary", disabled=disabled, **options)


# QR codes: a text that a phone reads from the screen.


def square(text: str) -> str:
    """Return a QR code as the source of an image, dark on white in either theme."""
    image = io.BytesIO()
    segno.make(text, error="m").save(image, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False)
    return f"data:image/svg+xml;base64,{b64encode(image.getvalue()).decode()}"
