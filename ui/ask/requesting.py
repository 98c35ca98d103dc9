"""Requesting: the lower part of a question of registered data: purpose, cost, state."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from discreet.budget import BudgetExceeded, ParameterError
from discreet.budget.prospect import Now, TooMuch, Waits
from discreet.curator.release import Question
from discreet.office import Desk, seal
from discreet.office.asked import LIVE, Inquiry
from discreet.office.decisions import FEWEST
from discreet.ui import notices
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.office import progress
from discreet.ui.office.entries import Entries
from discreet.ui.state import moved, settings, workspace

# widgets of a question's page that act, show or explain, and are no part of the question
ACTING = (
    "unlink",
    "to-plan",
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
    """Return what says later whether the form of a question was changed since now."""
    before = settings(key, ACTING)
    return lambda: moved(before)


def panel(desk: Desk, question: Question, key: str, changed: Callable[[], bool]) -> str | None:
    """Show where a question or a plan stands and the one thing to do; return the id of its answer.

    `changed` says, when the button is pressed, whether somebody changed what the button has named.
    """
    space = workspace()
    space.next_cost = question.cost()
    latest, wanted = desk.latest(question), space.rounds.get(_mark(desk, question), 0)
    notices.show()
    passed = latest is not None and desk.passed(latest)
    if passed:
        st.caption(say("This was asked under earlier bounds. Asked now, it is a new question under those of now."))
    if latest is not None and wanted <= latest.round and not passed:
        if latest.release is not None:
            _answered(desk, question, latest, key)
            return latest.id
        if latest.state in LIVE:
            progress.under_way(latest, key)
            return None
        progress.ended(latest)
    _form(desk, question, key, 0 if latest is None else latest.round + 1, changed)
    return None


def _mark(desk: Desk, question: Question) -> str:
    """Return the name under which the rounds of a question are counted."""
    return f"{desk.registered.id}:{question.identity}"


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


def _form(desk: Desk, question: Question, key: str, round: int, changed: Callable[[], bool]) -> None:
    """Ask what the answer is for, and say what happens when it is sent."""
    try:
        terms = desk.terms(question)
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    if isinstance(terms, TooMuch):
        st.warning(quoted(say(terms.by)))
        return
    _earlier(desk)
    _purpose(terms, key)
    text = say("Reserve {cost} and request") if isinstance(terms, Waits) else say("Spend {cost} and release")
    seen = seal.of_question(desk.registered, question, round)
    primary(
        text.format(cost=question.cost()),
        width="stretch",
        key=f"{key}:send",
        on_click=_send,
        args=(question, key, round, seen, changed),
    )
    _left(terms, question)


def _earlier(desk: Desk) -> None:
    """Show which request this one will replace, and what was said about it."""
    following, data = workspace().following, desk.registered.id
    asked = next((asked for asked in desk.requests if asked.id == following.get(data)), None)
    if asked is None:
        return
    st.info(say("This will replace request #{number}: {question}.", number=asked.number, question=_words(asked)))
    if asked.reason:
        st.caption(say("The officer wrote: {reason}", reason=quoted(asked.reason)))
    st.button(say("Ask without reference to it"), key=f"unlink:{data}", type="tertiary", on_click=_unlink, args=(data,))


def _unlink(data: str) -> None:
    workspace().following.pop(data, None)


def _words(asked: Inquiry) -> str:
    return quoted(in_words(asked.request))


def _purpose(terms: Now | Waits, key: str) -> None:
    """Ask what the answer is for, and say whether somebody decides about it."""
    st.text_area(
        say("What is the answer for?"),
        key=Entries(key).key("purpose"),
        max_chars=2000,
        height=80,
        help=say("The officer reads it, and it is on the card."),
    )
    st.caption(
        say("{why} Its cost is reserved meanwhile.", why=say(terms.why))
        if isinstance(terms, Waits)
        else say("This is within the policy and runs at once.")
    )


def _left(terms: Now | Waits, question: Question) -> None:
    """Say what is left afterwards, and which part of a cost comes back."""
    st.caption(
        say(
            "Left after this: ε {epsilon}, δ {delta}. What is reserved returns if it is "
            "denied or withdrawn; a charge never does.",
            epsilon=number(terms.left.epsilon),
            delta=number(terms.left.delta),
        )
    )
    of_a_refusal(question)


def of_a_refusal(question: Question) -> None:
    """Say what is spent where a test finds that there is no answer, if that is less."""
    if question.refusal_cost() != question.cost():
        st.caption(
            say("The rest is held until a test has passed: a refusal spends {cost}.", cost=question.refusal_cost())
        )


def _send(question: Question, key: str, round: int, seen: str, changed: Callable[[], bool]) -> None:
    """Send the question that the button named, in one step that calls nothing of the page.

    Where a field was changed after the button had named its question and its price, neither the old
    question is sent nor the new one: the button has to name it first.
    """
    space = workspace()
    purpose, desk = str(Entries(key).value("purpose") or ""), space.here.desk
    if desk is None:
        return
    if changed():
        space.notice = ParameterError(seal.OTHER)
        return
    if len(purpose.strip()) < FEWEST:
        space.notice = say("Say what the answer is for, in a sentence. Nothing was spent.")
        return
    try:
        desk.send(question, str(round), purpose, seen, space.following.get(desk.registered.id, ""))
        space.following.pop(desk.registered.id, None)
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused
