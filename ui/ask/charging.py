"""Charging: what a question costs here and now, and the one button that spends it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discreet.budget import BudgetExceeded, Cost
from discreet.budget.errors import AlreadyCharged, ParameterError
from discreet.budget.prospect import Now, TooMuch
from discreet.curator import Request
from discreet.office import seal
from discreet.ui import notices
from discreet.ui.ask import requesting
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.links import link
from discreet.ui.frame.words import quoted, say
from discreet.ui.state import moved, settings, workspace


def panel(request: Request, key: str) -> str | None:
    """Show what it costs and the one button that spends; return the id of a fresh answer."""
    space, cost = workspace(), request.cost()
    terms, stored = space.curator.terms(request), space.stored(request)
    space.next_cost = cost
    if stored is not None:
        _answered(request, key)
        return stored.id
    if isinstance(terms, TooMuch):
        _does_not_fit(terms, cost)
    primary(
        say("Spend {cost} and release", cost=cost),
        disabled=isinstance(terms, TooMuch),
        width="stretch",
        key=f"{key}:spend",
        on_click=_release,
        args=(request, settings(key, requesting.ACTING)),
    )
    notices.show()
    if isinstance(terms, Now):
        _left(terms, request)
    return None


def _left(terms: Now, request: Request) -> None:
    """Say what is left afterwards, and of a test that may refuse, what that spends."""
    st.caption(say("Left after this: {left}. A charge is never given back.", left=terms.left))
    requesting.of_a_refusal(request)


def _answered(request: Request, key: str) -> None:
    """Say that nothing is left to pay, and offer a draw that costs again."""
    st.success(say("Answered. The same question again gives the same answer, for nothing."))
    st.button(
        say("Prepare a new draw"),
        key=f"{key}:again",
        icon=":material/replay:",
        on_click=workspace().prepare,
        args=(request,),
        width="stretch",
        help=say("The next answer is a new draw and costs again."),
    )


def _does_not_fit(terms: TooMuch, cost: Cost) -> None:
    """Say by how much a question does not fit, and what would."""
    left = terms.left
    st.warning(quoted(say(terms.by)))
    if workspace().here.shelved:
        link("data", say("Bring the rows back"), "table")
        return
    if left.nano_epsilon and cost.delta_units <= left.delta_units:
        st.caption(say("An epsilon of {most:.4g} would still fit.", most=left.epsilon))
    link("budget", say("See where the budget went"), "account_balance_wallet")


def _release(request: Request, before: dict[str, Any]) -> None:
    """Charge, draw and record the question that the button named, in one step.

    This runs before the page is drawn again and calls nothing of the page: no later click, move
    of a slider or closed tab can come between the charge and its answer. Where a field was changed
    after the button had named its question and its price, nothing is asked: it names the new one.
    """
    space = workspace()
    if moved(before):
        space.notice = ParameterError(seal.OTHER)
        return
    try:
        space.curator.ask(request, space.nonce(request))
    except AlreadyCharged:
        pass  # another tab was faster; its answer is on the record
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused
