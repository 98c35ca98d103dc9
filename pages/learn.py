"""Learn: the course at a glance, and how to teach it."""

import streamlit as st

from discreet.budget import Phrase
from discreet.ui.classroom.convened import held
from discreet.ui.classroom.papers import base, papers
from discreet.ui.frame.links import view
from discreet.ui.frame.words import say
from discreet.ui.learn import glossary, overview, teaching, timetable

VIEWS = {"lessons": Phrase("Lessons"), "glossary": Phrase("Glossary"), "teach": Phrase("For teachers")}

st.title(say("Learn"), anchor=False)
part = view(say("View"), VIEWS, "learn-view")
if part == "teach":
    timetable.show()
    teaching.hints(base(), held())
    papers()
elif part == "glossary":
    glossary.glossary()
else:
    overview.lessons()
