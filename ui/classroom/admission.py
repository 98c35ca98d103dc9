"""Admission: the screen on which a browser says the code of the class."""

from __future__ import annotations

import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.lab.classroom.attendance import LONGEST_NAME
from discreet.office.tries import place_of
from discreet.ui import notices
from discreet.ui.classroom.convened import meeting
from discreet.ui.frame.language import switch
from discreet.ui.frame.words import say
from discreet.ui.office import door
from discreet.ui.state import browser, chosen, workspace

CODE, NAME, TEACHER = "class-code", "class-name", "teacher"
LONGEST_CODE = 12


def screen() -> None:
    """Ask for the code, and for a name if somebody likes to give one."""
    with st.container(key="class-way-in"):
        switch()
    st.title(say("Join the class"), anchor=False)
    if not meeting().left:
        st.info(say("The class has ended."))
        return
    notices.show()
    shown = str(st.query_params.get("code", ""))[:LONGEST_CODE]
    with st.form("join", border=True):
        st.text_input(say("Code of the class"), shown, key=CODE, max_chars=LONGEST_CODE)
        st.text_input(
            say("A name, if you like"),
            key=NAME,
            max_chars=LONGEST_NAME,
            help=say("Only letters and digits of it are kept, until the class ends. Nobody has to give one."),
        )
        st.form_submit_button(say("Join"), type="primary", icon=":material/login:", on_click=_join)
    st.caption(say("No account and no file is needed. What you answer is kept in memory until the class ends."))


def _join() -> None:
    try:
        with st.spinner(say("Many codes are being looked at. Yours has its turn.")):
            meeting().join(browser(), str(chosen(CODE, "")), str(chosen(NAME, "")), place_of(door.whence()[0]))
    except ParameterError as wrong:
        workspace().notice = wrong


def lead() -> None:
    """Let whoever opens the teacher's own link lead; the secret word leaves the address at once."""
    word = st.query_params.pop(TEACHER, None)
    if word is None:
        return
    try:
        meeting().lead(browser(), str(word))
    except ParameterError as wrong:
        workspace().notice = wrong
