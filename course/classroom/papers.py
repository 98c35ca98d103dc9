"""Papers: the printable worksheet, solutions and timetable of a class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import time
from functools import partial
from urllib.parse import urlencode

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from discreet.budget import Phrase
from discreet.course.classroom.activity import ACTIVITIES
from discreet.course.classroom.opening import held, meeting
from discreet.course.classroom.worksheet import EXERCISES, Exercise
from discreet.course.contents import LESSONS, Lesson
from discreet.course.guessing import written
from discreet.course.overview import PLANS, timetable
from discreet.course.whole_course import Place, places
from discreet.report.html import PRINT, STYLE, Markup, joined, tag
from discreet.ui.frame.catalogue import said_in
from discreet.ui.frame.words import say
from discreet.ui.gate.addresses import CLOSED
from discreet.ui.session import door
from discreet.ui.session.cookies import BROWSER
from discreet.ui.session.state import LANGUAGES, browser, language

# Handouts: each a printable page with the addresses of this server.

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
NINE = time(9, 0)
LINES = """
.line{border-bottom:1px solid var(--line);height:2.2rem}
.task{break-inside:avoid;margin:1rem 0}
a{color:var(--mark)}
ol{margin:.4rem 0;padding-left:1.4rem}
td ol{margin:.2rem 0;padding-left:1.1rem}
"""
Say = Callable[..., str]


def page(kind: str, language: str, base: str) -> str:
    """Return a complete page in a language; its links begin with `base`."""
    say: Say = partial(said_in, language)
    title, body = PAPERS[kind]
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        tag("title", say(title)),
        tag("style", Markup(STYLE + LINES + PRINT)),
    )
    main = tag("main", tag("h1", say(title)), *body(say, base, language))
    return f"<!doctype html>\n{tag('html', head, tag('body', main), lang=language)}\n"


def _worksheet(say: Say, base: str, language: str) -> list[Markup]:
    """Return the worksheet: a line for each guess and answer, beginning with the activities of the whole class."""
    name = tag("p", say("Name:"), class_="line")
    together = [_together(say, activity.title, activity.question) for activity in ACTIVITIES]
    lines = joined(
        tag("p", say("My guess:"), class_="line"), tag("p", say("The answer, with a reason:"), class_="line")
    )
    tasks = _tasks(say, base, language, lambda exercise: lines)
    return [name, tag("h2", say("With the whole class")), tag("ol", *together), *tasks]


def _solutions(say: Say, base: str, language: str) -> list[Markup]:
    """Return the solutions of the worksheet, and the explanation of each step."""
    together = [_together(say, activity.title, activity.why) for activity in ACTIVITIES]
    tasks = _tasks(say, base, language, lambda exercise: tag("p", tag("strong", say(exercise.answer()))))
    steps = [tag("h2", say("The steps, with their answers")), *_steps(say, base, language)]
    return [tag("h2", say("With the whole class")), tag("ol", *together), *tasks, *steps]


def _steps(say: Say, base: str, language: str) -> list[Markup]:
    """List for each step its question before the figure, the answer, and why."""
    parts = []
    for lesson in LESSONS:
        parts.append(tag("h3", f"{lesson.number} · {say(lesson.title)}"))
        parts.append(tag("ol", *(_step(place, say, base, language) for place in _places(lesson))))
    return parts


def _places(lesson: Lesson) -> list[Place]:
    return [place for place in places().values() if place.lesson is lesson]


def _step(place: Place, say: Say, base: str, language: str) -> Markup:
    asked = place.step.prediction
    truth = written(asked.answer, asked.kind, say)
    link = tag("a", say(place.step.title), href=_address(place.lesson, base, language, place.address))
    return tag("li", link, ". ", say(asked.ask), " ", tag("strong", truth), ". ", say(asked.why), class_="task")


def _together(say: Say, title: str, sentence: str) -> Markup:
    return tag("li", tag("strong", say(title)), " ", say(sentence))


def _tasks(say: Say, base: str, language: str, below: Callable[[Exercise], Markup]) -> list[Markup]:
    """Return the exercises under their lessons, in the order of the course."""
    parts = []
    for lesson in LESSONS:
        exercises = [exercise for exercise in EXERCISES if exercise.lesson == lesson.page]
        if exercises:
            parts.append(tag("h2", f"{lesson.number} · {say(lesson.title)}"))
            parts.append(tag("p", _link(lesson, base, language), class_="quiet"))
        for exercise in exercises:
            parts.append(tag("div", tag("p", say(exercise.question)), below(exercise), class_="task"))
    return parts


def _address(lesson: Lesson, base: str, language: str, at: Mapping[str, str] | None = None) -> str:
    """Return the address of a lesson, or of one of its steps."""
    return f"{base}/{lesson.page.replace('_', '-')}?{urlencode({'lang': language} | dict(at or {}))}"


def _link(lesson: Lesson, base: str, language: str) -> Markup:
    address = _address(lesson, base, language)
    return tag("a", address, href=address)


def _timetable(say: Say, base: str, language: str) -> list[Markup]:
    """Return when each lesson begins in each plan, and what to do in it."""
    return [part for plan, title in PLANS.items() for part in (tag("h2", say(title)), _rows(plan, say, base, language))]


def _rows(plan: str, say: Say, base: str, language: str) -> Markup:
    titles = [say("Session"), say("Starts"), say("Minutes"), say("Lesson"), say("What to do")]
    rows = [tag("tr", *(tag("th", title, scope="col") for title in titles))]
    for slot in timetable(plan, NINE):
        lesson = slot.lesson
        name = tag("td", say("Break")) if lesson is None else _named(lesson, say, base, language)
        todo = say(lesson.plan) if lesson else ""
        numbers = [tag("td", str(cell)) for cell in (slot.meeting, slot.start, slot.minutes)]
        rows.append(tag("tr", *numbers, name, tag("td", todo)))
    return tag("table", *rows)


def _named(lesson: Lesson, say: Say, base: str, language: str) -> Markup:
    """Return the name of a lesson and its steps, each with its address."""
    title = tag("a", f"{lesson.number} · {say(lesson.title)}", href=_address(lesson, base, language))
    steps = [
        tag("li", tag("a", say(place.step.title), href=_address(lesson, base, language, place.address)))
        for place in _places(lesson)
    ]
    return tag("td", title, tag("ol", *steps, class_="quiet"))


PAPERS: dict[str, tuple[Phrase, Callable[[Say, str, str], list[Markup]]]] = {
    "worksheet": (Phrase("Worksheet"), _worksheet),
    "solutions": (Phrase("Solutions"), _solutions),
    "timetable": (Phrase("Timetable"), _timetable),
}
FOR_ALL = "worksheet"  # readable by the participants of a class


def address(kind: str, language: str) -> str:
    """Return the address of a paper on this server."""
    return f"/handout/{kind}-{language}.html"


def readable(kind: str, browser: str) -> bool:
    """Whether a browser may read a paper: in a class, participants the worksheet and the teacher all papers."""
    if not held():
        return not door.must_sign_in()
    return meeting().teaches(browser) or (kind == FOR_ALL and meeting().has(browser))


async def handout(request: Request) -> Response:
    """Return a paper; every refusal is the same response."""
    return await run_in_threadpool(_handed, request)


def _handed(request: Request) -> Response:
    kind, _, language = request.path_params["name"].removesuffix(".html").partition("-")
    if kind not in PAPERS or language not in LANGUAGES or not readable(kind, request.cookies.get(BROWSER, "")):
        return PlainTextResponse(CLOSED, 404)
    base = meeting().rules.address if held() else str(request.base_url).rstrip("/")
    return Response(page(kind, language, base), media_type="text/html", headers={"cache-control": "no-store"})


HANDOUTS = [Route("/handout/{name}", handout)]


def base() -> str:
    """Return the public address of this server: as configured for the class, or as this browser knows it."""
    return meeting().rules.address if held() else (st.context.url or "").rsplit("/", 1)[0]


def papers() -> None:
    """Offer worksheet, solutions and timetable for printing."""
    st.caption(say("Papers to print, with the addresses of this server"))
    with st.container(horizontal=True):
        for kind in (kind for kind in PAPERS if readable(kind, browser())):
            title, _ = PAPERS[kind]
            st.link_button(say(title), address(kind, language()), icon=":material/print:", type="tertiary")
