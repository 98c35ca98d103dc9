"""Responsible: who answers for data, as fields that begin with what the house says of itself."""

from __future__ import annotations

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.office import House, letterhead
from discreet.office.letterhead import LABELS, LISTS, Letterhead
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.entries import Entries

WORDS = {
    "Technology": Phrase("Technology"),
    "Healthcare": Phrase("Healthcare"),
    "Education": Phrase("Education"),
    "Government": Phrase("Government"),
    "Energy": Phrase("Energy"),
    "Finance": Phrase("Finance"),
    "Nonprofit": Phrase("Nonprofit"),
    "Industry": Phrase("Industry"),
}  # the lists are those of the public registry
HERE = ("organisation", "kind", "sector", "contact", "region", "access")


def of_house(house: House) -> Letterhead:
    """Return what the house says of itself; where the trail does not know it, nothing, and say so."""
    try:
        return letterhead.of_house(house)
    except ParameterError as strange:
        st.error(quoted(say(strange)))
        return Letterhead()


def ask(entries: Entries, said: Letterhead) -> None:
    """Ask who answers for the data, with what the house says filled in."""
    st.markdown(f"**{say('Who answers for these data')}**")
    st.caption(
        say("From the page Settings. Change it here for these data only.")
        if said.said
        else say("An administrator can say this once, on the page Settings, for all registrations.")
    )
    for name in HERE:
        field(name, getattr(said, name), entries.key(name))


def field(name: str, text: str, key: str) -> None:
    """Show one part as a field: a list where the public registry has one."""
    if name not in LISTS:
        st.text_input(say(LABELS[name]), text, key=key, max_chars=500)
        return
    options = ["", *LISTS[name]]
    st.selectbox(say(LABELS[name]), options, options.index(text), key=key, format_func=in_words)


def in_words(word: str) -> str:
    """Say a word of the public registry's lists; a dash where nothing is said, another word as it is."""
    return say(WORDS[word]) if word in WORDS else word or "–"
