"""Data page: samples, uploaded files, registered datasets, and the schema of the dataset in use."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.lab import explain
from discreet.lab.experiment import NoRows
from discreet.lab.samples import SAMPLES
from discreet.office import Desk
from discreet.office.datasets.registry import Registered
from discreet.rows import OpenData, Schema
from discreet.ui.data import checking, table, upload
from discreet.ui.data.redeclaring import declare_anew
from discreet.ui.figures import curves as figures
from discreet.ui.frame.links import link
from discreet.ui.frame.scrolling import bring
from discreet.ui.frame.words import named, number, say
from discreet.ui.session.state import REGISTERED, workspace
from discreet.ui.session.workspace import Opened

# Choice: the samples, what this browser has opened, and the registered datasets.


def choose(desks: Sequence[Registered]) -> None:
    """Choose the dataset in use, or upload one."""
    begun = _begun()
    wide, narrow = st.columns([3, 2], gap="medium")
    left, right = (wide, narrow) if begun else (narrow, wide)  # what comes next has the first and wider place
    with (
        right,
        st.container(key="upload-place"),  # first, and its place is kept until it arrives
        st.container(key="upload-more" if begun else "upload-next"),
    ):
        upload.uploader()
    with left:
        _choose(desks)
        _onward(begun)


def _begun() -> bool:
    """Whether a dataset is ready to be queried that was chosen: all but the first sample before anything was done."""
    space = workspace()
    first = space.current == next(iter(SAMPLES))
    return not space.here.shelved and not (first and not space.here.answered and not space.sheet.items)


def _choose(desks: Sequence[Registered]) -> None:
    space = workspace()
    registered = {f"{REGISTERED}{desk.id}": say("{name} (registered)", name=desk.name) for desk in desks}
    names = list(dict.fromkeys([*SAMPLES, *space.opened, *registered]))
    here = space.here.name if space.current not in names else space.current
    chosen = st.selectbox(
        say("Dataset"), names, names.index(here), format_func=lambda name: registered.get(name) or named(name)
    )
    if chosen != space.current:
        space.current = chosen
        st.rerun()


# Terms of use: what an officer declared about a registered dataset, and what its analysts may ask.


def show_terms(desk: Desk | None) -> None:
    """Show the source and contact of a registered dataset, and its policy; nothing for other data."""
    if desk is None:
        return
    st.header(say("Terms of use"), anchor=False)
    lines = [
        {say("Item"): what, say("Detail"): words or "–"} for what, words in {**_said(desk), **_policy(desk)}.items()
    ]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch", height="content")


def _said(desk: Desk) -> dict[str, str]:
    """Return the details of the registration that analysts should know."""
    said = desk.registered.registration
    return {
        say("Source"): said.source,
        say("Legal basis for collection"): said.basis,
        say("Organisation"): said.organisation,
        say("Contact for people in the dataset"): said.contact,
        say("Unit of privacy"): say(said.protected),
        say("Public number of people"): "" if said.people is None else number(said.people),
    }


def _policy(desk: Desk) -> dict[str, str]:
    """Return what is released without approval, what may be asked at all, and until when."""
    policy = desk.registered.policy
    share = desk.share
    return {
        say("Runs without approval up to ε"): f"{policy.free:g}" if policy.free else say("nothing"),
        say("Maximum cost per release"): f"ε {number(policy.most)}, δ {number(policy.most_delta)}",
        say("Your limit (ε)"): ""
        if share is None
        else say("{most:g}, of which {spent:g} is spent", most=share[0], spent=share[1].epsilon),
        say("Requests expire after (days)"): str(policy.days),
        say("Queries accepted until"): policy.until,
    }


# Schema: the declared columns of the dataset in use, and its rows if it is public.

ROW, MOST_LINES, FRAME = 35, 10, 10  # heights in pixels, and how many lines are visible at once
READY = Phrase("Next: plan a release, or run a single query.")


def show() -> None:
    """Show the schema of the dataset in use, and more only if it is public."""
    here = workspace().here
    show_terms(here.desk)
    _columns(here.dataset.schema)
    if here.dataset.protected:
        ready = "" if here.shelved else say(READY)
        st.info(say("Protected: no rows are shown. {ready}", ready=ready))
    if here.shown is not None:
        checking.show(here.shown.dataset)
    if _checkable(here) and not here.unchecked:
        checking.offer()
    _own(here)
    if here.shown is not None:
        _rows(here.shown.dataset)
    _export(here.dataset.schema)
    bring(workspace().current)


def _columns(schema: Schema) -> None:
    st.header(say("Schema"), anchor=False)
    st.caption(say("The schema lists what is publicly known about each column. It is declared before any row is read."))
    lines = table.reading(schema)
    high = ROW * (min(len(lines), MOST_LINES) + 1) + 2
    with st.container(height=high + FRAME, border=False):  # nothing below moves when the table is drawn
        st.dataframe(lines, hide_index=True, width="stretch", height=high)


def _export(schema: Schema) -> None:
    st.download_button(
        say("Export schema"),
        schema.to_json(),
        "declaration.json",
        "application/json",
        icon=":material/download:",
        on_click="ignore",
    )


def _onward(begun: bool) -> None:
    """Link to the pages where queries are asked; the link looks like the one filled button if it is the next step."""
    with st.container(horizontal=True, vertical_alignment="center", key="onward"):
        with st.container(width="content", key="query-next" if begun else "query-later"):
            link("query", say("Run a query"), "search")
        link("plan", say("Plan a release"), "checklist")


def _checkable(here: Opened) -> bool:
    """Whether the check of how protected data are read can be offered."""
    desk = here.desk
    open_ = here.source is not None or (desk is not None and desk.registered.state == "open")
    return here.shown is None and open_


def _own(here: Opened) -> None:
    """Offer the check that was skipped, and to change the schema of an uploaded file."""
    if _checkable(here) and here.unchecked:
        st.button(
            say("Check how the data was read"), icon=":material/fact_check:", on_click=checking.skip, args=(False,)
        )
    if here.source is None:
        return
    st.button(
        say("Change schema"),
        icon=":material/edit:",
        on_click=declare_anew,
        help=say("You can add columns or change their declarations. Results and spent budget are kept."),
    )


def _rows(dataset: OpenData) -> None:
    """Show rows and a distribution of public data."""
    rows, shape = st.columns([3, 2], gap="medium")
    with rows:
        st.header(say("First rows"), anchor=False)
        st.caption(say("This dataset is public, so every row can be shown."))
        st.dataframe(explain.rows(dataset), hide_index=True, height=360, width="stretch")
    with shape:
        st.header(say("Distribution"), anchor=False)
        _distribution(dataset)


def _distribution(dataset: OpenData) -> None:
    schema = dataset.schema
    person = (schema.person or ("",))[0]
    names = [name for name in schema.used if name != person]
    name = st.selectbox(say("Column"), names, key="distribution")
    try:
        figures.distribution(explain.counts(dataset, name), name, schema.numbers.get(name))
    except NoRows as nobody:
        st.info(say(nobody))
