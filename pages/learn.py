"""Learn: the course at a glance, and how to teach it."""

from datetime import datetime, time, timedelta

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.curator.export import safe_csv
from discreet.ui.frame.links import link, view
from discreet.ui.frame.words import say
from discreet.ui.learn.course import BREAKS, LESSONS, Lesson
from discreet.ui.state import language

VIEWS = {"lessons": Phrase("Lessons"), "teach": Phrase("For teachers")}
PLANS = {"half-day": Phrase("Half a day"), "hour": Phrase("One hour")}


def lessons() -> None:
    """Show the lessons in their order, each with its idea and its way in."""
    st.markdown(
        say(
            "Nine short lessons on open data. Each has one idea, a figure that moves and one thing "
            "to try, and ends on the screen where the idea is used."
        )
    )
    for row in range(0, len(LESSONS), 3):
        for place, one in zip(st.columns(3), LESSONS[row : row + 3], strict=True):
            with place, st.container(border=True, height="stretch"):
                st.markdown(f"**{one.number} · {say(one.title)}**")
                st.caption(say("{minutes} minutes", minutes=one.minutes))
                st.markdown(say(one.idea))
                link(one.page, say("Open lesson {number}", number=one.number), "menu_book")


def teach() -> None:
    """Show a timetable that starts when the class does, and what to do in each lesson."""
    left, right = st.columns([1, 1])
    with left:
        plan = view(say("Plan"), PLANS, "learn-plan")
    start = right.time_input(say("Starts at"), time(9, 0), key="learn-start", step=900)
    told = timetable(plan, start)
    minutes = sum(minutes for _, _, minutes in told)
    st.markdown(
        say(
            "**{minutes} minutes**, from {start} to {end}.",
            minutes=minutes,
            start=f"{start:%H:%M}",
            end=_clock(start, minutes),
        )
    )
    frame = pd.DataFrame(
        {
            say("Starts"): [began for began, _, _ in told],
            say("Minutes"): [minutes for _, _, minutes in told],
            say("Lesson"): [_title(one) for _, one, _ in told],
            say("What to do"): [say(one.plan) if one else "" for _, one, _ in told],
        }
    )
    st.table(frame, hide_index=True)
    st.download_button(
        say("Timetable (CSV)"),
        safe_csv(list(map(str, frame.columns)), frame.to_numpy().tolist()),
        "timetable.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
    _hints()


def timetable(plan: str, start: time) -> list[tuple[str, Lesson | None, int]]:
    """Return when each lesson (or break) begins and how long it takes."""
    told, spent = list[tuple[str, Lesson | None, int]](), 0
    for one in LESSONS:
        parts: list[tuple[Lesson | None, int]] = [(one, one.minutes if plan == "half-day" else one.short)]
        if plan == "half-day" and one.number in BREAKS:
            parts.append((None, BREAKS[one.number]))
        for found, minutes in parts:
            told.append((_clock(start, spent), found, minutes))
            spent += minutes
    return told


def _clock(start: time, minutes: int) -> str:
    return f"{datetime.combine(datetime(2000, 1, 1), start) + timedelta(minutes=minutes):%H:%M}"


def _title(one: Lesson | None) -> str:
    return say("Break") if one is None else f"{one.number} · {say(one.title)}"


def _hints() -> None:
    st.subheader(say("Before the class"), anchor=False)
    st.markdown(
        say(
            "- Every participant opens the address of this server in a browser of their own: each "
            "browser has its own budget on the sample data, and nobody sees another's answers.\n"
            "- The address of a lesson carries its step and its settings. Copy it from the address "
            "bar and hand it out; `lang=zh` or `lang=en` in it sets the language.\n"
            "- The same draw number shows the same noise on every screen.\n"
            "- Reset puts a lesson back. A spent budget is replaced on the page Budget, which says "
            "what that means."
        )
    )
    st.caption(say("Addresses of the lessons, for your slides"))
    base = (st.context.url or "").rsplit("/", 1)[0]
    pages = [f"{base}/{one.page.replace('_', '-')}?lang={language()}" for one in LESSONS]
    st.code("\n".join(pages), language=None)


st.title(say("Learn"), anchor=False)
teach() if view(say("View"), VIEWS, "learn-view") == "teach" else lessons()
