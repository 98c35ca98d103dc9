"""Invitation: how one gets into the class, large enough to be read from the last row."""

from __future__ import annotations

import io
from base64 import b64encode

import segno
import streamlit as st

from discreet.ui.classroom.convened import meeting
from discreet.ui.frame.words import say


def square(text: str) -> str:
    """Return a square code as the source of an image: dark on white, whatever the theme."""
    image = io.BytesIO()
    segno.make(text, error="m").save(image, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False)
    return f"data:image/svg+xml;base64,{b64encode(image.getvalue()).decode()}"


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
