"""The shell of a class: the way in, what the class does now, and the course. There are no other screens here."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from discreet.ui.classroom import admission, leading, participating, step_board, whereabouts  # noqa: E402
from discreet.ui.classroom.convened import meeting  # noqa: E402
from discreet.ui.frame import navigable  # noqa: E402
from discreet.ui.frame.language import follow_link, switch, tell_browser  # noqa: E402
from discreet.ui.frame.theme import dark  # noqa: E402
from discreet.ui.frame.words import say  # noqa: E402
from discreet.ui.learn.course import LESSONS  # noqa: E402
from discreet.ui.state import browser, stand, stands_at  # noqa: E402

LOOK_EVERY = 5.0  # seconds after which a lesson looks what the class does now
BRAND = ROOT / "ui" / "brand"
CLASS = "class"


def screens() -> list[st.Page]:
    """Return all that this browser may see; an address of anything else is not found."""
    here = browser()
    first: Callable[[], None] | None = None
    if meeting().teaches(here):
        first = leading.screen
    elif meeting().has(here):
        first = participating.screen
    if first is None:
        return [st.Page(admission.screen, title=say("Join the class"), url_path=CLASS, default=True)]
    whole = st.Page(first, title=say("Class"), icon=":material/groups:", url_path=CLASS, default=True)
    lessons = [navigable.screen(lesson.page, say(lesson.title), "menu_book", "hidden") for lesson in LESSONS]
    return [whole, navigable.screen("learn", say("Course"), "school"), *lessons]


st.set_page_config(page_title="Discreet", page_icon=BRAND / "icon.png", layout="wide")
st.html(BRAND / "page.css")
st.logo(BRAND / f"logo-{'dark' if dark() else 'light'}.svg", size="large")
stand(None)
follow_link()
admission.lead()
chosen = st.navigation(screens(), expanded=True)
joined = meeting().has(browser()) or meeting().teaches(browser())
if joined:
    with st.sidebar:
        switch()
whereabouts.listen()
above = st.container()
chosen.run()
whereabouts.tell(chosen.url_path or CLASS)
if joined and chosen.url_path.startswith("lesson-"):
    with above:
        step_board.above_step(stands_at())
if joined and chosen.url_path:
    st.fragment(whereabouts.beckon, run_every=LOOK_EVERY)()
tell_browser()
