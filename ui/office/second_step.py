"""The second step: what is asked for after a right password, before anybody is in."""

from __future__ import annotations

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, entrance, second_factors
from discreet.office.halfway import CODE, Halfway
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import door, pairing
from discreet.ui.state import choose, chosen, language

HALF, ARRIVED = "halfway", "arrived"


def halfway() -> Halfway | None:
    """Return how far somebody has come in this connection."""
    half: Halfway | None = chosen(HALF)
    return half


def begin(half: Halfway) -> None:
    """Ask for what is missing from now on; a link has done its work."""
    choose(HALF, half)
    st.query_params.pop("link", None)
    st.rerun()


def show(house: House, half: Halfway) -> None:
    """Ask for a code, or set a second factor up where the house wants one; or let them leave."""
    if chosen(ARRIVED):
        _recoveries(house, half)
        return
    if half.missing == CODE:
        _code(house, half)
    else:
        _required(house, half)
    st.button(say("Leave"), on_click=_leave, type="tertiary", key="leave-halfway")


def _leave() -> None:
    """Forget who was halfway, and what they were setting up."""
    choose(HALF, None)
    pairing.forget()


def _code(house: House, half: Halfway) -> None:
    st.markdown(say("Your password is right. Type in the code that your app shows now, or a recovery code."))
    with st.form("second-step", border=False):
        code = st.text_input(say("Code"), autocomplete="one-time-code", max_chars=40)
        sent = st.form_submit_button(say("Sign in"), width="stretch")
    if not sent:
        return
    try:
        person = entrance.give_code(house, half, code, *door.whence())
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    with st.spinner(say("Signing in")):
        door.let_in(person, language())


def _required(house: House, half: Halfway) -> None:
    """Lead whoever needs a second factor and has none to it; nothing else is there for them."""
    st.info(say("Officers and administrators need a second factor here. Set yours up to go on."))
    sent = pairing.pair(half.login)
    if sent is None:
        return
    try:
        choose(ARRIVED, second_factors.finish_setup(house, half, *sent))
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    pairing.forget()
    st.rerun()


def _recoveries(house: House, half: Halfway) -> None:
    """Show the recovery codes before the way goes on, which is open as long as the password counts."""
    pairing.show_recoveries(chosen(ARRIVED))
    if not st.button(say("I have written them down"), type="primary", width="stretch"):
        return
    try:
        person = second_factors.come_in(house, half)
    except ParameterError as refused:
        _start_anew(refused)
        return
    with st.spinner(say("Signing in")):
        door.let_in(person, language())


def _start_anew(why: ParameterError) -> None:
    """Say why the way is closed; the codes are shown no more."""
    choose(ARRIVED, None)
    choose(HALF, None)
    st.error(quoted(say(why)))
