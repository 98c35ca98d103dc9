"""Signing in: a password and what follows it, a provider, the first account of a house, a password by a link."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member, entrance, invitations, memberships, passwords, tokens
from discreet.office.causes import UNREACHABLE
from discreet.office.halfway import Halfway
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import door, provider, second_step
from discreet.ui.office.role_choice import in_words
from discreet.ui.state import language


def show() -> None:
    """Show the way in that fits who comes."""
    house, half = door.house(), second_step.halfway()
    link = st.query_params.get("link") if half is None else None
    st.title(say("Sign in") if link is None else say("Welcome"), anchor=False)
    if house is None:
        st.error(say(UNREACHABLE))
        return
    with st.columns([2, 3])[0], st.container(border=True):
        if half is not None:
            second_step.show(house, half)
        elif link is not None:
            _by_link(house, link)
        elif memberships.empty(house) and not provider.offered():
            st.info(say("Nobody has an account yet. The terminal of the server shows a link."))
        else:
            _usual(house)


def _usual(house: House) -> None:
    """Ask for a login and a password, or send to the provider."""
    if provider.offered():
        _organisation()
    with st.form("sign-in", border=False, enter_to_submit=True):
        login = st.text_input(say("Login"), autocomplete="username")
        password = st.text_input(say("Password"), type="password", autocomplete="current-password")
        if st.form_submit_button(say("Sign in"), width="stretch"):
            _try(lambda: entrance.sign_in(house, login, password, *door.whence()))
    st.caption(
        say(
            "Analysts, officers and administrators sign in to work with registered data. "
            "Samples and own files need no account."
        )
    )


def _organisation() -> None:
    st.button(
        say("Sign in with your organisation"),
        on_click=st.login,
        type="primary",
        width="stretch",
        icon=":material/badge:",
    )
    st.caption(say("or with a password of this server"))


def _by_link(house: House, link: str) -> None:
    purpose = tokens.pending(house, link)
    if purpose == "setup":
        _first(house, link)
    elif purpose == "password":
        _password(house, link)
    else:
        st.error(say("This link was used or is too old. Ask for a new one."))


def _first(house: House, link: str) -> None:
    """Create the first account: administrator and officer."""
    st.markdown(
        say(
            "**The first account** is administrator (invites people) and officer (registers data, "
            "approves requests). Whoever asks needs an account of their own."
        )
    )
    with st.form("first", border=False):
        login = st.text_input(say("Login"), autocomplete="username")
        name = st.text_input(say("Name"), autocomplete="name")
        password = _new_password()
        if st.form_submit_button(say("Set up"), type="primary", width="stretch"):
            _try(lambda: invitations.set_up(house, link, login, name, password()))


def _password(house: House, link: str) -> None:
    """Choose a password for the account that the link belongs to."""
    person = invitations.invited(house, link)
    if person is not None:
        st.markdown(
            say(
                "{name}, choose a password for your account here. Your login is {login}; you can sign in as {roles}.",
                name=f"**{quoted(person.name)}**",
                login=f"**{quoted(person.login)}**",
                roles=in_words(person.roles),
            )
        )
    with st.form("password", border=False):
        password = _new_password()
        if st.form_submit_button(say("Use this password"), type="primary", width="stretch"):
            _try(lambda: invitations.choose_password(house, link, password()))


def _new_password() -> Callable[[], str]:
    """Ask for a new password twice; what is returned says whether both are the same."""
    typed = [
        st.text_input(label, type="password", autocomplete="new-password")
        for label in (say("New password"), say("The same again"))
    ]
    st.caption(say("At least {fewest} characters; a sentence is good.", fewest=passwords.FEWEST))

    def same() -> str:
        if typed[0] != typed[1]:
            raise ParameterError("The two passwords differ. Type them again.")
        return str(typed[0])

    return same


def _try(step: Callable[[], Member | Halfway]) -> None:
    """Let somebody in, ask for what is missing, or say why not."""
    try:
        arrival = step()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    if isinstance(arrival, Halfway):
        second_step.begin(arrival)
        return
    with st.spinner(say("Signing in")):
        door.let_in(arrival, language())
