"""Overview: the lessons in their order, each with its idea and a link."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from urllib.parse import urlencode, urlsplit

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.budget.errors import listed
from discreet.course import guessing
from discreet.course.contents import BREAKS, LESSONS, Lesson
from discreet.course.memory import remember
from discreet.course.onward import TEN_MINUTES, Screen, at_end, at_start, back, forward, to_end
from discreet.course.whole_course import Place, places
from discreet.report.tables import safe_csv
from discreet.ui.figures import theme
from discreet.ui.frame.links import lead, link, offered, view
from discreet.ui.frame.words import say
from discreet.ui.gate.addresses import LOOPBACK
from discreet.ui.session.state import language

# Teaching: what to know before the class, and the addresses of the lessons for slides.


def hints(base: str, in_class: bool) -> None:
    """Show hints for teachers, and list the addresses, which begin with `base`."""
    st.header(say("Before the class"), anchor=False)
    if not in_class and urlsplit(base).hostname in LOOPBACK:
        _alone()
    if not in_class:
        st.markdown(_of_budgets())
    st.markdown(
        say(
            "- The address of a lesson contains its step and its settings. Copy it from the address "
            "bar and share it; `lang=zh` or `lang=en` in it sets the language.\n- The same random seed "
            "gives the same noise on every screen.\n- Reset restores the settings of a lesson."
        )
    )
    st.caption(say("Addresses of the lessons, for your slides"))
    st.code("\n".join(_address(base, lesson) for lesson in LESSONS), language=None)
    with st.expander(say("Addresses of the steps"), icon=":material/link:"):
        steps = [f"{_address(base, place.lesson)}&{urlencode(place.address)}" for place in places().values()]
        st.code("\n".join(steps), language=None)


def _address(base: str, lesson: Lesson) -> str:
    """Return the address of a lesson, in the language of the screen."""
    return f"{base}/{lesson.page.replace('_', '-')}?lang={language()}"


def _alone() -> None:
    """Explain how others can connect if this server only answers this machine."""
    st.info(
        say(
            "Only this machine can reach this server. To teach a class in one room, run `make class` "
            "or `discreet class`. The command prints an address and a QR code for everyone, and needs "
            "no accounts."
        ),
        icon=":material/groups:",
    )


def _of_budgets() -> str:
    """Explain what a course on the full server has to know about budgets; a class server has no such screens."""
    return say(
        "- Every participant opens the address of this server in their own browser. Each browser "
        "has a separate budget on the sample data, and no one sees the results of another "
        "participant.\n- A protected dataset has one budget on this server, for all people who "
        "upload it. If everyone uploads the same file, all spend from that budget together. This "
        "protects the people in it, but may surprise a class.\n- A spent budget can be replaced on "
        "the Budget page, which explains what this means."
    )


# Schedules: lessons for an hour, 90 minutes, half a day, or five lessons of a term, and when each begins.

PLANS = {
    "half-day": Phrase("Half a day"),
    "ninety": Phrase("90 minutes"),
    "hour": Phrase("One hour"),
    "ten": Phrase("Ten minutes"),
    "term": Phrase("Five lessons of a term"),
}
# numbers of lessons and their minutes: two ideas that the others build on, and local sensitivity, with time to guess
TEN = {2: 2, 3: 2, 6: 6}
HOUR = {2: 15, 3: 20, 6: 25}
NINETY = {2: 20, 3: 20, 6: 35, 7: 15}
TERM = ({1: 20, 2: 25}, {3: 25, 4: 20}, {5: 20, 7: 25}, {6: 45}, {8: 20, 9: 25})


@dataclass(frozen=True)
class Slot:
    """A line of the timetable: a lesson, or a break if it is None; `meeting` counts from 1."""

    start: str
    lesson: Lesson | None
    minutes: int
    meeting: int = 1

    @property
    def title(self) -> str:
        """The title of the line."""
        return say("Break") if self.lesson is None else f"{self.lesson.number} · {say(self.lesson.title)}"


def timetable(plan: str, start: time) -> list[Slot]:
    """Return when each lesson (or break) begins and how long it takes; every meeting starts at the given time."""
    if plan == "half-day":
        return _meeting(_half_day(), start)
    meetings = {"ten": (TEN,), "hour": (HOUR,), "ninety": (NINETY,)}.get(plan, TERM)
    parts = [[(LESSONS[number - 1], minutes) for number, minutes in meeting.items()] for meeting in meetings]
    return [slot for at, lessons in enumerate(parts, 1) for slot in _meeting(lessons, start, at)]


def planned(plan: str) -> list[Lesson]:
    """Return the lessons of a plan, in the order of the course."""
    taught = {slot.lesson for slot in timetable(plan, time())}
    return [lesson for lesson in LESSONS if lesson in taught]


def _half_day() -> list[tuple[Lesson | None, int]]:
    """Return all lessons, with the breaks between them."""
    parts = list[tuple[Lesson | None, int]]()
    for lesson in LESSONS:
        parts.append((lesson, lesson.minutes))
        if lesson.number in BREAKS:
            parts.append((None, BREAKS[lesson.number]))
    return parts


def _meeting(parts: Sequence[tuple[Lesson | None, int]], start: time, meeting: int = 1) -> list[Slot]:
    spent = 0
    slots = list[Slot]()
    for lesson, minutes in parts:
        slots.append(Slot(clock(start, spent), lesson, minutes, meeting))
        spent += minutes
    return slots


def clock(start: time, minutes: int) -> str:
    """Return the time a number of minutes later."""
    return f"{datetime.combine(datetime(2000, 1, 1), start) + timedelta(minutes=minutes):%H:%M}"


# Timetable: when each lesson begins, how long it takes, and what a teacher does in it.


def show_timetable() -> tuple[str, time]:
    """Show a timetable of a chosen plan from a chosen starting time; return both."""
    left, right = st.columns([1, 1])
    with left:
        plan = view(say("Plan"), PLANS, "learn-plan")
    start = right.time_input(say("Starts at"), time(9, 0), key="learn-start", step=900)
    slots = timetable(plan, start)
    meetings = slots[-1].meeting
    minutes = sum(slot.minutes for slot in slots if slot.meeting == 1)
    end = clock(start, minutes)
    if meetings > 1:
        times = say(
            "**{count} sessions of {minutes} minutes**, from {start} to {end}.", **_words(meetings, minutes, start, end)
        )
    else:
        times = say("**{minutes} minutes**, from {start} to {end}.", **_words(meetings, minutes, start, end))
    st.markdown(times)
    frame = _frame(slots)
    st.table(frame, hide_index=True)
    _download(frame)
    return plan, start


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
        columns = {say("Session"): [slot.meeting for slot in slots], **columns}
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


ROWS = (Phrase("The idea"), Phrase("What it costs"), Phrase("Beyond noise"))
WHOLE = (2, 3, 4, 6)  # lessons that lead to local sensitivity


def _whole() -> None:
    """Name the lessons of the whole path, and link to the one where this browser stopped."""
    lessons = " → ".join(map(str, WHOLE))
    minutes = sum(LESSONS[number - 1].minutes for number in WHOLE)
    st.markdown(say("With {minutes} minutes: lessons {path}.", path=lessons, minutes=minutes))
    begun = [lesson for lesson in LESSONS if _beyond_the_path(lesson) and _open(lesson)]
    if begun:
        words = say("Continue lesson {number}", number=begun[-1].number)
        link(begun[-1].page, words, at={f"{begun[-1].key}-step": _open(begun[-1])[0]})


def _beyond_the_path(lesson: Lesson) -> bool:
    """Whether a step of a lesson was guessed that is no screen of the path of ten minutes."""
    path = {screen.key for screen in TEN_MINUTES}
    return bool({guess.question for guess in guessing.book().given(f"{lesson.key}-")} - path)


def _main(lesson: Lesson) -> list[Place]:
    """Return the steps of a lesson that everyone goes."""
    return [place for place in places().values() if place.lesson == lesson and place.step.counts]


def _guessed(lesson: Lesson) -> tuple[int, int]:
    """Return how many steps of a lesson were guessed, and how many there are."""
    keys = [place.key for place in _main(lesson)]
    given = {guess.question for guess in guessing.book().given(f"{lesson.key}-")}
    return sum(key in given for key in keys), len(keys)


def _open(lesson: Lesson) -> list[str]:
    """Return the steps of a lesson that are not answered."""
    return [place.step.name for place in _main(lesson) if place.key not in guessing.book().by_question]


def _facts(lesson: Lesson) -> list[str]:
    """Return the minutes of a lesson, what it needs, and how much of it was guessed."""
    facts = [say("{minutes} minutes", minutes=lesson.minutes)]
    if lesson.needs:
        facts.append(say("needs {lessons}", lessons=listed([str(need) for need in lesson.needs])))
    done, every = _guessed(lesson)
    if done:
        facts.append(say("{n} of {all} guessed", n=done, all=every))
    return facts


def lessons() -> None:
    """Show the lessons, three in a row, or the start or end of the path of ten minutes if the address is that."""
    if at_end():
        _end()
    elif at_start():
        st.switch_page(f"../pages/{TEN_MINUTES[0].lesson.page}.py", query_params=TEN_MINUTES[0].address)
    else:
        _offer()
    remember()


def _offer() -> None:
    st.markdown(
        say(
            "Nine short lessons on public data. Each step asks for your guess, shows an interactive "
            "figure, explains the result and suggests an experiment. Each lesson ends on the screen "
            "that uses its idea."
        )
    )
    _ten_minutes()
    for row, heading in zip(range(0, len(LESSONS), 3), ROWS, strict=True):
        st.header(say(heading), anchor=False)
        for place, lesson in zip(st.columns(3), LESSONS[row : row + 3], strict=True):
            with place, st.container(border=True, height="stretch"):
                _invite(lesson)


def _ten_minutes() -> None:
    """Offer the path for a newcomer: its next screen, every screen with a mark if it was seen, and the whole path."""
    book = guessing.book()
    seen = [screen for screen in TEN_MINUTES if screen.key in book.seen or screen.key in book.by_question]
    with st.container(border=True):
        st.markdown(f"**{say('Ten minutes: local sensitivity in five screens')}**")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _onward(seen)
            for screen in TEN_MINUTES:
                title = f"{screen.number} · {say(places()[screen.key].step.title)}"
                link(screen.lesson.page, f"{title} ✓" if screen in seen else title, at=screen.address)
        _whole()


def _onward(seen: Sequence[Screen]) -> None:
    """Link to the first screen that was not seen, or to the end."""
    ahead = [screen for screen in TEN_MINUTES if screen not in seen]
    if not ahead:
        to_end()
    elif seen:
        words = say("Continue: screen {number} of {all}", number=ahead[0].number, all=len(TEN_MINUTES))
        forward(ahead[0], words)
    else:
        forward(ahead[0], say("Start"))


SEEN = (
    Phrase("Two harmless results together can reveal one person."),
    Phrase(
        "Sensitivity is how much one person can change a result. Noise of scale global sensitivity / ε "
        "limits what a result reveals about anyone."
    ),
    Phrase(
        "Global sensitivity is about the worst dataset. Local sensitivity is about this one, and often far smaller."
    ),
    Phrase("Noise scaled to local sensitivity is not safe: its size depends on the data, and can give a person away."),
    Phrase(
        "Three mechanisms are safe: a noisy test of a proposed bound, a bound that one "
        "person hardly changes, and a noisy mean or median of blocks. Each person is in one "
        "block."
    ),
)


def _end() -> None:
    """Sum up the path, and show where to go on."""
    st.header(say("Ten minutes: what you have seen"), anchor=False)
    st.markdown("\n".join(f"{number}. {say(sentence)}" for number, sentence in enumerate(SEEN, 1)))
    last = TEN_MINUTES[-1]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        number = last.lesson.number
        link(last.lesson.page, say("Lesson {number}: how these mechanisms work", number=number), "menu_book")
        if offered("dataset"):
            link("dataset", say("Use my table"), "upload")
        lead("lessons", say("Lessons"), "school")
        back(last)


SKETCH = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 48" fill="none" stroke="{colour}" stroke-width="2.5" '
    'stroke-linejoin="round" stroke-linecap="round"><path d="{path}"/></svg>'
)


def sketch(lesson: Lesson) -> str:
    """Return the picture of a lesson as the source of an image, in a colour that is seen in the theme."""
    drawn = SKETCH.format(path=lesson.picture, colour=theme.truth_colour())
    return f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"


def _invite(lesson: Lesson) -> None:
    st.markdown(f"**{lesson.number} · {say(lesson.title)}**")
    st.html(f'<img class="lesson-picture" src="{sketch(lesson)}" alt="" width="120" height="48">')
    st.caption(" · ".join(_facts(lesson)))
    done, every = _guessed(lesson)
    if done:
        st.progress(done / every)
    st.markdown(say(lesson.idea))
    link(lesson.page, say("Open lesson {number}", number=lesson.number), "menu_book")
