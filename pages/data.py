"""Data: choose a sample, upload a file, declare its columns, see what is open."""

import streamlit as st

from discreet.ui.data import choice, declaration, upload
from discreet.ui.data.doors import doors
from discreet.ui.frame.words import say
from discreet.ui.office.door import desks, who
from discreet.ui.project import offering
from discreet.ui.state import workspace

st.title(say("Data"), anchor=False)
draft = workspace().draft
if draft is None:
    registered = desks()
    doors(who(), registered)
    choice.choose(registered)
    offering.keeping()
    declaration.show()
else:
    upload.drafting(draft, upload.use)
