"""Review: the queue with a card for each request and one decision, and the decisions made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import Cost, Phrase
from discreet.curator import Request
from discreet.curator.release import Question
from discreet.office import House, Member
from discreet.office.cards.review_case import Snapshot, dossier, snapshot
from discreet.office.decisions.alternatives import Alternative, cheaper, prices
from discreet.office.desk.queue import Awaited, cases, look
from discreet.office.people.accounts import name_of
from discreet.office.requests.request import Inquiry, decided
from discreet.office.requests.states import EVERY, WAITING
from discreet.office.rules.registration import Registration
from discreet.report.risk import best_guess, cases_of_100, relation_of
from discreet.ui.frame import words
from discreet.ui.frame.links import card_files, link, view
from discreet.ui.frame.words import in_words, number, quoted, say
from discreet.ui.office import first_steps
from discreet.ui.office.requests import card, deciding, outbox, queue
from discreet.ui.office.requests.deciding import Decision, gone
from discreet.ui.office.requests.outbox import choose_request, names_of, table
from discreet.ui.session import door
from discreet.ui.session.state import workspace

# Repetitions: equal queries at any epsilon, because their results can be averaged.


def repeated(shown: Snapshot) -> None:
    """Show equal queries of other analysts, or of the same one."""
    with st.container(border=True):
        st.header(say("Same query with any ε"), anchor=False)
        if not shown.same:
            st.caption(say("No one else has sent this query for this dataset, and it was not sent before."))
            return
        answered = [asked.release.cost for asked in shown.same if asked.release is not None]
        waits = [asked.cost for asked in shown.same if asked.status == WAITING.name]
        st.caption(
            say(
                "Results: {answered}, for {spent}. Other waiting requests: {waiting}, for {reserved}. "
                "Results of the same query can be averaged, so the sum of their costs counts.",
                answered=len(answered),
                spent=str(sum(answered, Cost.zero())),
                waiting=len(waits),
                reserved=str(sum(waits, Cost.zero())),
            )
        )
        st.dataframe(_repeated_table(shown), hide_index=True, width="stretch")


def _repeated_table(shown: Snapshot) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                say("Request"): f"#{asked.number}",
                say("By"): shown.name(asked.analyst),
                say("Cost"): str(asked.cost),
                say("State"): say(EVERY[asked.status].words),
            }
            for asked in shown.same
        ]
    )


# Alternatives: the query at other costs, and other mechanisms that cost less for the same error.


GUESSES = Phrase("Right guesses of 100, at most")


def show_alternatives(question: Question, said: Registration) -> None:
    """Show both for a single query; the rows of a plan share a total and have no cost of their own."""
    if len(question.rows) != 1:
        return
    (request,) = question.rows
    with st.container(border=True):
        st.header(say("Other budgets and mechanisms"), anchor=False)
        steps = prices(request, said)
        guessed = _guessed(request, said.protected)
        st.dataframe(_alternatives_table(steps), hide_index=True, width="stretch", column_config=guessed)
        if any(step.half_width is None for step in steps):
            st.caption(say("The margin of error depends on the data."))
            return
        others = cheaper(request, said)
        if not others:
            st.caption(say("No other mechanism has the same margin of error for all datasets at a lower cost."))
            return
        st.caption(say("Other mechanisms with the same margin of error for all datasets:"))
        table = _alternatives_table(others, methods=True)
        st.dataframe(table, hide_index=True, width="stretch", column_config=guessed)


def _guessed(request: Request, unit: Phrase) -> dict[str, Any]:
    """Return the column of right guesses, with what is guessed as its help."""
    help = say("A 50% guess whether {unit} is in the dataset.", unit=unit)
    if relation_of([request]):
        help = say("A 50% guess about the values of {unit} in the dataset.", unit=unit)
    return {say(GUESSES): st.column_config.TextColumn(help=help, alignment="right")}


def _alternatives_table(steps: Sequence[Alternative], methods: bool = False) -> pd.DataFrame:
    """Return costs, errors, and what each lets an attacker learn."""
    return pd.DataFrame(
        [
            ({say("Mechanism"): say(step.method)} if methods else {})
            | {
                "ε": f"{number(step.cost.epsilon, 3)}{' ←' if step.same else ''}",
                say("Margin of error (95%)"): "–" if step.half_width is None else f"± {number(step.half_width, 3)}",
                say(GUESSES): cases_of_100(best_guess(step.cost)),
            }
            for step in steps
        ]
    )


VIEWS = {"queue": Phrase("Waiting"), "decided": Phrase("Decided")}


def show() -> None:
    """Show what waits, or what was decided."""
    st.title(say("Inbox"), anchor=False)
    house = door.house()
    who = door.who()
    if house is None or who is None:
        return
    if view(say("View"), VIEWS, "review-view") == "queue":
        _queue(house, who)
    else:
        _decided(house, who)
    workspace().done = ""


def _queue(house: House, who: Member) -> None:
    """Show the list, the selected request with its checklist, and the decision below, always visible."""
    waiting = cases(house, who)
    gone(house, who, [case.asked.number for case in waiting])
    if not waiting:
        _nothing(house, who)
        return
    st.caption(say("{number} waiting. You review each query before anyone sees a result.", number=len(waiting)))
    case, order = queue.show(waiting)
    if case is None:
        deciding.aside()
        return
    _both(look(house, who, case.asked))
    deciding.show_bar(case, order, _case(house, who, case))


def _case(house: House, who: Member, case: Awaited) -> Decision | None:
    """Show a request on the left, its checklist and comments on the right; return what is decided on."""
    here = dossier(house, case.asked, who)
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(border=True):
        st.markdown(f"**{say('Request #{number}', number=case.asked.number)}** · {quoted(str(case.asked.cost))}")
        st.caption(
            say("{name} requests a release from {data}. Purpose:", name=quoted(case.asker), data=quoted(case.data))
        )
        st.text(case.asked.purpose)
        outbox.show_links(house, who, case.asked)
        card.show(here.snapshot, names=True)
        link("evidence", say("Privacy tests for this query"), "verified", {"request": str(case.asked.number)})
    with right:
        with st.container(border=True):
            decision = deciding.show(house, who, here)
        show_alternatives(case.asked.request, here.data.registration)
        outbox.show_remarks(house, who, case.asked)
        repeated(here.snapshot)
    return decision


def _both(others: list[str]) -> None:
    """Show who else is reading the request at this time."""
    if others:
        names = ", ".join(quoted(name) for name in others)
        st.warning(say("Also viewed in the last 5 minutes by: {names}.", names=names), icon=":material/group:")


def _nothing(house: House, who: Member) -> None:
    """Show that nothing waits; another officer may have decided on the last request in the meantime."""
    deciding.done()
    words.show_notice()
    st.info(say("No requests are waiting for a decision."))
    first_steps.show(house, who)


def _decided(house: House, who: Member) -> None:
    """Show what was decided, by whom and when, and the card of one request."""
    requests = decided(house, who)
    if not requests:
        st.info(say("No decisions yet."))
        return
    names = names_of(house)
    st.dataframe(_outcomes(house, requests, names), hide_index=True, width="stretch")
    asked = choose_request(requests, "decided", names)
    st.caption(
        say("{name} writes: {purpose}", name=quoted(name_of(house, asked.analyst)), purpose=quoted(asked.purpose))
    )
    outbox.show_links(house, who, asked)
    with st.container(border=True):
        card.show(snapshot(house, asked), names=True)
    card_files(asked.id)
    outbox.show_remarks(house, who, asked)
    st.caption(in_words(asked.request))


def _outcomes(house: House, requests: Sequence[Inquiry], names: Mapping[str, str]) -> pd.DataFrame:
    """Return requests with who decided, when, and with which reason."""
    lines = table(requests, names)
    people = {person for asked in requests for person in (asked.analyst, asked.decided_by) if person}
    called = {person: name_of(house, person) for person in people}
    lines[say("By")] = [called[asked.analyst] for asked in requests]
    lines[say("Decided by")] = [called[asked.decided_by] if asked.decided_by else "–" for asked in requests]
    lines[say("Decided")] = [f"{asked.decided:%Y-%m-%d %H:%M}" if asked.decided else "–" for asked in requests]
    lines[say("Reason or conditions")] = [asked.reason for asked in requests]
    return lines
