"""Shell of a class: joining, the current activity, and the course. A class server has no other screens."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st

from discreet.course.classroom import participant, teacher, whereabouts
from discreet.course.classroom.opening import meeting
from discreet.course.contents import LESSONS
from discreet.course.offer import LISTED
from discreet.ui.frame import links
from discreet.ui.frame.links import dark
from discreet.ui.frame.sidebar import follow_link, switch, tell_browser
from discreet.ui.frame.words import say
from discreet.ui.session.state import browser, stand, stands_at

LOOK_EVERY = 5.0  # seconds after which a lesson checks the current activity
BRAND = ROOT / "ui" / "brand"
CLASS = "class"


def screens() -> list[st.Page]:
    """Return all screens that this browser may see; the address of any other is not found."""
    here = browser()
    first: Callable[[], None] | None = None
    if meeting().teaches(here):
        first = teacher.screen
    elif meeting().has(here):
        first = participant.class_screen
    if first is None:
        return [st.Page(participant.admission_screen, title=say("Join the class"), url_path=CLASS, default=True)]
    whole = st.Page(first, title=say("Class"), icon=":material/groups:", url_path=CLASS, default=True)
    lessons = [links.screen(lesson.page, say(lesson.title), "menu_book", "hidden") for lesson in LESSONS]
    offered = [
        links.screen(name, say(title), icon)
        for name, title, icon in LISTED
        if name != "teach" or first == teacher.screen
    ]
    return [whole, *offered, *lessons]


st.set_page_config(page_title="Discreet", page_icon=BRAND / "icon.png", layout="wide")
st.logo(BRAND / f"logo-{'dark' if dark() else 'light'}.svg", size="large")
stand(None)
follow_link()
participant.lead()
offered = screens()
chosen = st.navigation(offered, expanded=True)
in_lesson = chosen.url_path.startswith("lesson-")
joined = meeting().has(browser()) or meeting().teaches(browser())
if joined:
    with st.sidebar:
        switch()
whereabouts.listen()
above = st.container()
chosen.run()
whereabouts.tell(chosen.url_path or CLASS)
if joined and in_lesson:
    with above:
        if teacher.enlarge():
            back = {teacher.PROJECTOR: "1"}
            st.page_link(offered[0], label=say("Class"), icon=":material/arrow_back:", query_params=back)
        teacher.above_step(stands_at())
if joined and chosen.url_path:
    st.fragment(whereabouts.beckon, run_every=LOOK_EVERY)()
tell_browser()
