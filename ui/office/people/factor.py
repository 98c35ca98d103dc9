"""Second factor: the signed-in person's own, set up with an app, verified, and removed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member
from discreet.office.people import second_factor_setup
from discreet.office.people.second_factor import address, grouped, new_secret
from discreet.ui.frame.links import square
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.forms import do
from discreet.ui.session import door
from discreet.ui.session.state import choose, chosen

# Setup: an authenticator app receives the secret of an account, and proves it with a code.

SECRET = "factor-secret"  # the secret being set up in this connection, and its login; only the server provides it


def pair(login: str) -> tuple[str, str] | None:
    """Show a secret, and ask for a code of the app; return both once it is sent."""
    secret = _secret_of(login)
    st.markdown(say("1. Scan this QR code with an authenticator app, or enter the secret by hand."))
    words = say("QR code for an authenticator app")
    st.html(f'<img src="{square(address(secret, login))}" alt="{words}" style="width: 100%; max-width: 13rem">')
    st.code(" ".join(grouped(secret)), language=None, wrap_lines=True)
    st.markdown(say("2. Enter the code that the app shows now."))
    with st.form("pair", border=False):
        code = st.text_input(say("Code"), autocomplete="one-time-code", max_chars=20, placeholder="123456")
        sent = st.form_submit_button(say("Finish set-up"), type="primary", width="stretch")
    return (secret, code) if sent else None


def forget() -> None:
    """Forget the secret being set up, so that the next person in this connection gets a different one."""
    choose(SECRET, None)


def _secret_of(login: str) -> str:
    """Return the secret being set up for this account, which no other person has seen in this connection."""
    owner, secret = chosen(SECRET) or ("", "")
    if owner != login:
        secret = new_secret()
        choose(SECRET, (login, secret))
    return str(secret)


def show_recoveries(recoveries: Sequence[str]) -> None:
    """Show the recovery codes, once."""
    st.success(say("Two-factor authentication is set up. From now on, a code is required after the password."))
    st.markdown(
        say(
            "**Write down these recovery codes now. They are not shown again.** Each code lets you "
            "sign in once without the app. Keep them apart from your phone."
        )
    )
    st.code("\n".join(recoveries), language=None)


# Own second factor: set up with an app, and removed with one of its codes.

PAIRING = "factor-pairing"
RECOVERIES = "factor-recoveries"


def show(house: House, who: Member) -> None:
    """Show whether there is a second factor, and how to set it up or remove it."""
    st.header(say("Two-factor authentication"), anchor=False)
    recoveries = chosen(RECOVERIES)
    left = second_factor_setup.recoveries_left(house, who)
    if recoveries:
        _shown_once(recoveries)
    elif left is not None:
        _away(house, who, left)
    elif chosen(PAIRING):
        _pairing(house, who)
    else:
        st.caption(
            say(
                "After the password, a code from an app on your phone is required. Someone who learns "
                "only your password cannot sign in. Existing tokens end; new tokens need no code."
            )
        )
        st.button(say("Set up two-factor authentication"), on_click=choose, args=(PAIRING, True), width="stretch")


def _shown_once(recoveries: Sequence[str]) -> None:
    show_recoveries(recoveries)
    st.button(say("I have saved the codes"), on_click=choose, args=(RECOVERIES, None), width="stretch")


def _pairing(house: House, who: Member) -> None:
    sent = pair(who.login)
    st.button(say("Cancel"), on_click=_leave, type="tertiary", key="leave-pairing")
    if sent is None:
        return
    try:
        recoveries = second_factor_setup.set_up_factor(house, who, *sent, stay=door.stay())
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    _leave()
    choose(RECOVERIES, recoveries)
    st.rerun()


def _leave() -> None:
    """Forget the secret being set up."""
    choose(PAIRING, None)
    forget()


def _away(house: House, who: Member, left: int) -> None:
    """Show that there is a second factor, and ask for a code to remove it."""
    st.markdown(
        say("After the password, a code from your app is required. Recovery codes left: {number}.", number=left)
    )
    st.caption(say("To change phones or get new recovery codes, turn it off and set it up again."))
    with st.form("drop-factor", border=False, clear_on_submit=True):
        code = st.text_input(say("Code"), autocomplete="one-time-code", max_chars=40)
        sent = st.form_submit_button(say("Turn off"), width="stretch")
    if sent:
        do(
            lambda: second_factor_setup.drop_factor(house, who, code, *door.whence()),
            say("Two-factor authentication is turned off."),
        )
