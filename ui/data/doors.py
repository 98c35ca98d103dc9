"""Doors: the three ways to begin, for whoever has not begun yet."""

from __future__ import annotations

import streamlit as st

from discreet.office import Member
from discreet.ui.frame.links import link
from discreet.ui.frame.tour import invitation
from discreet.ui.frame.words import say
from discreet.ui.state import workspace


def doors(person: Member | None) -> None:
    """Show where each of three people begins, until one of them brought data or asked something."""
    if workspace().worked or workspace().registered:
        return
    publish, decide, learn = st.columns(3)
    with publish, st.container(border=True, height="stretch"):
        st.markdown(say("**Publish statistics from a table.** Upload it below, or try a sample first."))
        link("plan", say("Plan a publication"), "checklist")
    with decide, st.container(border=True, height="stretch"):
        st.markdown(say("**Decide on requests.** Register data, give them a budget, approve what is released."))
        _office(person)
    with learn, st.container(border=True, height="stretch"):
        st.markdown(say("**Learn, or run a class.** Nine lessons with the same mechanisms on made-up people."))
        link("learn", say("Open the course"), "school")
    invitation(say("New here? Take the tour of the screens: five stops"), "tour:doors")


def _office(person: Member | None) -> None:
    """Lead to the screen where whoever looks decides, or to the sign-in."""
    if person is None:
        link("sign_in", say("Sign in to the office"), "login")
    elif "officer" in person.roles:
        link("review", say("Review requests"), "approval")
    else:
        link("published", say("See what was released"), "public")
