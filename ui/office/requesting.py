"""Requesting: the lower part of a question of registered data: purpose, cost, state."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discreet.budget import BudgetExceeded, ParameterError
from discreet.curator.terms import TooMuch, Waits
from discreet.office import Desk, seal
from discreet.office.asked import LIVE, Inquiry
from discreet.office.decisions import FEWEST, withdraw
from discreet.ui.buttons import primary
from discreet.ui.form import Asked as Question
from discreet.ui.links import link
from discreet.ui.office import door
from discreet.ui.state import chosen, moved, settings, workspace
from discreet.ui.words import quoted, say

# widgets of a question's page that act, show or explain, and are no part of the question
ACTING = ("purpose", "send", "spend", "again", "withdraw", "curve", "law", "how", "guarantee", "check")


def panel(desk: Desk, question: Question, key: str) -> str | None:
    """Show where a question stands and the one thing to do; return the id of its answer."""
    space, request = workspace(), question.request
    space.next_cost = request.cost()
    latest, wanted = desk.latest(request), space.rounds.get(_mark(desk, question), 0)
    if space.notice:
        st.error(quoted(say(space.notice)))
        space.notice = ""
    if latest is not None and wanted <= latest.round:
        if latest.release is not None:
            _answered(desk, question, latest, key)
            return latest.id
        if latest.state in LIVE:
            standing(latest, key)
            return None
        ended(latest)
    _form(desk, question, key, 0 if latest is None else latest.round + 1)
    return None


def _mark(desk: Desk, question: Question) -> str:
    return f"{desk.registered.id}:{question.request.identity}"


def _answered(desk: Desk, question: Question, latest: Inquiry, key: str) -> None:
    st.success(say("Answered. The same question again gives the same answer, for nothing."))
    st.button(
        say("Prepare a new draw"),
        key=f"{key}:again",
        icon=":material/replay:",
        on_click=_prepare,
        args=(_mark(desk, question), latest.round + 1),
        width="stretch",
        help=say("The next answer is a new draw and costs again."),
    )


def _prepare(mark: str, round: int) -> None:
    workspace().rounds[mark] = round


def _form(desk: Desk, question: Question, key: str, round: int) -> None:
    """Ask what the answer is for, and say what happens when it is sent."""
    request, one = question.request, desk.registered
    try:
        terms = desk.terms(request)
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    if isinstance(terms, TooMuch):
        st.warning(quoted(say(terms.by)))
        return
    waits, after = terms.why if isinstance(terms, Waits) else None, terms.left
    st.text_area(
        say("What is the answer for?"),
        key=f"{key}:purpose",
        max_chars=2000,
        height=80,
        help=say("The officer reads it, and it is on the card."),
    )
    st.caption(
        say("This is within the policy and runs at once.")
        if waits is None
        else say("{why} Its cost is reserved meanwhile.", why=say(waits))
    )
    text = say("Spend {cost} and release") if waits is None else say("Reserve {cost} and request")
    primary(
        text.format(cost=request.cost()),
        width="stretch",
        key=f"{key}:send",
        on_click=_send,
        args=(question, key, round, seal.of_question(one, request, round), settings(key, ACTING)),
    )
    st.caption(
        say(
            "Left after this: ε {epsilon:g}, δ {delta:g}. What is reserved returns if it is "
            "denied or withdrawn; a charge never does.",
            epsilon=after.epsilon,
            delta=after.delta,
        )
    )


def _send(question: Question, key: str, round: int, seen: str, before: dict[str, Any]) -> None:
    """Send the question that the button named, in one step that calls nothing of the page.

    Where a field was changed after the button had named its question and its price, neither the old
    question is sent nor the new one: the button has to name it first.
    """
    space = workspace()
    told, desk = str(chosen(f"{key}:purpose") or ""), space.here.desk
    if desk is None:
        return
    if moved(before):
        space.notice = ParameterError(seal.OTHER)
        return
    if len(told.strip()) < FEWEST:
        space.notice = say("Say what the answer is for, in a sentence. Nothing was spent.")
        return
    try:
        desk.ask(question.request, str(round), told, seen)
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused


def standing(asked: Inquiry, key: str) -> None:
    """Show a request that is under way, and the way to take it back."""
    if asked.state == "waiting":
        st.info(
            say("Request #{number} waits for an officer. {cost} is reserved.", number=asked.number, cost=asked.cost)
        )
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


def ended(asked: Inquiry) -> None:
    """Say how a request ended that has no answer."""
    words = {
        "denied": say("Request #{number} was denied: {reason}"),
        "changes": say("An officer wants request #{number} changed: {reason}"),
        "withdrawn": say("You withdrew request #{number}. Nothing was spent."),
        "expired": say("Nobody decided about request #{number} in time. Nothing was spent."),
        "refused": say("Request #{number} did not fit in the budget. Nothing was spent."),
    }
    told = words[asked.state].format(number=asked.number, reason=quoted(asked.reason))
    (st.warning if asked.state in ("denied", "changes") else st.info)(told)


def _withdraw(request: str) -> None:
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    try:
        withdraw(house, who, request)
    except ParameterError as refused:
        workspace().notice = refused
