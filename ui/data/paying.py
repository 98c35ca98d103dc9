"""Paying: the check of one's own data is asked and paid at once, out of their budget."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from discreet.budget import AlreadyCharged, BudgetExceeded, ParameterError
from discreet.budget.prospect import TooMuch
from discreet.curator import Release, Request
from discreet.lab import left_out, reading_check
from discreet.lab.terms import Road
from discreet.rows import Schema
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.words import say
from discreet.ui.state import workspace


def questions(schema: Schema, epsilon: float) -> dict[str, Request]:
    """Return a question for each column, and for the limit of rows a person where it can be asked.

    The limit is counted under another declaration, which registered data do not have.
    """
    wider = left_out.wider(schema) if workspace().here.source is not None else None
    if wider is None:
        return reading_check.requests(schema, epsilon)
    each = reading_check.shares(epsilon, len(schema.askable) + 1)
    if not each:
        return {}
    columns = {
        name: reading_check.counting(schema, name, part) for name, part in zip(schema.askable, each, strict=False)
    }
    return columns | {left_out.NOT_A_COLUMN: left_out.limited(wider, each[-1])}


def stored(name: str, request: Request) -> Release | None:
    """Return the answer of a question of the check, if there is one."""
    road, nonce = _road(name, request)
    return road.stored(request, nonce)


def _road(name: str, request: Request) -> tuple[Road, str]:
    """Return where a question is asked, and under which nonce: the limit under a wider declaration."""
    space = workspace()
    wider = left_out.wider(space.dataset.schema) if name == left_out.NOT_A_COLUMN and not request.where else None
    return (space.curator, space.nonce(request)) if wider is None else space.otherwise(wider)


def button(asked: Mapping[str, Request], mark: str) -> None:
    """Offer to ask all of it at once."""
    price, left = reading_check.cost(asked), workspace().curator.ledger.left
    short = not price.fits_in(left)
    if short:
        st.warning(say("This does not fit in what is left: {left}.", left=left))
    label = say("Spend {cost} and check", cost=price)
    primary(label, disabled=short or not asked, key=f"{mark}:go", on_click=_ask, args=(dict(asked),))


def _ask(asked: Mapping[str, Request]) -> None:
    """Ask the questions that the button named; where one does not fit any more, say so."""
    space = workspace()
    try:
        for name, request in asked.items():
            road, nonce = _road(name, request)
            if isinstance(road.terms(request), TooMuch):
                raise BudgetExceeded(request.cost(), road.ledger.left)
            road.ask(request, nonce)
    except AlreadyCharged:
        pass  # another tab was faster; its answer is on the record
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused
