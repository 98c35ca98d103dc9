"""Answers: everything that was released about the data in use, whatever the method."""

import streamlit as st

from discreet.ui.answers import read
from discreet.ui.frame.words import say

st.title(say("Answers"), anchor=False)
read()
