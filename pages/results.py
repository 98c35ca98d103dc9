"""Results: all results released for the dataset in use, by any mechanism."""

import streamlit as st

from discreet.ui.answers import read
from discreet.ui.frame.words import say

st.title(say("Results"), anchor=False)
read()
