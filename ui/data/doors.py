"""Doors: the three ways to begin, for whoever has not begun yet."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.office import Member
from discreet.office.registry import Registered
from discreet.ui.frame.links import link
from discreet.ui.frame.tour import invitation
from discreet.ui.frame.words import quoted, say
from discreet.ui.state import workspace


def doors(person: Member | None, registered: Sequence[Registered]) -> None:
    """Show where each of three people begins, until one of them brought data or asked something."""
    if workspace().worked or workspace().registered:
        return
    publish, decide, learn = st.columns(3)
    with publish, st.container(border=True, height="stretch"):
        st.markdown(say("**Publish statistics from a table.** Upload it below, or try a sample first."))
        link("plan", say("Plan a publication"), "checklist")
    with decide, st.container(border=True, height="stretch"):
        if person is not None and "officer" not in person.roles:
            _registered(registered)
        else:
            _office(person)
    with learn, st.container(border=True, height="stretch"):
        st.markdown(say("**Learn, or run a class.** Nine lessons with the same mechanisms on made-up people."))
        link("learn", say("Open the course"), "school")
    invitation(say("New here? Take the tour of the screens: five stops"), "tour:doors")


def _office(person: Member | None) -> None:
    """Lead to the screen where an officer decides, or to the sign-in."""
    st.markdown(say("**Decide on requests.** Register data, give them a budget, approve what is released."))
    if person is None:
        link("sign_in", say("Sign in to the office"), "login")
    else:
        link("review", say("Review requests"), "approval")


def _registered(data: Sequence[Registered]) -> None:
    """Lead whoever may ask to the newest of the data that are kept here."""
    st.markdown(say("**Ask about registered data.** Their rows stay with the office, and an officer approves."))
    if not data:
        st.caption(say("Nothing is registered yet."))
        link("published", say("See what was released"), "public")
        return
    newest = max(data, key=lambda each: each.at)
    label = say("Work on {name}", name=quoted(newest.name))
    st.button(label, icon=":material/table:", type="tertiary", on_click=_work_on, args=(newest.id,))


def _work_on(dataset: str) -> None:
    workspace().turn_to(dataset)
