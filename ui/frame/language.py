"""Language: the switch, the link that sets it, and what the browser is told."""

from __future__ import annotations

import streamlit as st

from discreet.ui.frame.words import say
from discreet.ui.state import LANGUAGES, choose, chosen, language, speak

KEY = "language"
TELL = "export default ({ data }) => { document.documentElement.lang = data.language; };"


def follow_link() -> None:
    """Use the language that an address asks for: a teacher's link brings its own."""
    wish = st.query_params.pop("lang", None)
    if wish is not None:
        speak(str(wish))
    choose(KEY, language(), again=True)  # a browser draws it anew on every page


def switch() -> None:
    """Offer the languages, each by its own name."""
    st.segmented_control(
        say("Language"),
        list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        key=KEY,
        required=True,
        on_change=_switched,
        label_visibility="collapsed",
    )


def _switched() -> None:
    speak(chosen(KEY))


def tell_browser() -> None:
    """Tell the browser (and whoever reads the screen aloud) which language the page is in."""
    teller = st.components.v2.component("discreet_language", js=TELL)
    teller(key="discreet-language", data={"language": language()})
