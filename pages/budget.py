"""Budget: every charge, what it amounts to under other accountings, and a new budget on purpose."""

import streamlit as st

from discreet.ui.budget import accountings, charges, replacement
from discreet.ui.frame.words import say
from discreet.ui.project import offering

st.title(say("Budget"), anchor=False)
charges.totals()
offering.keeping()
charges.lines()
accountings.show()
replacement.offer()
