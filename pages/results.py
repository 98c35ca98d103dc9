"""Results: all results released for the dataset in use, by any mechanism."""

import streamlit as st

from discreet.ui.answers import read
from discreet.ui.frame.strip import paying
from discreet.ui.frame.words import say
from discreet.ui.plan.results import by_plan

with paying(say("Results")), st.container(key="wide-page"):  # results stand side by side
    read(by_plan)
