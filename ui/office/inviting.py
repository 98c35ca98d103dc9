"""Invitations: links for whoever is new or has lost a password."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member, duties, invitations
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.role_choice import ask_roles


def invite(house: House, who: Member) -> None:
    """Ask for a login, a name and roles, and show the link of the new account."""
    st.header(say("Invite somebody"), anchor=False)
    with st.form("invite", border=False):
        login, name = st.text_input(say("Login")), st.text_input(say("Name"))
        roles = ask_roles("invite-roles", ["analyst"])
        sent = st.form_submit_button(say("Make a link"), width="stretch")
    if not duties.alone(house, who, "administrator"):
        st.caption(
            say("An officer or administrator who is invited gets in once another administrator has confirmed it.")
        )
    if sent:
        new_link(lambda: invitations.invite(house, who, login, name, roles))


def new_link(make: Callable[[], str]) -> None:
    """Show a new link, this one time."""
    try:
        secret = make()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    st.success(say("Give this address to them. It works once, for a week, and is not shown again."))
    st.code(f"{_address()}/sign-in?link={secret}", language=None, wrap_lines=True)


def _address() -> str:
    """Return the address of this server as the browser knows it."""
    return str(st.context.url or "").rsplit("/", 1)[0] if st.context.url else ""
