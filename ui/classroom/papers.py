"""Papers: the links to what can be printed for a class."""

from __future__ import annotations

import streamlit as st

from discreet.ui.classroom.convened import held, meeting
from discreet.ui.classroom.handout import PAPERS, address, readable
from discreet.ui.frame.words import say
from discreet.ui.state import browser, language


def base() -> str:
    """Return where others find this server: as the class was told, or as this browser did."""
    return meeting().rules.address if held() else (st.context.url or "").rsplit("/", 1)[0]


def papers() -> None:
    """Offer worksheet, solutions and timetable, to be printed from the browser."""
    st.caption(say("To print, with the addresses of this server"))
    with st.container(horizontal=True):
        for kind in (kind for kind in PAPERS if readable(kind, browser())):
            title, _ = PAPERS[kind]
            st.link_button(say(title), address(kind, language()), icon=":material/print:", type="tertiary")
