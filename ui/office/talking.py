"""Talking: what people said about a request, who may read it, and a place to say more."""

from __future__ import annotations

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member
from discreet.office.asked import Inquiry
from discreet.office.remarks import ALL, AUDIENCES, LONGEST, OFFICERS, Remark, remark, thread
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import door
from discreet.ui.office.entries import Entries
from discreet.ui.state import choose, workspace


def show(house: House, who: Member, asked: Inquiry) -> None:
    """Show the comments on a request, and ask for one more."""
    if who.id != asked.analyst and "officer" not in who.roles:
        return
    with st.container(border=True):
        st.header(say("Comments"), anchor=False)
        said = thread(house, who, asked.id)
        if not said:
            st.caption(say("Nobody has said anything yet."))
        for each in said:
            _said(each)
        _more(who, asked)


def _said(each: Remark) -> None:
    audience, time = say(AUDIENCES[each.audience]), f"{each.at:%Y-%m-%d %H:%M}"
    st.caption(quoted(say("{name}, {time}, for {audience}:", name=each.name, time=time, audience=audience)))
    st.text(each.body)


def _more(who: Member, asked: Inquiry) -> None:
    """Ask for a comment, and whom it is for; an analyst's is for both sides."""
    entries = Entries(f"remark:{asked.id}")
    st.text_area(
        say("Your comment"),
        key=entries.key("text"),
        height=80,
        max_chars=LONGEST,
        persist_state="session",
        help=say("It cannot be changed or taken back. Never write what rows say about a person."),
    )
    if who.id != asked.analyst:
        st.segmented_control(
            say("Who reads it"),
            [OFFICERS, ALL],
            default=OFFICERS,
            required=True,
            key=entries.key("audience"),
            format_func=lambda name: say(AUDIENCES[name]),
        )
    st.button(say("Comment"), key=entries.key("send"), icon=":material/chat:", on_click=_send, args=(asked,))


def _send(asked: Inquiry) -> None:
    """Say what is typed, to whom is chosen."""
    house, who, entries = door.house(), door.who(), Entries(f"remark:{asked.id}")
    if house is None or who is None:
        return
    try:
        remark(house, who, asked.id, entries.text("text"), str(entries.value("audience", ALL)))
    except ParameterError as refused:
        workspace().notice = refused
        return
    choose(entries.key("text"), "")
