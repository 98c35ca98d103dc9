"""Plan: many queries under one budget: rows, wishes, forecasts and results."""

import streamlit as st

from discreet.ui.frame.words import say
from discreet.ui.plan.page import write

st.title(say("Plan"), anchor=False)
write()
