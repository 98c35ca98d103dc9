"""Published: the releases of registered data, for everybody, in plain words first."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.office import House, registry
from discreet.office.asked import released
from discreet.office.snapshot import snapshot
from discreet.ui.frame.links import card_files, pick
from discreet.ui.frame.questions import in_words
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import card, door
from discreet.ui.office.outbox import choose


def show() -> None:
    """Show the lists that officers have published."""
    st.title(say("Published releases"), anchor=False)
    house = door.house()
    known = [] if house is None else [one for one in registry.everything(house) if one.published]
    if house is None or not known:
        st.info(say("Nothing is published on this server."))
        return
    st.markdown(
        say(
            "What was released about people in these data, under which protection, and what it "
            "could tell about one of them. Nobody's row is shown, here or anywhere."
        )
    )
    by_id = {one.id: one for one in known}
    chosen = pick(say("Dataset"), {i: told.name for i, told in by_id.items()}, "of")
    _list(house, by_id[chosen])


def _list(house: House, one: registry.Registered) -> None:
    found = released(house, one.id)
    ledger = registry.ledger(house, one.id)
    st.caption(
        say(
            "{spent} of {limit} is spent in all. Source: {source}",
            spent=ledger.spent,
            limit=ledger.limit,
            source=quoted(one.registration.source),
        )
    )
    if not found:
        st.info(say("Nothing was released of these data yet."))
        return
    st.dataframe(
        pd.DataFrame(
            [
                {
                    say("Release"): f"#{r.number}",
                    say("Question"): in_words(r.request),
                    say("Purpose"): r.purpose,
                    say("Cost"): str(r.cost),
                    say("Released"): f"{r.release.at:%Y-%m-%d}" if r.release else "",
                }
                for r in found
            ]
        ),
        hide_index=True,
        width="stretch",
    )
    chosen = choose(found[::-1], "release", {one.id: one.name})
    with st.container(border=True):
        card.show(snapshot(house, chosen), names=False)
    card_files(chosen.id)
