"""Papers: the printable worksheet, solutions and timetable of a class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, time
from urllib.parse import urlencode

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from discreet.budget import Phrase
from discreet.course.classroom.activity import ACTIVITIES, Activity
from discreet.course.classroom.opening import held, meeting
from discreet.course.classroom.worksheet import EXERCISES, Exercise
from discreet.course.contents import LESSONS, Lesson
from discreet.course.guessing import written
from discreet.course.overview import PLANS, planned, timetable
from discreet.course.whole_course import Place, places
from discreet.report.html import PRINT, STYLE, Markup, joined, tag
from discreet.ui.frame.catalogue import said_in
from discreet.ui.frame.links import square
from discreet.ui.frame.words import say
from discreet.ui.gate.addresses import CLOSED
from discreet.ui.session import door
from discreet.ui.session.cookies import BROWSER
from discreet.ui.session.state import LANGUAGES, browser, language

# Handouts: each a printable page with the addresses of this server.

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
NINE = time(9, 0)
LINES = """
.line{border-bottom:1px solid var(--line);height:2.2rem}
.task{break-inside:avoid;margin:1rem 0}
a{color:var(--mark)}
ol{margin:.4rem 0;padding-left:1.4rem}
td ol{margin:.2rem 0;padding-left:1.1rem}
.cards{display:grid;grid-template-columns:1fr 1fr;gap:0}
.card{break-inside:avoid;border:1px dashed var(--line);padding:1rem}
.card{display:grid;grid-template-columns:auto 1fr;gap:1rem}
.card img{width:8rem;height:8rem}
.card p{margin:.2rem 0;overflow-wrap:anywhere}
"""
CARDS = 8  # on a page


@dataclass(frozen=True)
class Sheet:
    """What a paper is made for: its language, where its links begin, its plan, and when its first lesson begins.

    Without a plan it has all lessons, and a timetable all plans.
    """

    language: str
    base: str
    plan: str = ""
    start: time = NINE

    def say(self, sentence: str, **slots: object) -> str:
        """Return a sentence in the language of the paper."""
        return said_in(self.language, sentence, **slots)

    @property
    def lessons(self) -> list[Lesson]:
        """The lessons of the plan, in the order of the course."""
        return planned(self.plan) if self.plan else list(LESSONS)

    def address(self, lesson: Lesson, at: Mapping[str, str] | None = None) -> str:
        """Return the address of a lesson, or of one of its steps."""
        query = urlencode({"lang": self.language} | dict(at or {}))
        return f"{self.base}/{lesson.page.replace('_', '-')}?{query}"


def page(kind: str, language: str, base: str, plan: str = "", start: time = NINE) -> str:
    """Return a complete page in a language; its links begin with `base`."""
    sheet = Sheet(language, base, plan, start)
    say = sheet.say
    title, body = PAPERS[kind]
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        tag("title", say(title)),
        tag("style", Markup(STYLE + LINES + PRINT)),
    )
    main = tag("main", tag("h1", say(title)), *body(sheet))
    return f"<!doctype html>\n{tag('html', head, tag('body', main), lang=language)}\n"


def _worksheet(sheet: Sheet) -> list[Markup]:
    """Return the worksheet: a line for each guess and answer, beginning with the activities of the whole class."""
    say = sheet.say
    name = tag("p", say("Name:"), class_="line")
    lines = joined(
        tag("p", say("My guess:"), class_="line"), tag("p", say("The answer, with a reason:"), class_="line")
    )
    together = _together(sheet, lambda activity: activity.question)
    return [name, *together, *_tasks(sheet, lambda exercise: lines)]


def _solutions(sheet: Sheet) -> list[Markup]:
    """Return the solutions of the worksheet, and the explanation of each step."""
    say = sheet.say
    tasks = _tasks(sheet, lambda exercise: tag("p", tag("strong", say(exercise.answer()))))
    steps = [tag("h2", say("The steps, with their answers")), *_steps(sheet)]
    return [*_together(sheet, lambda activity: activity.why), *tasks, *steps]


def _steps(sheet: Sheet) -> list[Markup]:
    """List for each step its question before the figure, the answer, and why."""
    parts = []
    for lesson in sheet.lessons:
        parts.append(tag("h3", f"{lesson.number} · {sheet.say(lesson.title)}"))
        parts.append(tag("ol", *(_step(place, sheet) for place in _places(lesson))))
    return parts


def _places(lesson: Lesson) -> list[Place]:
    return [place for place in places().values() if place.lesson is lesson]


def _step(place: Place, sheet: Sheet) -> Markup:
    say = sheet.say
    asked = place.step.prediction
    truth = written(asked.answer, asked.kind, say)
    link = tag("a", say(place.step.title), href=sheet.address(place.lesson, place.address))
    return tag("li", link, ". ", say(asked.ask), " ", tag("strong", truth), ". ", say(asked.why), class_="task")


def _together(sheet: Sheet, sentence: Callable[[Activity], str]) -> list[Markup]:
    """Return what is said of each activity of the whole class that belongs to a lesson of the plan."""
    say = sheet.say
    held = [activity for activity in ACTIVITIES if places()[activity.step].lesson in sheet.lessons]
    lines = [tag("li", tag("strong", say(each.title)), " ", say(sentence(each))) for each in held]
    return [tag("h2", say("With the whole class")), tag("ol", *lines)]


def _tasks(sheet: Sheet, below: Callable[[Exercise], Markup]) -> list[Markup]:
    """Return the exercises under their lessons, in the order of the course."""
    parts = []
    for lesson in sheet.lessons:
        exercises = [exercise for exercise in EXERCISES if exercise.lesson == lesson.page]
        if exercises:
            parts.append(tag("h2", f"{lesson.number} · {sheet.say(lesson.title)}"))
            address = sheet.address(lesson)
            parts.append(tag("p", tag("a", address, href=address), class_="quiet"))
        for exercise in exercises:
            parts.append(tag("div", tag("p", sheet.say(exercise.question)), below(exercise), class_="task"))
    return parts


def _timetable(sheet: Sheet) -> list[Markup]:
    """Return when each lesson of the plan begins, or of each plan, and what to do in it."""
    plans = [sheet.plan] if sheet.plan else list(PLANS)
    return [part for plan in plans for part in (tag("h2", sheet.say(PLANS[plan])), _rows(plan, sheet))]


def _rows(plan: str, sheet: Sheet) -> Markup:
    say = sheet.say
    titles = [say("Session"), say("Starts"), say("Minutes"), say("Lesson"), say("What to do")]
    rows = [tag("tr", *(tag("th", title, scope="col") for title in titles))]
    for slot in timetable(plan, sheet.start):
        lesson = slot.lesson
        name = tag("td", say("Break")) if lesson is None else _named(lesson, sheet)
        todo = say(lesson.plan) if lesson else ""
        numbers = [tag("td", str(cell)) for cell in (slot.meeting, slot.start, slot.minutes)]
        rows.append(tag("tr", *numbers, name, tag("td", todo)))
    return tag("table", *rows)


def _named(lesson: Lesson, sheet: Sheet) -> Markup:
    """Return the name of a lesson and its steps, each with its address."""
    title = tag("a", f"{lesson.number} · {sheet.say(lesson.title)}", href=sheet.address(lesson))
    steps = [
        tag("li", tag("a", sheet.say(place.step.title), href=sheet.address(lesson, place.address)))
        for place in _places(lesson)
    ]
    return tag("td", title, tag("ol", *steps, class_="quiet"))


def _cards(sheet: Sheet) -> list[Markup]:
    """Return cards to cut out, one for each participant: the address, and the code of the class."""
    say = sheet.say
    rules = meeting().rules if held() else None
    link = rules.link if rules else f"{sheet.base}/lessons?lang={sheet.language}"
    image = tag("img", src=square(link), alt=say("QR code with the address of this class"))
    code = [tag("p", say("Class code:"), " ", tag("strong", rules.code))] if rules else []
    words = tag("div", tag("p", say("Open this address in a browser:")), tag("p", tag("strong", sheet.base)), *code)
    return [tag("div", *(tag("div", image, words, class_="card") for _ in range(CARDS)), class_="cards")]


PAPERS: dict[str, tuple[Phrase, Callable[[Sheet], list[Markup]]]] = {
    "worksheet": (Phrase("Worksheet"), _worksheet),
    "solutions": (Phrase("Solutions"), _solutions),
    "timetable": (Phrase("Timetable"), _timetable),
    "cards": (Phrase("Cards for participants"), _cards),
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
    plan = request.query_params.get("plan", "")
    made = page(kind, language, base, plan if plan in PLANS else "", _began(request.query_params.get("start", "")))
    return Response(made, media_type="text/html", headers={"cache-control": "no-store"})


def _began(written: str) -> time:
    """Return when the first lesson begins; nine where nothing else can be read."""
    try:
        return datetime.strptime(written, "%H:%M").time()
    except ValueError:
        return NINE


HANDOUTS = [Route("/handout/{name}", handout)]


def base() -> str:
    """Return the public address of this server: as configured for the class, or as this browser knows it."""
    return meeting().rules.address if held() else (st.context.url or "").rsplit("/", 1)[0]


def papers(plan: str = "", start: time = NINE) -> None:
    """Offer worksheet, solutions, timetable and cards for printing, of the lessons of a plan."""
    query = urlencode({"plan": plan, "start": f"{start:%H:%M}"}) if plan else ""
    st.caption(say("Papers to print, with the addresses of this server"))
    with st.container(horizontal=True):
        for kind in (kind for kind in PAPERS if readable(kind, browser())):
            title, _ = PAPERS[kind]
            paper = f"{address(kind, language())}?{query}".rstrip("?")
            st.link_button(say(title), paper, icon=":material/print:", type="tertiary")
