"""Sidebar: the language, the signed-in person and the tour."""

from __future__ import annotations

import streamlit as st

from discreet.office import Member
from discreet.office.house.roles import ROLES
from discreet.ui.frame.links import link
from discreet.ui.frame.tour import way_back
from discreet.ui.frame.words import quoted, say
from discreet.ui.session.state import LANGUAGES, choose, chosen, language, leave, speak

# Language: the switch, the link that sets it, and the language attribute of the page.

KEY = "language"
TELL = "export default ({ data }) => { document.documentElement.lang = data.language; };"


def follow_link() -> None:
    """Use the language that the address asks for: a teacher's link sets it."""
    wish = st.query_params.pop("lang", None)
    if wish is not None:
        speak(str(wish))
    choose(KEY, language(), again=True)  # browsers recreate the widget on every page


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
    """Set the language of the page for the browser and for screen readers."""
    teller = st.components.v2.component("discreet_language", js=TELL)
    teller(key="discreet-language", data={"language": language()})


def sidebar(person: Member | None, work: bool) -> None:
    """Show the language, the signed-in person and, on pages of work, the tour."""
    switch()
    link("help", say("Help"), "help")
    if work:
        way_back()
    if person is not None:
        _person(person)


def _person(person: Member) -> None:
    roles = " · ".join(say(ROLES[role]) for role in sorted(person.roles))
    name, out = st.columns([3, 2], vertical_alignment="center")
    name.markdown(f"**{quoted(person.name)}**  \n:small[{roles}]")
    out.button(say("Sign out"), key="sign-out", type="tertiary", on_click=leave)
