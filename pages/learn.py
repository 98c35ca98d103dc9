"""Learn: the course at a glance, and how to teach it."""

import streamlit as st

from discreet.budget import Phrase
from discreet.ui.classroom.papers import papers
from discreet.ui.frame.links import view
from discreet.ui.frame.words import say
from discreet.ui.learn import overview, teaching, timetable

VIEWS = {"lessons": Phrase("Lessons"), "teach": Phrase("For teachers")}

st.title(say("Learn"), anchor=False)
if view(say("View"), VIEWS, "learn-view") == "teach":
    timetable.show()
    teaching.hints()
    papers()
else:
    overview.lessons()
