"""Teaching: what to know before the class, and the addresses of the lessons for its slides."""

from __future__ import annotations

import streamlit as st

from discreet.ui.frame.words import say
from discreet.ui.learn.course import LESSONS
from discreet.ui.state import language


def hints() -> None:
    """Say what helps before the class, and list the addresses."""
    st.subheader(say("Before the class"), anchor=False)
    st.markdown(
        say(
            "- Every participant opens the address of this server in a browser of their own: each "
            "browser has its own budget on the sample data, and nobody sees another's answers.\n"
            "- The address of a lesson carries its step and its settings. Copy it from the address "
            "bar and hand it out; `lang=zh` or `lang=en` in it sets the language.\n"
            "- The same draw number shows the same noise on every screen.\n"
            "- Reset puts a lesson back. A spent budget is replaced on the page Budget, which says "
            "what that means."
        )
    )
    st.caption(say("Addresses of the lessons, for your slides"))
    base = (st.context.url or "").rsplit("/", 1)[0]
    pages = [f"{base}/{lesson.page.replace('_', '-')}?lang={language()}" for lesson in LESSONS]
    st.code("\n".join(pages), language=None)
