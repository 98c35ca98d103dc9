"""Timetable: when each lesson begins, how long it takes, and what a teacher does in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.lab.report.sheets import safe_csv
from discreet.ui.frame.links import view
from discreet.ui.frame.words import say
from discreet.ui.learn.course import BREAKS, LESSONS, Lesson

PLANS = {"half-day": Phrase("Half a day"), "hour": Phrase("One hour")}


@dataclass(frozen=True)
class Slot:
    """A line of the timetable: a lesson, or a break where there is none."""

    start: str
    lesson: Lesson | None
    minutes: int

    @property
    def title(self) -> str:
        """What the line is called."""
        return say("Break") if self.lesson is None else f"{self.lesson.number} · {say(self.lesson.title)}"


def show() -> None:
    """Show a timetable that starts when the class does."""
    left, right = st.columns([1, 1])
    with left:
        plan = view(say("Plan"), PLANS, "learn-plan")
    start = right.time_input(say("Starts at"), time(9, 0), key="learn-start", step=900)
    entries = timetable(plan, start)
    minutes = sum(entry.minutes for entry in entries)
    st.markdown(
        say(
            "**{minutes} minutes**, from {start} to {end}.",
            minutes=minutes,
            start=f"{start:%H:%M}",
            end=_clock(start, minutes),
        )
    )
    frame = _frame(entries)
    st.table(frame, hide_index=True)
    _download(frame)


def timetable(plan: str, start: time) -> list[Slot]:
    """Return when each lesson (or break) begins and how long it takes."""
    entries, spent = list[Slot](), 0
    for lesson in LESSONS:
        parts: list[tuple[Lesson | None, int]] = [(lesson, lesson.minutes if plan == "half-day" else lesson.short)]
        if plan == "half-day" and lesson.number in BREAKS:
            parts.append((None, BREAKS[lesson.number]))
        for part, minutes in parts:
            entries.append(Slot(_clock(start, spent), part, minutes))
            spent += minutes
    return entries


def _clock(start: time, minutes: int) -> str:
    return f"{datetime.combine(datetime(2000, 1, 1), start) + timedelta(minutes=minutes):%H:%M}"


def _frame(entries: list[Slot]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            say("Starts"): [entry.start for entry in entries],
            say("Minutes"): [entry.minutes for entry in entries],
            say("Lesson"): [entry.title for entry in entries],
            say("What to do"): [say(entry.lesson.plan) if entry.lesson else "" for entry in entries],
        }
    )


def _download(frame: pd.DataFrame) -> None:
    st.download_button(
        say("Timetable (CSV)"),
        safe_csv(list(map(str, frame.columns)), frame.to_numpy().tolist()),
        "timetable.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
