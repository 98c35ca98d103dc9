"""Book panel: what the formulas of a step mean, a program that computes its number, where books differ, and sources."""

from __future__ import annotations

import streamlit as st

from discreet.lab.lessons.book_page import BookPage
from discreet.ui.frame.words import say


def book_panel(page: BookPage) -> None:
    """Show the page of the book that belongs to a step."""
    with st.expander(say("The book: meaning, program, sources"), icon=":material/menu_book:"):
        left, right = st.columns([2, 3], gap="medium")
        with left:
            st.markdown(say(page.meaning))
            if page.differs:
                st.markdown(f"**{say('Where books differ:')}** {say(page.differs)}")
        with right:
            st.caption(say("With this library; it prints the answer to the guess of this step."))
            st.code(page.program.strip(), language=None)  # colours of a language are too pale
        if page.sources:
            st.caption(say("Sources:") + "  \n" + "  \n".join(page.sources))
