"""Tongue choice: in which language somebody is written to, which may be another one than that of their screen."""

from __future__ import annotations

import streamlit as st

from discreet.office import House, Member, tongues
from discreet.ui.frame.words import say
from discreet.ui.office.steps import do
from discreet.ui.state import LANGUAGES


def show(house: House, who: Member) -> None:
    """Ask for the language of mail."""
    before, codes = tongues.own_tongue(house, who), list(LANGUAGES)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        language = st.selectbox(
            say("Language of mail"),
            codes,
            codes.index(before) if before in codes else 0,
            format_func=LANGUAGES.__getitem__,
            key="tongue",
        )
        if st.button(say("Save the language"), key="save-tongue"):
            do(lambda: tongues.choose_tongue(house, who, language), say("Saved."))
