"""Outbox: an analyst's own requests, newest first, each with its card."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from discreet.office import House, registry
from discreet.office.asked import STATES, Inquiry
from discreet.office.inbox import own
from discreet.office.snapshot import snapshot
from discreet.ui import card
from discreet.ui.answers import asked as question
from discreet.ui.answers import files
from discreet.ui.links import link, pick
from discreet.ui.office import door, requesting
from discreet.ui.state import REGISTERED, workspace
from discreet.ui.topics import asked_on
from discreet.ui.words import quoted, say


def show() -> None:
    """Show the list, and the one that is chosen."""
    st.title(say("My requests"), anchor=False)
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    mine = own(house, who)
    if not mine:
        st.info(say("No request yet. Choose registered data, open a mechanism, and ask."))
        link("data", say("Choose data"))
        return
    names = {one.id: one.name for one in registry.everything(house)}
    st.dataframe(table(mine, names), hide_index=True, width="stretch")
    chosen = choose(mine, "request", names)
    st.subheader(say("Request #{number}", number=chosen.number), anchor=False)
    _state(chosen)
    _card(house, chosen)


def table(found: list[Inquiry], names: dict[str, str]) -> pd.DataFrame:
    """Return requests as a table: number, question, cost, state, when."""
    return pd.DataFrame(
        [
            {
                say("Request"): f"#{one.number}",
                say("Data"): names[one.dataset],
                say("Question"): question(one.request),
                say("Cost"): str(one.cost),
                say("State"): say(STATES[one.status]),
                say("Asked"): f"{one.asked:%Y-%m-%d %H:%M}",
            }
            for one in found
        ]
    )


def choose(found: list[Inquiry], key: str, names: Mapping[str, str]) -> Inquiry:
    """Choose one request by its number; the address may name it."""
    known = {str(one.number): one for one in found}
    labels = {n: f"#{n} · {names[one.dataset]} · {question(one.request)}" for n, one in known.items()}
    return known[pick(say("Look at"), labels, key)]


def _state(chosen: Inquiry) -> None:
    if chosen.release is not None:
        st.success(say("Answered."))
    elif chosen.state in ("waiting", "allowed", "approved"):
        requesting.standing(chosen, "outbox")
    else:
        requesting.ended(chosen)
        if st.button(say("Ask again, changed"), icon=":material/edit:"):
            workspace().current = f"{REGISTERED}{chosen.dataset}"
            st.switch_page(f"../pages/{asked_on(chosen.request.mechanism)}.py")


def _card(house: House, chosen: Inquiry) -> None:
    st.caption(say("Purpose: {purpose}", purpose=quoted(chosen.purpose)))
    if chosen.reason and chosen.release is not None:
        st.caption(say("The officer wrote: {reason}", reason=quoted(chosen.reason)))
    with st.container(border=True):
        card.show(snapshot(house, chosen), names=True)
    files(chosen.id)
