"""Teaching: what to know before the class, and the addresses of the lessons for its slides."""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

import streamlit as st

from discreet.ui.frame.words import say
from discreet.ui.gate.addresses import LOOPBACK
from discreet.ui.learn.course import LESSONS, Lesson
from discreet.ui.learn.whole_course import places
from discreet.ui.state import language


def hints(base: str, in_class: bool) -> None:
    """Say what helps before the class, and list the addresses, which begin with `base`."""
    st.header(say("Before the class"), anchor=False)
    if not in_class and urlsplit(base).hostname in LOOPBACK:
        _alone()
    if not in_class:
        st.markdown(_of_budgets())
    st.markdown(
        say(
            "- The address of a lesson carries its step and its settings. Copy it from the address "
            "bar and hand it out; `lang=zh` or `lang=en` in it sets the language.\n"
            "- The same draw number shows the same noise on every screen.\n"
            "- Reset puts a lesson back."
        )
    )
    st.caption(say("Addresses of the lessons, for your slides"))
    st.code("\n".join(_address(base, lesson) for lesson in LESSONS), language=None)
    with st.expander(say("Addresses of the steps"), icon=":material/link:"):
        steps = [f"{_address(base, place.lesson)}&{urlencode(place.address)}" for place in places().values()]
        st.code("\n".join(steps), language=None)


def _address(base: str, lesson: Lesson) -> str:
    """Return where a lesson is, in the language of whoever looks."""
    return f"{base}/{lesson.page.replace('_', '-')}?lang={language()}"


def _alone() -> None:
    """Say how others get in, where nobody else can open the addresses below."""
    st.info(
        say(
            "Only this machine reaches this server. For a class in one room run `make class` or `discreet class`: "
            "it prints an address and a square code for everybody, and asks nobody for an account."
        ),
        icon=":material/groups:",
    )


def _of_budgets() -> str:
    """Say what a course beside all other screens has to know of budgets; a class has none of these screens."""
    return say(
        "- Every participant opens the address of this server in a browser of their own: each "
        "browser has its own budget on the sample data, and nobody sees another's answers.\n"
        "- Protected data have one budget on this server, whoever uploads them: if everybody brings the same file, "
        "all of them spend from it together. That is right for the people in it, and a surprise for a class.\n"
        "- A spent budget is replaced on the page Budget, which says what that means."
    )
