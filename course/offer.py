"""Offer: the additions of the course to the server: its screens, its printable papers, and the class server."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course import controls
from discreet.course.classroom.opening import held, known, lessons_only
from discreet.course.classroom.papers import HANDOUTS
from discreet.course.contents import LESSONS
from discreet.ui.frame.packages import Alone, Package

CLASS = Alone("course/shell.py", lessons_only, known)
LISTED = [
    ("lessons", Phrase("Lessons"), "school"),
    ("glossary", Phrase("Glossary"), "dictionary"),
    ("teach", Phrase("Teach"), "co_present"),
]
OFFER = Package(
    section=Phrase("Learn"),
    screens=LISTED,
    unlisted=[(lesson.page, lesson.title, "menu_book") for lesson in LESSONS],
    routes=HANDOUTS,
    above=controls.back,
    alone=lambda: CLASS if held() else None,
)
