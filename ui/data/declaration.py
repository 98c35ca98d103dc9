"""Declaration: what was said about the data in use, and their rows where they are open."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.lab import preview
from discreet.lab.experiment import NoRows
from discreet.rows import OpenData, Schema
from discreet.ui.data import checking, declare, terms_of_use, what_was_read
from discreet.ui.data.anew import declare_anew
from discreet.ui.figures import data as figures
from discreet.ui.frame.links import link
from discreet.ui.frame.words import say
from discreet.ui.opened import Opened
from discreet.ui.state import workspace

READY = Phrase("Now plan a publication, or ask one question.")


def show() -> None:
    """Show the declaration of the dataset in use, and more of it only if it is open."""
    here = workspace().here
    terms_of_use.show(here.desk)
    _columns(here.dataset.schema)
    if here.dataset.protected:
        ready = "" if here.shelved else say(READY)
        st.info(say("Protected: nothing of the rows is shown. {ready}", ready=ready))
    if here.shown is not None:
        what_was_read.show(here.shown.dataset)
    if _checkable(here) and not here.unchecked:
        checking.offer()
    _onward()
    _own(here)
    if here.shown is not None:
        _rows(here.shown.dataset)


def _columns(schema: Schema) -> None:
    """Show what was said of every column, to be taken along."""
    st.header(say("Declaration"), anchor=False)
    st.caption(say("What was said about the columns before any row was read."))
    st.dataframe(declare.reading(schema), hide_index=True, width="stretch")
    st.download_button(
        say("Export the declaration"),
        schema.to_json(),
        "declaration.json",
        "application/json",
        icon=":material/download:",
        on_click="ignore",
    )


def _onward() -> None:
    """Lead to where one asks."""
    with st.container(horizontal=True):
        link("plan", say("Plan a publication"), "checklist")
        link("smooth_sensitivity", say("Ask a question"))


def _checkable(here: Opened) -> bool:
    """Say whether it can be asked how protected data are read."""
    desk = here.desk
    open_ = here.source is not None or (desk is not None and desk.registered.state == "open")
    return here.shown is None and open_


def _own(here: Opened) -> None:
    """Offer the check that was left out, and to declare anew what somebody has brought along."""
    if _checkable(here) and here.unchecked:
        st.button(say("Check how it is read"), icon=":material/fact_check:", on_click=checking.skip, args=(False,))
    if here.source is None:
        return
    st.button(
        say("Change the declaration"),
        icon=":material/edit:",
        on_click=declare_anew,
        help=say("Columns can be added or declared otherwise. Answers and what was spent stay."),
    )


def _rows(dataset: OpenData) -> None:
    """Show rows and a distribution of open data."""
    rows, shape = st.columns([3, 2], gap="medium")
    with rows:
        st.header(say("First rows"), anchor=False)
        st.caption(say("Open data: everything may be shown."))
        st.dataframe(preview.rows(dataset), hide_index=True, height=360, width="stretch")
    with shape:
        st.header(say("Distribution"), anchor=False)
        _distribution(dataset)


def _distribution(dataset: OpenData) -> None:
    schema = dataset.schema
    person = (schema.person or ("",))[0]
    names = [name for name in schema.used if name != person]
    name = st.selectbox(say("Column"), names, key="distribution")
    try:
        figures.distribution(preview.counts(dataset, name), name, schema.numbers.get(name))
    except NoRows as nobody:
        st.info(say(nobody))
