"""Dataset: choose a sample, upload a file, declare its columns, see which datasets are available."""

import streamlit as st

from discreet.ui.data import page, upload
from discreet.ui.frame.strip import paying
from discreet.ui.frame.words import say
from discreet.ui.project import offering
from discreet.ui.session.door import desks
from discreet.ui.session.state import workspace

draft = workspace().draft
if draft is None:
    with paying(say("Dataset")):
        registered = desks()
        page.choose(registered)
        offering.keeping()
        page.show()
else:
    st.title(say("Dataset"), anchor=False)
    upload.drafting(draft, upload.use)
