"""Invitations: links for whoever is new or has lost a password."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member, duties, invitations
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.entries import Entries, turn, turned
from discreet.ui.office.role_choice import ask_roles
from discreet.ui.state import choose, chosen

MARK, LINK = "invite", "invited"


def invite(house: House, who: Member) -> None:
    """Ask for a login, a name and roles, and show the link of the new account."""
    st.header(say("Invite somebody"), anchor=False)
    entries = Entries(turned(MARK))
    with st.form("invite", border=False):
        login = st.text_input(say("Login"), key=entries.key("login"))
        name = st.text_input(say("Name"), key=entries.key("name"))
        roles = ask_roles(entries.key("roles"), ["analyst"])
        sent = st.form_submit_button(say("Make a link"), width="stretch")
    if not duties.alone(house, who, "administrator"):
        st.caption(
            say("An officer or administrator who is invited gets in once another administrator has confirmed it.")
        )
    if sent:
        _invited(lambda: invitations.invite(house, who, login, name, roles))
    secret = chosen(LINK)
    if secret:
        choose(LINK, None)
        _shown_once(secret)


def _invited(make: Callable[[], str]) -> None:
    """Make a link, and let the form begin anew: the next person is not given what was said of this one."""
    try:
        choose(LINK, make())
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    turn(MARK)
    st.rerun()


def new_link(make: Callable[[], str]) -> None:
    """Show a new link, this one time."""
    try:
        secret = make()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    _shown_once(secret)


def _shown_once(secret: str) -> None:
    """Show what an account is opened with."""
    st.success(say("Give this address to them. It works once, for a week, and is not shown again."))
    st.code(f"{_address()}/sign-in?link={secret}", language=None, wrap_lines=True)


def _address() -> str:
    """Return the address of this server as the browser knows it."""
    return str(st.context.url or "").rsplit("/", 1)[0] if st.context.url else ""
