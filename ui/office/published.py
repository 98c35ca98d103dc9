"""Published: the releases of registered data, for everybody, in plain words first."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.office import House, registry
from discreet.office.asked import Inquiry, released
from discreet.office.registry import Registered
from discreet.office.snapshot import snapshot
from discreet.ui.frame.links import card_files, pick
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import card, door
from discreet.ui.office.outbox import choose


def show() -> None:
    """Show the lists that officers have published."""
    st.title(say("Published releases"), anchor=False)
    house = door.house()
    datasets = [] if house is None else [data for data in registry.everything(house) if data.published]
    if house is None or not datasets:
        st.info(say("Nothing is published on this server."))
        return
    st.markdown(
        say(
            "What was released about people in these data, under which protection, and what it "
            "could tell about one of them. Nobody's row is shown, here or anywhere."
        )
    )
    by_id = {data.id: data for data in datasets}
    chosen = pick(say("Dataset"), {id_: data.name for id_, data in by_id.items()}, "of")
    _list(house, by_id[chosen])


def _list(house: House, data: Registered) -> None:
    """Show what is spent, the releases, and the card of one of them."""
    answered, ledger = released(house, data.id), registry.ledger(house, data.id)
    amounts = {"spent": ledger.spent, "limit": ledger.limit, "source": quoted(data.registration.source)}
    st.caption(say("{spent} of {limit} is spent in all. Source: {source}", **amounts))
    if not answered:
        st.info(say("Nothing was released of these data yet."))
        return
    st.dataframe(_table(answered), hide_index=True, width="stretch")
    chosen = choose(answered[::-1], "release", {data.id: data.name})
    with st.container(border=True):
        card.show(snapshot(house, chosen), names=False)
    card_files(chosen.id)


def _table(answered: Sequence[Inquiry]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                say("Release"): f"#{asked.number}",
                say("Question"): in_words(asked.request),
                say("Purpose"): asked.purpose,
                say("Cost"): str(asked.cost),
                say("Released"): f"{asked.release.at:%Y-%m-%d}" if asked.release else "",
            }
            for asked in answered
        ]
    )
