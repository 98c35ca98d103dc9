"""Lessons: an overview of the course."""

import streamlit as st

from discreet.course import overview
from discreet.ui.frame.words import say

st.title(say("Lessons"), anchor=False)
overview.lessons()
