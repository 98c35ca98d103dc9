"""Invitation: how one gets into the class, large enough to be read from the last row."""

from __future__ import annotations

import streamlit as st

from discreet.ui.classroom.convened import meeting
from discreet.ui.frame.square import square
from discreet.ui.frame.words import say


def show() -> None:
    """Show the square code, the address and the code of the class beside each other."""
    rules = meeting().rules
    left, right = st.columns([2, 3], gap="large", vertical_alignment="center")
    words = say("Square code of the address of this class")
    left.html(f'<img src="{square(rules.link)}" alt="{words}" style="width: 100%; max-width: 60vh">')
    with right:
        st.markdown(say("Open this address in a browser:"))
        st.html(
            f'<p style="font-size: 2.4rem; font-weight: 700; margin: 0">{rules.address.removeprefix("http://")}</p>'
        )
        st.markdown(say("The code of the class:"))
        st.html(f'<p style="font-size: 4.5rem; font-weight: 700; letter-spacing: .15em; margin: 0">{rules.code}</p>')
        st.caption(say("No account is needed, and a name is optional. The square code brings the code along."))
