"""Onward: links from a step to the next step or lesson, and along the path of ten minutes.

Each step is shown from its top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from discreet.course.contents import LESSONS, Lesson
from discreet.ui.frame.links import lead, link
from discreet.ui.frame.scrolling import bring, made
from discreet.ui.frame.words import say
from discreet.ui.session.state import choose, chosen

LATEST = "onward:step"  # the step that was open last
TOP = "[data-testid=stHorizontalBlock]:has(.st-key-lesson-figure)"  # the question of a step


def onward(plan: Lesson, after: Sequence[str]) -> None:
    """Link to what comes next; the link is below the step, where its reader arrives."""
    if after:
        words = say("Next step")
        which = f"{plan.key}-step"
        st.button(words, icon=":material/arrow_forward:", type="tertiary", on_click=choose, args=(which, after[0]))
    elif plan.number < len(LESSONS):
        link(LESSONS[plan.number].page, say("Next lesson"))


# Ten minutes: a path over steps of several lessons. The address holds the number of its screen, and nothing else does.

PATH = "path"  # the query parameter with the number of a screen, from 1, or with END
START, END = "start", "end"  # the first screen, whichever it is; and what was seen


@dataclass(frozen=True)
class Screen:
    """A screen of the path: its number, and the step of a lesson that it shows."""

    number: int
    lesson: Lesson
    step: str

    @property
    def address(self) -> dict[str, str]:
        """The query parameters that lead to it; without the path they lead to its step in the lesson."""
        return self.off_the_path | {PATH: str(self.number)}

    @property
    def off_the_path(self) -> dict[str, str]:
        """The query parameters of its step in the lesson."""
        return {f"{self.lesson.key}-step": self.step}

    @property
    def key(self) -> str:
        """The key of its step, under which its guess is stored."""
        return f"{self.lesson.key}-{self.step}"


STEPS = ((2, "two"), (3, "scales"), (6, "local"), (6, "jump"), (6, "ways"))  # numbers of lessons, and names of steps
TEN_MINUTES = tuple(Screen(number, LESSONS[lesson - 1], step) for number, (lesson, step) in enumerate(STEPS, 1))


def on_path(plan: Lesson) -> Screen | None:
    """Return the screen of the path in the address; None without one, or if it is of another lesson."""
    asked = st.query_params.get(PATH)
    return next((at for at in TEN_MINUTES if str(at.number) == asked and at.lesson == plan), None)


def at_end() -> bool:
    """Whether the address is that of the end of the path."""
    return st.query_params.get(PATH) == END


def at_start() -> bool:
    """Whether the address asks for the start of the path, without naming its lesson."""
    return st.query_params.get(PATH) == START


def path_head(screen: Screen, title: str) -> None:
    """Show where one is on the path, and the ways out: the lesson of this screen, and all lessons."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        place = say("Screen {number} of {all}", number=screen.number, all=len(TEN_MINUTES))
        st.header(f"{place} · {say(title)}", anchor=False, width="stretch")
        st.caption(say("Local sensitivity in ten minutes"), width="content")
        lesson = say("Lesson {number}", number=screen.lesson.number)
        lead(screen.lesson.page, lesson, "menu_book", screen.off_the_path)
        link("lessons", say("Lessons"), "school")


def along_path(screen: Screen, answered: bool) -> None:
    """Lead to the next screen of the path, or to its end, and to the screen before.

    The way on is the main button once the question is answered: before, the guess is. It stays in sight, see
    ui/brand/page.css.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="along-path"):
        if screen.number < len(TEN_MINUTES):
            forward(TEN_MINUTES[screen.number], say("Next screen"), answered)
        else:
            to_end(answered)
        if screen.number > 1:
            back(TEN_MINUTES[screen.number - 2])


def forward(screen: Screen, words: str, main: bool = True) -> None:
    """Lead to a screen of the path."""
    lead(screen.lesson.page, words, "arrow_forward", screen.address, main)


def to_end(main: bool = True) -> None:
    """Lead to the end of the path."""
    lead("lessons", say("What you have seen"), "arrow_forward", {PATH: END}, main)


def back(screen: Screen) -> None:
    """Lead back to a screen of the path."""
    lead(screen.lesson.page, say("Screen {number}", number=screen.number), "arrow_back", screen.address)


def from_its_top(step: str, top: str = TOP) -> None:
    """Scroll to the top of a step after another step was open; `top` is where it begins."""
    if chosen(LATEST, step) != step:
        made(step)
    choose(LATEST, step)
    bring(step, top, upwards=True)
