"""Budget: every charge, the total under other accountings, and a confirmed replacement of the budget."""

import streamlit as st

from discreet.ui import budget
from discreet.ui.frame.words import say
from discreet.ui.project import offering
from discreet.ui.session import door

st.title(say("Budget"), anchor=False)
person = door.who()
budget.show_registered(person)
if not budget.in_place_of_sample(person):
    budget.totals()
    offering.keeping()
    budget.lines()
    budget.show_accountings()
    budget.offer()
