"""Teach: timetables, hints and printed papers for teachers, and how to hold a class."""

import streamlit as st

from discreet.course import overview
from discreet.course.classroom.opening import held
from discreet.course.classroom.papers import base, papers
from discreet.ui.frame.words import say

st.title(say("Teach"), anchor=False)
plan, start = overview.show_timetable()
overview.hints(base(), held())
papers(plan, start)
