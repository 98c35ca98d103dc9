"""Data: choose a sample, upload a file, declare its columns, see what is open."""

import streamlit as st

from discreet.budget import Phrase
from discreet.curator import Dataset, Ignored, Number
from discreet.lab import preview
from discreet.lab.samples import SAMPLES
from discreet.ui import declare, upload
from discreet.ui.figures import data as figures
from discreet.ui.frame.links import link
from discreet.ui.frame.words import named, say
from discreet.ui.office.door import desks
from discreet.ui.opened import Opened
from discreet.ui.state import REGISTERED, workspace

READY = Phrase("Now ask something: each mechanism has its page.")


def choose() -> None:
    """Switch between the samples and what this browser has opened."""
    space = workspace()
    registered = {f"{REGISTERED}{one.id}": one.name for one in desks()}
    names = list(dict.fromkeys([*SAMPLES, *space.opened, *registered]))
    here = space.here.name if space.current not in names else space.current
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chosen = st.selectbox(
            say("Work on"),
            names,
            names.index(here),
            format_func=lambda name: _label(registered[name]) if name in registered else named(name),
        )
        if chosen != space.current:
            space.current = chosen
            st.rerun()
    with right:
        upload.uploader()


def _label(name: str) -> str:
    return say("{name} (registered)", name=name)


def current() -> None:
    """Show the declaration of the dataset in use, and more of it only if it is open."""
    here = workspace().here
    st.subheader(say("Declaration"), anchor=False)
    st.caption(say("What was said about the columns before any row was read."))
    st.dataframe(declare.reading(here.dataset.schema), hide_index=True, width="stretch")
    st.download_button(
        say("Export the declaration"),
        here.dataset.schema.to_json(),
        "declaration.json",
        "application/json",
        icon=":material/download:",
        on_click="ignore",
    )
    if here.dataset.protected:
        st.info(say("Protected: nothing of the rows is shown. {ready}", ready=say(READY)))
    link("smooth_sensitivity", say("Ask a question"))
    if here.shown is not None:
        opened(here, here.shown.dataset)


def opened(here: Opened, dataset: Dataset) -> None:
    """Show rows and a distribution of open data."""
    names = [n for n, told in here.dataset.schema.columns.items() if not isinstance(told, Ignored)]
    rows, shape = st.columns([3, 2], gap="medium")
    with rows:
        st.subheader(say("First rows"), anchor=False)
        st.caption(say("Open data: everything may be shown."))
        st.dataframe(preview.rows(dataset), hide_index=True, height=360, width="stretch")
    with shape:
        st.subheader(say("Distribution"), anchor=False)
        labels = [n for n in names if n != (here.dataset.schema.person or ("",))[0]]
        name = st.selectbox(say("Column"), labels, key="distribution")
        numbers = isinstance(here.dataset.schema.columns[name], Number)
        figures.distribution(preview.counts(dataset, name), name, numbers)


st.title(say("Data"), anchor=False)
draft = workspace().draft
if draft is None:
    choose()
    current()
else:
    upload.drafting(draft, upload.use)
