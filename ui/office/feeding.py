"""Feeding: a secret address with somebody's news, for a feed reader, and with the deadlines, for a calendar."""

from __future__ import annotations

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member, credentials
from discreet.office.credentials import LONGEST, LONGEST_PROVIDED
from discreet.office.roles import OPENID
from discreet.ui.frame.words import quoted, say


def show(house: House, who: Member) -> None:
    """Say what a feed holds, and make one."""
    st.header(say("News in a feed reader"), anchor=False)
    days = LONGEST_PROVIDED if who.id.startswith(OPENID) else LONGEST
    st.caption(
        say(
            "A secret address with your news: numbers of requests and links, no question and no name. It works for "
            "{days} days. Whoever knows it reads the same, so write it only into your own programs, and revoke it "
            "among your tokens if it got out.",
            days=days,
        )
    )
    if st.button(say("Make an address"), width="stretch", key="new-feed"):
        _shown_once(house, who, days)


def _shown_once(house: House, who: Member, days: int) -> None:
    """Show the addresses, this one time."""
    try:
        secret = credentials.issue(house, who, say("feed"), frozenset({credentials.FEED}), days)
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    st.success(say("Copy it now: it is not shown again. Keep it like a password."))
    here = str(st.context.url or "").partition("/account")[0]
    st.caption(say("For a feed reader"))
    st.code(f"{here}/feed/{secret}.atom", language=None, wrap_lines=True)
    if who.roles & {"officer", "administrator"}:
        st.caption(say("For a calendar: what ends when, with the names of the data"))
        st.code(f"{here}/feed/{secret}.ics", language=None, wrap_lines=True)
