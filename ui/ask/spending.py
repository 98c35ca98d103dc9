"""Spending: the button that charges, the request to an officer, and adding a row to the plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from discreet.budget import BudgetExceeded, Cost, ParameterError
from discreet.budget.errors import AlreadyCharged
from discreet.budget.ledger import Now, TooMuch, Waits
from discreet.curator import Request
from discreet.curator.plan import FixedPlan
from discreet.curator.release import Question
from discreet.mechanisms.several_quantiles import QUANTILES
from discreet.office import Desk
from discreet.office.datasets import fingerprint
from discreet.office.decisions.decisions import FEWEST
from discreet.office.requests.request import Inquiry
from discreet.office.requests.states import LIVE
from discreet.plans import Wanted
from discreet.plans.methods import BINNED, equal_bins, plannable
from discreet.plans.plan import MOST_BINS
from discreet.plans.planning import serves
from discreet.queries.quantile import Quantile
from discreet.ui.ask.form import Question as FormQuestion
from discreet.ui.frame import strip, words
from discreet.ui.frame.links import link, primary
from discreet.ui.frame.scrolling import made
from discreet.ui.frame.words import in_words, number, quoted, say
from discreet.ui.office.forms import Entries
from discreet.ui.office.requests import outbox
from discreet.ui.session.state import moved, settings, workspace

# Requests: the lower part of a query on registered data: purpose, cost, state.

# widgets of a query's page that act, show or explain, and are not part of the query
ACTING = (
    "unlink",
    "to-plan",
    "explore",
    "change",
    "assumed",  # shows the field of people, which is part of it
    "purpose",
    "send",
    "spend",
    "again",
    "withdraw",
    "curve",
    "law",
    "how",
    "guarantee",
    "check",
)


def unmoved(key: str) -> Callable[[], bool]:
    """Return a function that tells later whether the form of a query has changed since now."""
    before = settings(key, ACTING)
    return lambda: moved(before)


def request_panel(desk: Desk, question: Question, key: str, changed: Callable[[], bool]) -> str | None:
    """Show the state of a query or plan and the next action; return the id of its result.

    `changed` tells, when the button is pressed, whether the form has changed since the button was drawn.
    """
    space = workspace()
    latest = desk.latest(question)
    wanted = space.rounds.get(_mark(desk, question), 0)
    words.show_notice()
    passed = latest is not None and desk.passed(latest)
    if passed:
        st.caption(
            say("This query was run with earlier bounds. Running it now is a new query with the current bounds.")
        )
    if latest is not None and wanted <= latest.round and not passed:
        if latest.release is not None:
            _answer_at_desk(desk, question, latest, key)
            return latest.id
        if latest.state in LIVE:
            outbox.under_way(latest, key)
            return None
        outbox.ended(latest)
    _form(desk, question, key, 0 if latest is None else latest.round + 1, changed)
    return None


def _mark(desk: Desk, question: Question) -> str:
    """Return the name under which the rounds of a query are counted."""
    return f"{desk.registered.id}:{question.identity}"


def _answer_at_desk(desk: Desk, question: Question, latest: Inquiry, key: str) -> None:
    st.success(say("Done. Running the same query again returns this result at no cost."))
    st.button(
        say("Run again with fresh noise (costs {cost})", cost=question.cost()),
        key=f"{key}:again",
        icon=":material/replay:",
        on_click=_prepare,
        args=(_mark(desk, question), latest.round + 1),
        width="stretch",
        help=say("The next run uses fresh noise. Nothing is spent yet."),
    )


def _prepare(mark: str, round: int) -> None:
    workspace().rounds[mark] = round


def _form(desk: Desk, question: Question, key: str, round: int, changed: Callable[[], bool]) -> None:
    """Ask for the purpose of the query, and show what happens when it is sent."""
    what = strip.PLAN if isinstance(question, FixedPlan) else strip.QUERY
    try:
        terms = desk.terms(question)
    except ParameterError as refused:
        strip.intend(what, question.cost(), desk.ledger.after(question.cost(), question.account()))
        st.error(quoted(say(refused)))
        return
    strip.intend(what, question.cost(), terms)
    if isinstance(terms, TooMuch):
        st.warning(quoted(say(terms.by)))
        return
    _earlier(desk)
    _purpose(terms, key)
    text = say("Send request (reserves {cost})") if isinstance(terms, Waits) else say("Release result (spends {cost})")
    seen = fingerprint.of_question(desk.registered, question, round)
    primary(
        text.format(cost=question.cost()),
        width="stretch",
        key=f"{key}:send",
        on_click=_send,
        args=(question, key, round, seen, changed),
    )
    _left_at_desk(terms, question)


def _earlier(desk: Desk) -> None:
    """Show which request this one will replace, and the comments on it."""
    following = workspace().following
    data = desk.registered.id
    asked = next((asked for asked in desk.requests if asked.id == following.get(data)), None)
    if asked is None:
        return
    st.info(say("This query replaces request #{number}: {question}.", number=asked.number, question=_words(asked)))
    if asked.reason:
        st.caption(say("The officer wrote: {reason}", reason=quoted(asked.reason)))
    st.button(say("Send as a new request"), key=f"unlink:{data}", type="tertiary", on_click=_unlink, args=(data,))


def _unlink(data: str) -> None:
    workspace().following.pop(data, None)


def _words(asked: Inquiry) -> str:
    return quoted(in_words(asked.request))


def _purpose(terms: Now | Waits, key: str) -> None:
    """Ask for the purpose of the query, and show whether an officer decides on it."""
    st.text_area(
        say("Purpose"),
        key=Entries(key).key("purpose"),
        max_chars=2000,
        height=80,
        help=say("The privacy officer sees the purpose, and it appears on the release card."),
    )
    st.caption(
        say("{why} The cost is reserved until the decision.", why=say(terms.why))
        if isinstance(terms, Waits)
        else say("The policy allows this query without approval.")
    )


def _left_at_desk(terms: Now | Waits, question: Question) -> None:
    """Show what is left afterwards, and which part of the cost is returned."""
    st.caption(
        say(
            "Budget left afterwards: ε {epsilon}, δ {delta}. Reserved budget is returned if the request is "
            "denied or withdrawn. Spent budget is not refunded.",
            epsilon=number(terms.left.epsilon),
            delta=number(terms.left.delta),
        )
    )
    of_a_refusal(question)


def of_a_refusal(question: Question) -> None:
    """Show the cost of a test that refuses, if it is lower."""
    if question.refusal_cost() != question.cost():
        st.caption(say("If the test fails, you get no result and only {cost} is spent.", cost=question.refusal_cost()))


def _send(question: Question, key: str, round: int, seen: str, changed: Callable[[], bool]) -> None:
    """Send the query that the button named, in one step that calls no code of the page.

    If a field was changed after the button had named its query and its cost, neither the old query nor the new one is
    sent: the button has to name the new one first.
    """
    space = workspace()
    purpose = str(Entries(key).value("purpose") or "")
    desk = space.here.desk
    if desk is None:
        return
    if changed():
        space.notice = ParameterError(fingerprint.OTHER)
        return
    if len(purpose.strip()) < FEWEST:
        space.notice = say("Enter the purpose in one sentence. Nothing was spent.")
        return
    try:
        answer = desk.send(question, str(round), purpose, seen, space.following.get(desk.registered.id, ""))
        space.following.pop(desk.registered.id, None)
        if answer is not None:
            made(answer.id)
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused


# Charges: what a query costs in this browser, and the one button that spends it.


def panel(request: Request, key: str) -> str | None:
    """Show the cost and the one button that spends it; return the id of a new result."""
    space = workspace()
    cost = request.cost()
    terms = space.curator.terms(request)
    stored = space.stored(request)
    if stored is not None:
        _answered(request, key)
        return stored.id
    if not space.here.shelved:
        strip.intend(strip.QUERY, cost, terms)
    if isinstance(terms, TooMuch):
        _does_not_fit(terms, cost)
    primary(
        say("Release result (spends {cost})", cost=cost),
        disabled=isinstance(terms, TooMuch),
        width="stretch",
        key=f"{key}:spend",
        on_click=_release,
        args=(request, settings(key, ACTING)),
    )
    words.show_notice()
    if isinstance(terms, Now):
        _left(terms, request)
    return None


def _left(terms: Now, request: Request) -> None:
    """Show what is left afterwards, and the cost of a test that refuses."""
    st.caption(say("Budget left afterwards: {left}. Spent budget is not refunded.", left=terms.left))
    of_a_refusal(request)


def _answered(request: Request, key: str) -> None:
    """Say that nothing more has to be paid, and offer a new draw that costs again."""
    st.success(say("Done. Running the same query again returns this result at no cost."))
    st.button(
        say("Run again with fresh noise (costs {cost})", cost=request.cost()),
        key=f"{key}:again",
        icon=":material/replay:",
        on_click=workspace().prepare,
        args=(request,),
        width="stretch",
        help=say("The next run uses fresh noise. Nothing is spent yet."),
    )


def _does_not_fit(terms: TooMuch, cost: Cost) -> None:
    """Show by how much a query exceeds the budget, and what would fit."""
    left = terms.left
    st.warning(quoted(say(terms.by)))
    if workspace().here.shelved:
        link("dataset", say("Reload the dataset"), "table")
        return
    if left.nano_epsilon and cost.delta_units <= left.delta_units:
        st.caption(say("The budget left allows up to ε = {most:.4g}.", most=left.epsilon))
    link("budget", say("View budget"), "account_balance_wallet")


def _release(request: Request, before: dict[str, Any]) -> None:
    """Charge, draw and record the query that the button named, in one step.

    This runs before the page is drawn again and calls no code of the page: no later click, move of a slider or closed
    tab can come between the charge and its result. If a field was changed after the button had named its query and its
    cost, nothing is asked: the button names the new one.
    """
    space = workspace()
    if moved(before):
        space.notice = ParameterError(fingerprint.OTHER)
        return
    try:
        answer = space.curator.ask(request, space.nonce(request))
        if answer is not None:
            made(answer.id)
    except AlreadyCharged:
        pass  # another tab was faster; its result is recorded
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused


# Planning: the current query becomes a row of the plan, with its mechanism and epsilon fixed.


def to_plan(asked: FormQuestion, key: str) -> None:
    """Offer to add the query to the plan, if a plan can ask it."""
    item = _row(asked)
    if item is not None:
        row_to_plan(item, key)


def row_to_plan(item: Wanted, key: str) -> None:
    """Offer to add a row with a method to the plan, if a plan can ask it."""
    space = workspace()
    common = space.sheet.common
    if item.method is None:
        return
    if not serves(item.subject(space.dataset.schema, common.people, common.shape), item.method, common.total.delta):
        return
    there = item in space.sheet.items
    st.button(
        say("Already in the plan") if there else say("Add to plan"),
        icon=":material/checklist:",
        disabled=there,
        key=f"{key}:to-plan",
        on_click=space.sheet.add,
        args=((item,),),
        width="stretch",
    )
    if there:
        link("plan", say("View plan"), "arrow_forward")


def _row(asked: FormQuestion) -> Wanted | None:
    """Return a query as a row; None if a row cannot express all of it."""
    request = asked.request
    mechanism = asked.request.mechanism
    if asked.topic.name not in {**plannable(), QUANTILES.name: None} or mechanism.neighbours.change_one:
        return None
    levelled = asked.topic.name in (Quantile.name, QUANTILES.name)
    level = mechanism.values().get("levels" if asked.topic == QUANTILES else "q") if levelled else None
    if levelled and level is None:
        return None
    if mechanism.view.at is not None:
        level = mechanism.view.at
    edges = mechanism.view.edges
    number = len(edges) - 1 if edges else None
    schema = workspace().dataset.schema
    if mechanism.values().get("least") or (number and edges != equal_bins(schema, request.columns[0], number).edges):
        return None
    if number and (asked.topic.name not in BINNED or not 2 <= number <= MOST_BINS):
        return None
    return Wanted(
        asked.topic.name,
        request.columns[0],
        request.groups or None,
        request.where,
        level,
        held=request.cost().epsilon,
        method=type(mechanism).slug,
        bins=number,
        second=next(iter(request.columns[1:]), None),
    )
