"""Account: who somebody is here, their mail, second factor and substitute, and the tokens of their programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member, credentials
from discreet.office.credentials import LONGEST, LONGEST_PROVIDED, SCOPES, Credential
from discreet.office.roles import OPENID
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import door, mailing, own_factor, standing_in, tongue_choice
from discreet.ui.office.role_choice import in_words
from discreet.ui.office.steps import do, told_done

DAYS = (1, LONGEST_PROVIDED, 30, 90, LONGEST)


def show() -> None:
    """Show the account: mail, substitute, second factor, its tokens, and the way to a new one."""
    st.title(say("Account"), anchor=False)
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    told_done()
    name, login = f"**{quoted(who.name)}**", quoted(who.login)
    st.markdown(say("{name}, login {login}: {roles}.", name=name, login=login, roles=in_words(who.roles)))
    left, right = st.columns([3, 2], gap="medium")
    if not who.id.startswith(OPENID):  # a provider asks for its own
        with right, st.container(border=True):
            own_factor.show(house, who)
    _parts(house, who, left, right)


def _parts(
    house: House, who: Member, left: st.delta_generator.DeltaGenerator, right: st.delta_generator.DeltaGenerator
) -> None:
    """Show what reaches somebody, and what their programs carry."""
    with left, st.container(border=True):
        mailing.show(house, who)
        tongue_choice.show(house, who)
    if "officer" in who.roles:
        with left, st.container(border=True):
            standing_in.show(house, who)
    with right, st.container(border=True):
        _new(house, who)
    with left, st.container(border=True):
        _tokens(house, who, credentials.own_tokens(house, who))


def _tokens(house: House, who: Member, tokens: Sequence[Credential]) -> None:
    """List the tokens that work, each with its end."""
    st.header(say("Tokens for programs"), anchor=False)
    st.caption(
        say(
            "A program that sends a token does what you may do here, under {address}. What it asks is yours. "
            "Tokens end with your account, and when an administrator ends your sessions.",
            address="**/api/v1**",
        )
    )
    if not tokens:
        st.info(say("You have no token."))
    for token in tokens:
        _token(house, who, token)


def _token(house: House, who: Member, token: Credential) -> None:
    """Show one token, and let it be revoked."""
    words, way = st.columns([4, 1], vertical_alignment="center")
    scopes = " · ".join(sorted(token.scopes))
    used = say("never used") if token.used is None else say("last used {time}", time=_time(token.used))
    until = say("works until {time}", time=_time(token.until))
    words.markdown(f"**{quoted(token.name)}**  \n:small[{quoted(scopes)} · {quoted(until)} · {quoted(used)}]")
    if way.button(say("Revoke"), key=f"revoke:{token.id}", width="stretch"):
        do(lambda: credentials.revoke(house, who, token.id))


def _new(house: House, who: Member) -> None:
    """Ask what a token is for, and show it, this one time."""
    st.header(say("Make a token"), anchor=False)
    provided = who.id.startswith(OPENID)
    with st.form("new-token", border=False):
        name = st.text_input(say("Name"), placeholder=say("which program uses it, and where"))
        scopes = [scope for scope in SCOPES if st.checkbox(say(SCOPES[scope]), scope == "read", key=f"scope:{scope}")]
        days = st.selectbox(
            say("Works for (days)"), [day for day in DAYS if not provided or day <= LONGEST_PROVIDED], index=1
        )
        sent = st.form_submit_button(say("Make a token"), width="stretch")
    if sent:
        _shown_once(house, who, name, frozenset(scopes), days)


def _shown_once(house: House, who: Member, name: str, scopes: frozenset[str], days: int) -> None:
    try:
        secret = credentials.issue(house, who, name, scopes, days)
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    st.success(say("Copy it now: it is not shown again. Keep it like a password."))
    st.code(secret, language=None, wrap_lines=True)


def _time(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
