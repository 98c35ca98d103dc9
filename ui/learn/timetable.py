"""Timetable: when each lesson begins, how long it takes, and what a teacher does in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time

import pandas as pd
import streamlit as st

from discreet.lab.report.sheets import safe_csv
from discreet.ui.frame.links import view
from discreet.ui.frame.words import say
from discreet.ui.learn.schedules import PLANS, Slot, clock, timetable


def show() -> None:
    """Show a timetable that starts when the class does."""
    left, right = st.columns([1, 1])
    with left:
        plan = view(say("Plan"), PLANS, "learn-plan")
    start = right.time_input(say("Starts at"), time(9, 0), key="learn-start", step=900)
    slots = timetable(plan, start)
    meetings, minutes = slots[-1].meeting, sum(slot.minutes for slot in slots if slot.meeting == 1)
    end = clock(start, minutes)
    if meetings > 1:
        times = say(
            "**{count} times {minutes} minutes**, from {start} to {end}.", **_words(meetings, minutes, start, end)
        )
    else:
        times = say("**{minutes} minutes**, from {start} to {end}.", **_words(meetings, minutes, start, end))
    st.markdown(times)
    frame = _frame(slots)
    st.table(frame, hide_index=True)
    _download(frame)


def _words(meetings: int, minutes: int, start: time, end: str) -> dict[str, object]:
    return {"count": meetings, "minutes": minutes, "start": f"{start:%H:%M}", "end": end}


def _frame(slots: list[Slot]) -> pd.DataFrame:
    columns: dict[str, Sequence[object]] = {
        say("Starts"): [slot.start for slot in slots],
        say("Minutes"): [slot.minutes for slot in slots],
        say("Lesson"): [slot.title for slot in slots],
        say("What to do"): [say(slot.lesson.plan) if slot.lesson else "" for slot in slots],
    }
    if slots[-1].meeting > 1:
        columns = {say("Meeting"): [slot.meeting for slot in slots], **columns}
    return pd.DataFrame(columns)


def _download(frame: pd.DataFrame) -> None:
    st.download_button(
        say("Timetable (CSV)"),
        safe_csv(list(map(str, frame.columns)), frame.to_numpy().tolist()),
        "timetable.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
