"""Links from one screen to another, and choices that the address remembers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from discreet.ui.frame.words import say
from discreet.ui.state import follow_address, tell_address


def link(page: str, label: str, icon: str = "arrow_forward", at: Mapping[str, str] | None = None) -> None:
    """Show a link to a screen by the name of its file, and to a place on it."""
    st.page_link(f"../pages/{page}.py", label=label, icon=f":material/{icon}:", query_params=at)


def offered(page: str) -> bool:
    """Say whether whoever looks has this screen at all."""
    context = get_script_run_ctx()
    pages = context.pages_manager.get_pages().values() if context else ()
    return any(Path(there["script_path"]).stem == page for there in pages)


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
