"""Published: the published results of registered datasets, for everyone, described in plain words."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.office import House
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import registry
from discreet.office.datasets.registry import Registered
from discreet.office.house.roles import OFFICER
from discreet.office.requests.request import Inquiry, released
from discreet.ui.frame.links import card_files, link, pick
from discreet.ui.frame.words import in_words, quoted, say
from discreet.ui.office.requests import card
from discreet.ui.office.requests.outbox import choose_request
from discreet.ui.session import door


def show() -> None:
    """Show the lists that officers have published."""
    st.title(say("Published results"), anchor=False)
    house = door.house()
    who = door.who()
    if who is not None and OFFICER in who.roles:
        link("datasets", say("Publish results, or stop publishing"), "inventory_2", {"registered-view": "kept"})
    datasets = [] if house is None else [data for data in registry.everything(house) if data.published]
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
    chosen = pick(say("Dataset"), {id_: data.name for id_, data in by_id.items()}, "of")
    _list(house, by_id[chosen])


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
