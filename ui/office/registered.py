"""Registered data, as an officer keeps them: budget, policy, ledger, publication, and their end."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import Phrase
from discreet.office import House, Member, charges, keeping, registry
from discreet.office.registry import Registered
from discreet.ui.frame import costs
from discreet.ui.frame.links import pick, view
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import (
    amending,
    door,
    ending,
    extending,
    first_steps,
    handing,
    horizon,
    reconnecting,
    registering,
    renewing,
    standpoint,
    verifying,
)
from discreet.ui.office.declared import declared

VIEWS = {"kept": Phrase("Registered"), "all": Phrase("Overview"), "new": Phrase("Register a dataset")}


def show() -> None:
    """Show what is registered, or register something new."""
    st.title(say("Registered data"), anchor=False)
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    mine = charges.of_officer(house, who)
    every = registry.everything(house)
    datasets = [data for data in every if data.id in mine]
    amending.elsewhere(house, who, [data for data in every if data.id not in mine])
    part = view(say("View"), VIEWS, standpoint.VIEW, "kept" if datasets else "new")
    if part == "new":
        registering.show(house, who)
    elif not datasets:
        st.info(say("Nothing is registered yet."))
    elif part == "all":
        _overdue(house, datasets)
        horizon.show(house, who)
    else:
        _overdue(house, datasets)
        first_steps.show(house, who)
        _dataset(house, who, _chosen(datasets))


def _overdue(house: House, datasets: Sequence[Registered]) -> None:
    """Warn of rows that should have been deleted."""
    late = keeping.overdue(house, datasets)
    if late:
        st.warning(say("Past their day of deletion: {names}.", names=quoted(", ".join(data.name for data in late))))


def _chosen(datasets: Sequence[Registered]) -> Registered:
    by_id = {data.id: data for data in datasets}
    return by_id[pick(say("Dataset"), {id_: data.name for id_, data in by_id.items()}, standpoint.DATASET)]


def _dataset(house: House, who: Member, data: Registered) -> None:
    """Show one dataset: what was said on the left, what can be done on the right."""
    ledger = registry.ledger(house, data.id)
    costs.side_by_side({say("Spent or reserved"): ledger.spent, say("Left"): ledger.left, say("Limit"): ledger.limit})
    left, right = st.columns([3, 2], gap="medium")
    with left:
        with st.container(border=True):
            declared(house, data)
            extending.show(house, who, data)
        for part in (renewing, amending):
            with st.container(border=True):
                part.show(house, who, data)
    with right:
        with st.container(border=True):
            verifying.show(house, who, data)
        if data.table and data.state != "deleted":
            with st.container(border=True):
                reconnecting.show(house, who, data)
        for ending_part in (ending.publication, handing.show, ending.end):
            with st.container(border=True):
                ending_part(house, who, data)
