"""Budget: every charge, what it amounts to under other accountings, and a new budget on purpose."""

import streamlit as st

from discreet.ui.budget import accountings, charges, registered_budgets, replacement
from discreet.ui.frame.words import say
from discreet.ui.office import door
from discreet.ui.project import offering

st.title(say("Budget"), anchor=False)
person = door.who()
registered_budgets.show(person)
if not registered_budgets.in_place_of_sample(person):
    charges.totals()
    offering.keeping()
    charges.lines()
    accountings.show()
    replacement.offer()
