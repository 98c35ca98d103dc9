"""Progress: where a request stands that has no answer, and the way to take it back."""

from __future__ import annotations

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import registry
from discreet.office.asked import Inquiry
from discreet.office.decisions import withdraw
from discreet.ui.frame.links import link
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import door
from discreet.ui.state import workspace


def under_way(asked: Inquiry, key: str) -> None:
    """Show a request that is under way, and the way to take it back."""
    if asked.state == "waiting":
        _waiting(asked)
        st.button(
            say("Withdraw"),
            key=f"{key}:withdraw",
            icon=":material/undo:",
            on_click=_withdraw,
            args=(asked.id,),
            help=say("The reservation returns at once."),
        )
    else:
        st.info(say("Request #{number} is being answered.", number=asked.number))
    link("requests", say("See my requests"), "outbox")


def _waiting(asked: Inquiry) -> None:
    """Say for whom it waits; for nobody, where the data were closed meanwhile."""
    house = door.house()
    if house is not None and registry.find(house, asked.dataset).state != "open":
        words = say(
            "The data of request #{number} were closed: it will not be answered. {cost} stays reserved until you "
            "withdraw it, or nobody has decided in time.",
            number=asked.number,
            cost=asked.cost,
        )
        st.warning(words)
        return
    st.info(say("Request #{number} waits for an officer. {cost} is reserved.", number=asked.number, cost=asked.cost))


def ended(asked: Inquiry) -> None:
    """Say how a request ended that has no answer."""
    words = {
        "denied": say("Request #{number} was denied: {reason}"),
        "changes": say("An officer wants request #{number} changed: {reason}"),
        "withdrawn": say("You withdrew request #{number}. Nothing was spent."),
        "expired": say("Nobody decided about request #{number} in time. Nothing was spent."),
        "refused": say("Request #{number} did not fit in the budget. Nothing was spent."),
    }
    text = words[asked.state].format(number=asked.number, reason=quoted(asked.reason))
    (st.warning if asked.state in ("denied", "changes") else st.info)(text)


def _withdraw(request: str) -> None:
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    try:
        withdraw(house, who, request)
    except ParameterError as refused:
        workspace().notice = refused
