"""Published: the published results of registered datasets, for everyone, described in plain words."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.office import House, Member
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import lifecycle, registry
from discreet.office.datasets.registry import Registered
from discreet.office.requests.request import Inquiry, released
from discreet.office.rules import rights
from discreet.ui.frame.links import card_files, files, pick
from discreet.ui.frame.words import in_words, quoted, say
from discreet.ui.office import forms
from discreet.ui.office.forms import do
from discreet.ui.office.requests import card
from discreet.ui.office.requests.outbox import choose_request
from discreet.ui.session import door


def show() -> None:
    """Show what officers have published; to an officer also each own dataset, to publish its results or stop it."""
    st.title(say("Published results"), anchor=False)
    house = door.house()
    who = door.who()
    mine = frozenset[str]() if house is None or who is None else rights.of_officer(house, who)
    every = [] if house is None else registry.everything(house)
    datasets = [data for data in every if data.published or data.id in mine]
    if house is None or not datasets:
        st.info(say("No results are published on this server."))
        return
    st.markdown(
        say(
            "This page shows the results released about people in this dataset, their protection, and "
            "what they could reveal about one person. No one's row is shown, here or anywhere else."
        )
    )
    by_id = {data.id: data for data in datasets}
    data = by_id[pick(say("Dataset"), {id_: data.name for id_, data in by_id.items()}, "of")]
    if who is not None and data.id in mine:
        with st.container(border=True):
            _publication(house, who, data)
    _list(house, data)


def _publication(house: House, who: Member, data: Registered) -> None:
    """Publish the list of releases, or withdraw it."""
    st.caption(
        say("Anyone can read the published results.")
        if data.published
        else say(
            "Once published, anyone can read every result from this dataset without signing in. The "
            "query, purpose and cost of each result are shown, but no names. Copies made in the "
            "meantime cannot be recalled."
        )
    )
    label = say("Stop publishing") if data.published else say("Publish results")
    proposal = Phrase("{name} proposes to publish the results.")
    if forms.waiting_end(house, who, data, lifecycle.PUBLICATION, proposal, True):
        do(lambda: lifecycle.publish(house, who, data.id, True))
    if st.button(label, width="stretch", icon=":material/public:"):
        do(lambda: lifecycle.publish(house, who, data.id, not data.published))
    files(say("Export all results"), f"/releases/{data.id}")


def _list(house: House, data: Registered) -> None:
    """Show what is spent, the releases, and the card of one of them."""
    answered = released(house, data.id)
    ledger = registry.ledger(house, data.id)
    amounts = {"spent": ledger.spent, "limit": ledger.limit, "source": quoted(data.registration.source)}
    st.caption(say("Total spent: {spent} of {limit}. Source: {source}", **amounts))
    if not answered:
        st.info(say("No results have been released from this dataset yet."))
        return
    st.dataframe(_table(answered), hide_index=True, width="stretch")
    chosen = choose_request(answered[::-1], "release", {data.id: data.name})
    with st.container(border=True):
        card.show(snapshot(house, chosen), names=False)
    card_files(chosen.id)


def _table(answered: Sequence[Inquiry]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                say("Release"): f"#{asked.number}",
                say("Query"): in_words(asked.request),
                say("Purpose"): asked.purpose,
                say("Cost"): str(asked.cost),
                say("Released"): f"{asked.release.at:%Y-%m-%d}" if asked.release else "",
            }
            for asked in answered
        ]
    )
