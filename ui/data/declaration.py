"""Declaration: what was said about the data in use, and their rows where they are open."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.lab import preview
from discreet.rows import OpenData, Schema
from discreet.ui.data import checking, declare, terms_of_use, written
from discreet.ui.figures import data as figures
from discreet.ui.frame.links import link
from discreet.ui.frame.words import say
from discreet.ui.kinds import Line
from discreet.ui.opened import Draft, Opened
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


def _own(here: Opened) -> None:
    """Offer to check protected data, and to declare anew what somebody has brought along."""
    desk = here.desk
    if here.shown is None and (here.source is not None or (desk is not None and desk.registered.state == "open")):
        checking.offer()
    if here.source is None:
        return
    st.button(
        say("Change the declaration"),
        icon=":material/edit:",
        on_click=declare_anew,
        help=say("Columns can be added or declared otherwise. Answers and what was spent stay."),
    )


def declare_anew(column: str = "", ends: Line | None = None, hint: str = "") -> None:
    """Open the declaration of the data in use, to be changed; what is said of one column may be changed already."""
    space = workspace()
    here = space.here
    if here.source is None:
        return
    space.uploads += 1
    names = list(here.source.names)
    lines = declare.lines_of(here.dataset.schema, names)
    draft = Draft(here.name, b"", None, here.source, None, 1, number=space.uploads, complete=True, earlier=here)
    draft.lines = written.taken(draft, lines)
    for name, value in written.typed(draft, column, ends or {}).items():
        draft.lines.loc[lines["column"] == column, name] = value
    draft.hint = hint
    space.keep(draft)


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
    figures.distribution(preview.counts(dataset, name), name, schema.numbers.get(name))
