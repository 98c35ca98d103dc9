"""Pairing: an app on a telephone learns the secret of an account, and shows that it has."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.office.one_time_codes import address, grouped, new_secret
from discreet.ui.frame.square import square
from discreet.ui.frame.words import say
from discreet.ui.state import choose, chosen

SECRET = "factor-secret"  # what is being set up in this connection, and by whom; the server alone says what it is


def pair(login: str) -> tuple[str, str] | None:
    """Show a secret, and ask for the code that the app makes of it; return both once it is sent."""
    secret = _secret_of(login)
    st.markdown(say("1. Let an app for one-time codes read this square, or type the secret into it."))
    words = say("Square code for an app of one-time codes")
    st.html(f'<img src="{square(address(secret, login))}" alt="{words}" style="width: 100%; max-width: 13rem">')
    st.code(" ".join(grouped(secret)), language=None, wrap_lines=True)
    st.markdown(say("2. Type in the code that the app shows now."))
    with st.form("pair", border=False):
        code = st.text_input(say("Code"), autocomplete="one-time-code", max_chars=20, placeholder="123456")
        sent = st.form_submit_button(say("Set it up"), type="primary", width="stretch")
    return (secret, code) if sent else None


def forget() -> None:
    """Forget what was being set up: whoever comes next has seen nothing of their own secret."""
    choose(SECRET, None)


def _secret_of(login: str) -> str:
    """Return the secret that this account is being given here: nobody else has seen it in this connection."""
    owner, secret = chosen(SECRET) or ("", "")
    if owner != login:
        secret = new_secret()
        choose(SECRET, (login, secret))
    return str(secret)


def show_recoveries(recoveries: Sequence[str]) -> None:
    """Show recovery codes, this one time."""
    st.success(say("The second factor is set up. From now on a code is asked for after the password."))
    st.markdown(
        say(
            "**Write these recovery codes down now: they are not shown again.** Each lets you in once "
            "without the app. Keep them apart from the telephone."
        )
    )
    st.code("\n".join(recoveries), language=None)
