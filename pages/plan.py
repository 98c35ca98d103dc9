"""Plan: many questions under one budget: rows, wishes, forecasts, and the answers."""

import streamlit as st

from discreet.ui.frame.words import say
from discreet.ui.plan.page import write

st.title(say("Plan"), anchor=False)
write()
