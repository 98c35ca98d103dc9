"""Schedules: which lessons fit into an hour, half a day, or five lessons of a term, and when each begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from discreet.budget import Phrase
from discreet.ui.frame.words import say
from discreet.ui.learn.course import BREAKS, LESSONS, Lesson

PLANS = {"half-day": Phrase("Half a day"), "hour": Phrase("One hour"), "term": Phrase("Five lessons of a term")}
# numbers of lessons and their minutes: three ideas that carry the others, with time to guess and to talk
HOUR = {2: 20, 3: 25, 7: 15}
TERM = ({1: 20, 2: 25}, {3: 25, 4: 20}, {5: 20, 7: 25}, {6: 45}, {8: 20, 9: 25})


@dataclass(frozen=True)
class Slot:
    """A line of the timetable: a lesson, or a break where there is none; `meeting` counts from 1."""

    start: str
    lesson: Lesson | None
    minutes: int
    meeting: int = 1

    @property
    def title(self) -> str:
        """What the line is called."""
        return say("Break") if self.lesson is None else f"{self.lesson.number} · {say(self.lesson.title)}"


def timetable(plan: str, start: time) -> list[Slot]:
    """Return when each lesson (or break) begins and how long it takes; every meeting starts at the same time."""
    if plan == "half-day":
        return _meeting(_half_day(), start)
    meetings = [HOUR] if plan == "hour" else TERM
    parts = [[(LESSONS[number - 1], minutes) for number, minutes in meeting.items()] for meeting in meetings]
    return [slot for at, lessons in enumerate(parts, 1) for slot in _meeting(lessons, start, at)]


def _half_day() -> list[tuple[Lesson | None, int]]:
    """Return all lessons, with the breaks between them."""
    parts = list[tuple[Lesson | None, int]]()
    for lesson in LESSONS:
        parts.append((lesson, lesson.minutes))
        if lesson.number in BREAKS:
            parts.append((None, BREAKS[lesson.number]))
    return parts


def _meeting(parts: Sequence[tuple[Lesson | None, int]], start: time, meeting: int = 1) -> list[Slot]:
    spent, slots = 0, list[Slot]()
    for lesson, minutes in parts:
        slots.append(Slot(clock(start, spent), lesson, minutes, meeting))
        spent += minutes
    return slots


def clock(start: time, minutes: int) -> str:
    """Return the time so many minutes later."""
    return f"{datetime.combine(datetime(2000, 1, 1), start) + timedelta(minutes=minutes):%H:%M}"
