"""Leading: what only the teacher sees. Where everybody is, what the class has answered, and what comes next."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st

from discreet.lab.classroom.activity import ACTIVITIES
from discreet.lab.lessons import own_table
from discreet.office.tries import HERE
from discreet.ui import notices
from discreet.ui.classroom import board, invitation, step_board
from discreet.ui.classroom.convened import meeting
from discreet.ui.classroom.whereabouts import spoken
from discreet.ui.frame.links import link
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.state import browser, chosen

REFRESH = 0.5  # seconds between two looks at the answers
PROJECTOR, SHOWN = "projector", "shown"
LARGE = """<style>
html { font-size: 150%; }
.stMainBlockContainer { padding-top: 1.5rem; }
[data-testid="stSidebar"], [data-testid="stSidebarCollapsedControl"], [data-testid="stExpandSidebarButton"],
[data-testid="stHeader"] { display: none; }
</style>"""


def screen() -> None:
    """Show the class to its teacher: the way in, the answers as they come, and the buttons."""
    large = st.query_params.get(PROJECTOR) == "1"
    if large:
        st.html(LARGE)
    notices.show()
    stage = meeting().stage
    _buttons(stage.activity is not None, stage.revealed)
    if stage.activity is None:
        invitation.show()
    else:
        st.header(say(stage.activity.title), anchor=False)
        st.markdown(say(stage.activity.question))
    st.fragment(_figure, run_every=REFRESH)(large)
    if stage.activity is not None and stage.revealed:
        st.info(say(stage.activity.why), icon=":material/lightbulb:")
        link(stage.activity.lesson, say("The lesson about it"), "menu_book")
    if not large:
        step_board.listed()
    _settings(large)


def _buttons(running: bool, revealed: bool) -> None:
    """Offer what leads the class on; each has a key of the keyboard."""
    here, last = meeting(), meeting().stage.activity is ACTIVITIES[-1]
    due = "next" if revealed or not running else "reveal"
    buttons: tuple[tuple[str, str, str, bool, Callable[[str], None]], ...] = (
        ("back", say("Previous"), "Left", running, partial(here.turn, by=-1)),
        ("reveal", say("Reveal"), "V", running and not revealed, here.reveal),
        ("next", say("Next"), "Right", not last, partial(here.turn, by=1)),
        ("again", say("Ask again"), "A", running, here.reset),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="class-buttons"):
        for key, label, letter, useful, work in buttons:
            emphasis: Literal["primary", "secondary"] = "primary" if key == due else "secondary"
            st.button(label, key, type=emphasis, shortcut=letter, on_click=work, args=(browser(),), disabled=not useful)
        st.button(say("Projector"), "projector", shortcut="P", on_click=_turn_projector)
        st.toggle(say("Show answers as they come"), True, key=SHOWN)


def _turn_projector() -> None:
    """Make everything large, or as before; the address carries it."""
    if st.query_params.get(PROJECTOR) == "1":
        del st.query_params[PROJECTOR]
    else:
        st.query_params[PROJECTOR] = "1"


def _figure(large: bool) -> None:
    """Show what has changed since the last look: answers, and who is where."""
    if not meeting().teaches(browser()):
        st.rerun()
    stage = meeting().stage
    if stage.activity is not None:
        board.live(stage.activity, stage.revealed or bool(chosen(SHOWN, True)), board.FAR if large else board.NEAR)
        if stage.revealed:
            board.outcome(stage.activity)
    where = meeting().places()
    here = say("{count} are here, {minutes} minutes are left.", count=where.total(), minutes=int(meeting().left // 60))
    st.markdown(here)
    if not large:
        st.caption(" · ".join(f"{spoken(place)}: {count}" for place, count in sorted(where.items())))


def _table() -> None:
    """Say on which table of the teacher the class works, and what lessons do not find in it."""
    table = own_table.LECTERN.table
    if table is None:
        st.caption(say("To work on open data of your own, start the class with --file and a CSV."))
        return
    st.markdown(say("Your table has {rows} rows. Everything in it is treated as open data.", rows=number(table.rows)))
    for sentence in table.missing:
        st.markdown(say(sentence))


def _places() -> None:
    """Offer to free places, to shut an address out of which too many have joined, and another code."""
    here, me = meeting(), browser()
    st.button(say("Let go of those who are not here"), "absent", on_click=here.let_go_absent, args=(me,))
    for address, count in here.addresses():
        place = say("this machine") if address == HERE else address
        label = say("Let go of {count} from {place}", count=count, place=place)
        st.button(
            label if count else say("Let {place} in again", place=place),
            f"shut:{address}",
            help=say("Nobody gets in from there any more. A school may have one address for everybody."),
            on_click=here.shut,
            args=(me, address),
        )
    st.button(say("Another code"), "code", on_click=here.change_code, args=(me,), help=say("Who has joined stays."))


def _settings(large: bool) -> None:
    """Offer what is needed once: who is here by name, the papers, and the end."""
    if large:
        return
    with st.popover(say("More"), icon=":material/more_horiz:", type="tertiary", key="more", on_change="rerun"):
        names = meeting().names()
        _table()
        st.caption(say("Names that were given. They are shown here only."))
        st.markdown(", ".join(map(quoted, names)) if names else say("Nobody gave one."))
        _places()
        st.button(
            say("End the class"), key="end", icon=":material/stop_circle:", on_click=meeting().end, args=(browser(),)
        )
        st.caption(say("Everybody is sent away, all answers are forgotten, and the server stops."))
