"""Budget: every charge, the total under other accountings, and a confirmed replacement of the budget."""

import streamlit as st

from discreet.ui import budget
from discreet.ui.frame.strip import paying
from discreet.ui.frame.words import say
from discreet.ui.project import offering
from discreet.ui.session import door

person = door.who()
if budget.in_place_of_sample(person):
    st.title(say("Budget"), anchor=False)
    budget.show_registered(person)
else:
    with paying(say("Budget")):
        budget.show_registered(person)
        budget.totals()
        offering.keeping()
        budget.lines()
        budget.show_accountings()
        budget.offer()
