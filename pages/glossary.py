"""Glossary: the words of the course, each with its meaning."""

import streamlit as st

from discreet.course import contents
from discreet.ui.frame.words import say

st.title(say("Glossary"), anchor=False)
contents.glossary()
