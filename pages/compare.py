"""Compare: all mechanisms at equal cost, on public data or a scenario, with a recommendation."""

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.ui.compare import contest, textbook
from discreet.ui.frame.links import view
from discreet.ui.frame.strip import head
from discreet.ui.frame.words import quoted, say

KINDS = {"own": Phrase("Your comparison"), "textbook": Phrase("The textbook's comparisons")}

head(say("Compare"), "head-alone")
kind = view(say("Kind"), KINDS, "compare-kind")
try:
    textbook.show() if kind == "textbook" else contest.show()
except ParameterError as wrong:
    st.error(quoted(say(wrong)))
