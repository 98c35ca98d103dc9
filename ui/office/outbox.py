"""Outbox: an analyst's own requests, newest first, each with its card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from discreet.curator.fixed import FixedPlan
from discreet.curator.release import Question
from discreet.office import House, registry
from discreet.office.asked import STATES, Inquiry
from discreet.office.inbox import own
from discreet.office.snapshot import snapshot
from discreet.ui import notices
from discreet.ui.frame.faces import asked_on
from discreet.ui.frame.links import card_files, link, pick
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import card, door, linked, progress, talking
from discreet.ui.state import workspace


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
    names = names_of(house)
    st.dataframe(table(mine, names), hide_index=True, width="stretch")
    chosen = choose(mine, "request", names)
    st.header(say("Request #{number}", number=chosen.number), anchor=False)
    notices.show()
    _state(chosen)
    linked.show(house, who, chosen)
    _card(house, chosen)
    talking.show(house, who, chosen)


def names_of(house: House) -> dict[str, str]:
    """Return the names of all registered data, by their ids."""
    return {data.id: data.name for data in registry.everything(house)}


def table(requests: Sequence[Inquiry], names: Mapping[str, str]) -> pd.DataFrame:
    """Return requests as a table: number, question, cost, state, when."""
    return pd.DataFrame(
        [
            {
                say("Request"): f"#{asked.number}",
                say("Data"): names[asked.dataset],
                say("Question"): in_words(asked.request),
                say("Cost"): str(asked.cost),
                say("State"): say(STATES[asked.status]),
                say("Asked"): f"{asked.asked:%Y-%m-%d %H:%M}",
            }
            for asked in requests
        ]
    )


def choose(requests: Sequence[Inquiry], key: str, names: Mapping[str, str]) -> Inquiry:
    """Choose one request by its number; the address may name it."""
    by_number = {str(asked.number): asked for asked in requests}
    labels = {n: f"#{n} · {names[asked.dataset]} · {in_words(asked.request)}" for n, asked in by_number.items()}
    return by_number[pick(say("Look at"), labels, key)]


def _state(chosen: Inquiry) -> None:
    if chosen.release is not None:
        st.success(say("Answered."))
    elif chosen.state in ("waiting", "allowed", "approved"):
        progress.under_way(chosen, "outbox")
    else:
        progress.ended(chosen)
        if st.button(say("Ask again, changed"), icon=":material/edit:"):
            workspace().turn_to(chosen.dataset)
            workspace().following[chosen.dataset] = workspace().refill = chosen.id
            st.switch_page(f"../pages/{_page(chosen.request)}.py")


def _page(question: Question) -> str:
    """Return the page on which it is asked."""
    return "plan" if isinstance(question, FixedPlan) else asked_on(question.mechanism)


def _card(house: House, chosen: Inquiry) -> None:
    st.caption(say("Purpose: {purpose}", purpose=quoted(chosen.purpose)))
    if chosen.reason and chosen.release is not None:
        st.caption(say("The officer wrote: {reason}", reason=quoted(chosen.reason)))
    with st.container(border=True):
        card.show(snapshot(house, chosen), names=True)
    card_files(chosen.id)
