"""Learn: an overview of the course, and how to teach it."""

import streamlit as st

from discreet.budget import Phrase
from discreet.course import contents, overview
from discreet.course.classroom.opening import held
from discreet.course.classroom.papers import base, papers
from discreet.ui.frame.links import view
from discreet.ui.frame.words import say

VIEWS = {"lessons": Phrase("Lessons"), "glossary": Phrase("Glossary"), "teach": Phrase("For teachers")}

st.title(say("Lessons"), anchor=False)
part = view(say("View"), VIEWS, "learn-view")
if part == "teach":
    overview.show_timetable()
    overview.hints(base(), held())
    papers()
elif part == "glossary":
    contents.glossary()
else:
    overview.lessons()
