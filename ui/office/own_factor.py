"""One's own second factor: set up with an app, and taken away with one of its codes."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member, second_factors
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import door, pairing
from discreet.ui.office.steps import do
from discreet.ui.state import choose, chosen

PAIRING, RECOVERIES = "factor-pairing", "factor-recoveries"


def show(house: House, who: Member) -> None:
    """Show whether there is one, and the way to it or away from it."""
    st.header(say("Second factor"), anchor=False)
    recoveries = chosen(RECOVERIES)
    left = second_factors.recoveries_left(house, who)
    if recoveries:
        _shown_once(recoveries)
    elif left is not None:
        _away(house, who, left)
    elif chosen(PAIRING):
        _pairing(house, who)
    else:
        st.caption(
            say(
                "Besides the password, a code is asked for that an app on your telephone makes. "
                "Whoever learns your password then does not get in. Tokens made so far end; new ones need no code."
            )
        )
        st.button(say("Set a second factor up"), on_click=choose, args=(PAIRING, True), width="stretch")


def _shown_once(recoveries: Sequence[str]) -> None:
    pairing.show_recoveries(recoveries)
    st.button(say("I have written them down"), on_click=choose, args=(RECOVERIES, None), width="stretch")


def _pairing(house: House, who: Member) -> None:
    sent = pairing.pair(who.login)
    st.button(say("Leave it"), on_click=_leave, type="tertiary", key="leave-pairing")
    if sent is None:
        return
    try:
        recoveries = second_factors.set_up_factor(house, who, *sent, stay=door.stay())
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    _leave()
    choose(RECOVERIES, recoveries)
    st.rerun()


def _leave() -> None:
    """Forget what was being set up."""
    choose(PAIRING, None)
    pairing.forget()


def _away(house: House, who: Member, left: int) -> None:
    """Say that there is one, and ask for a code to take it away."""
    st.markdown(say("A code of your app is asked for after the password. Recovery codes left: {number}.", number=left))
    st.caption(say("To change telephones, or for new recovery codes, take it away and set it up again."))
    with st.form("drop-factor", border=False, clear_on_submit=True):
        code = st.text_input(say("Code"), autocomplete="one-time-code", max_chars=40)
        sent = st.form_submit_button(say("Take it away"), width="stretch")
    if sent:
        do(lambda: second_factors.drop_factor(house, who, code, *door.whence()), say("The second factor is gone."))
