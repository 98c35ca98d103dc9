"""Asked at a desk: the check of registered data, each count a request like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from discreet.budget import BudgetExceeded, Cost, ParameterError
from discreet.budget.prospect import TooMuch, Waits
from discreet.curator import Request
from discreet.office import Desk, seal
from discreet.office.asked import LIVE
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.links import link
from discreet.ui.frame.words import quoted, say
from discreet.ui.state import workspace


def button(desk: Desk, asked: Mapping[str, Request], mark: str) -> None:
    """Offer to send what has no answer yet; say what waits, and why something cannot be asked."""
    latest = [(request, desk.latest(request)) for request in asked.values()]
    fresh = [request for request, inquiry in latest if inquiry is None or inquiry.release is None]
    waiting = sum(inquiry is not None and inquiry.release is None and inquiry.state in LIVE for _, inquiry in latest)
    if waiting:
        st.info(say("{some} of {all} counts wait for an officer.", some=waiting, all=len(asked)))
        link("requests", say("See my requests"), "outbox")
        return
    try:
        terms = [desk.terms(request) for request in fresh]
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    price = sum((request.cost() for request in fresh), Cost.zero())
    short = any(isinstance(term, TooMuch) for term in terms) or not price.fits_in(desk.ledger.left)
    if short:
        st.warning(say("This does not fit in what is left: {left}.", left=desk.ledger.left))
    label = _label([term for term in terms if isinstance(term, Waits)], len(fresh)).format(cost=price)
    primary(label, disabled=short or not fresh, key=f"{mark}:go", on_click=_send, args=(_named(desk, fresh),))


def _label(waits: Sequence[Waits], number: int) -> str:
    """Say that somebody decides about every count, where it is so; return what the button says."""
    if not waits:
        return say("Spend {cost} and check")
    why = say(waits[0].why)
    st.caption(say("{why} Each count is a request of its own, {number} in all.", why=why, number=number))
    return say("Reserve {cost} and request")


def _named(desk: Desk, asked: Sequence[Request]) -> list[tuple[Request, int, str]]:
    """Return questions with their rounds and the seals of what the button names."""
    rounds = [(request, desk.next_round(request)) for request in asked]
    return [(request, draw, seal.of_question(desk.registered, request, draw)) for request, draw in rounds]


def _send(asked: list[tuple[Request, int, str]]) -> None:
    """Send the questions that the button named; the first that is refused ends it."""
    space = workspace()
    desk, purpose = space.here.desk, say("To see whether the declaration fits the rows.")
    if desk is None:
        return
    try:
        for request, round, seen in asked:
            desk.ask(request, str(round), purpose, seen)
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused
