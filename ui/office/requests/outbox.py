"""Outbox: an analyst's own requests, newest first, each with its card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError
from discreet.curator.plan import FixedPlan
from discreet.curator.release import Question
from discreet.office import House, Member
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import registry
from discreet.office.decisions.decisions import withdraw
from discreet.office.desk.asking import beside
from discreet.office.desk.queue import own
from discreet.office.house.roles import OFFICER
from discreet.office.requests.remarks import ALL, AUDIENCES, LONGEST, OFFICERS, Remark, remark, thread
from discreet.office.requests.request import Inquiry
from discreet.office.requests.states import EVERY, LIVE, WAITING
from discreet.ui.frame import words
from discreet.ui.frame.families import asked_on
from discreet.ui.frame.links import card_files, link, pick
from discreet.ui.frame.words import in_words, quoted, say
from discreet.ui.office.forms import Entries
from discreet.ui.office.requests import card
from discreet.ui.session import door
from discreet.ui.session.state import choose, workspace

# Progress: the state of a request without a result, and a way to withdraw it.


def under_way(asked: Inquiry, key: str) -> None:
    """Show a request that is in progress, and a way to withdraw it."""
    if asked.state == WAITING.name:
        _waiting(asked)
        st.button(
            say("Withdraw request"),
            key=f"{key}:withdraw",
            icon=":material/undo:",
            on_click=_withdraw,
            args=(asked.id,),
            help=say("The reserved budget is returned immediately."),
        )
    else:
        st.info(say("Request #{number} is running.", number=asked.number))
    link("requests", say("View my requests"), "outbox")


def _waiting(asked: Inquiry) -> None:
    """Show who decides on it, or that no one does because the dataset was closed."""
    house = door.house()
    if house is not None and registry.find(house, asked.dataset).state != "open":
        words = say(
            "The dataset of request #{number} was closed, so there will be no result. {cost} stays "
            "reserved until you withdraw the request or it expires.",
            number=asked.number,
            cost=asked.cost,
        )
        st.warning(words)
        return
    st.info(say("Request #{number} is waiting for approval. {cost} is reserved.", number=asked.number, cost=asked.cost))


def ended(asked: Inquiry) -> None:
    """Show how a request without a result ended."""
    state = EVERY[asked.state]
    text = say(str(state.over), number=asked.number, reason=quoted(asked.reason))
    (st.warning if state.verdict else st.info)(text)


def _withdraw(request: str) -> None:
    house = door.house()
    who = door.who()
    if house is None or who is None:
        return
    try:
        withdraw(house, who, request)
    except ParameterError as refused:
        workspace().notice = refused


# Links: which request this one follows and why that one ended, and which follow it.


def show_links(house: House, who: Member, asked: Inquiry) -> None:
    """Show both directions; nothing if a request has no links."""
    earlier, later = beside(house, who, asked.id)
    if earlier is not None:
        _earlier(earlier)
    if later:
        numbers = ", ".join(f"#{number}" for number in later)
        st.info(say("Sent again with changes: {requests}.", requests=numbers), icon=":material/arrow_forward:")


def _earlier(earlier: Inquiry) -> None:
    """Show the earlier query, how it ended, and the reason."""
    text = say(
        "Replaces #{number} ({state}): {question}, {cost}.",
        number=earlier.number,
        state=say(EVERY[earlier.status].words),
        question=quoted(in_words(earlier.request)),
        cost=quoted(str(earlier.cost)),
    )
    reason = f"  \n{say('The officer wrote: {reason}', reason=quoted(earlier.reason))}" if earlier.reason else ""
    st.info(text + reason, icon=":material/history:")


# Comments: the comments on a request, who may read them, and a field to add one.


def show_remarks(house: House, who: Member, asked: Inquiry) -> None:
    """Show the comments on a request, and ask for another one."""
    if who.id != asked.analyst and OFFICER not in who.roles:
        return
    with st.container(border=True):
        st.header(say("Comments"), anchor=False)
        said = thread(house, who, asked.id)
        if not said:
            st.caption(say("No comments yet."))
        for each in said:
            _said(each)
        _more(who, asked)


def _said(each: Remark) -> None:
    audience = say(AUDIENCES[each.audience])
    time = f"{each.at:%Y-%m-%d %H:%M}"
    st.caption(quoted(say("{name}, {time}, for {audience}:", name=each.name, time=time, audience=audience)))
    st.text(each.body)


def _more(who: Member, asked: Inquiry) -> None:
    """Ask for a comment and its readers; an analyst's comment is for both sides."""
    entries = Entries(f"remark:{asked.id}")
    st.text_area(
        say("Your comment"),
        key=entries.key("text"),
        height=80,
        max_chars=LONGEST,
        persist_state="session",
        help=say("Comments cannot be changed or deleted. Never write what rows reveal about a person."),
    )
    if who.id != asked.analyst:
        st.segmented_control(
            say("Readers"),
            [OFFICERS, ALL],
            default=OFFICERS,
            required=True,
            key=entries.key("audience"),
            format_func=lambda name: say(AUDIENCES[name]),
        )
    st.button(say("Comment"), key=entries.key("send"), icon=":material/chat:", on_click=_send, args=(asked,))


def _send(asked: Inquiry) -> None:
    """Send the typed comment to the chosen readers."""
    house = door.house()
    who = door.who()
    entries = Entries(f"remark:{asked.id}")
    if house is None or who is None:
        return
    try:
        remark(house, who, asked.id, entries.text("text"), str(entries.value("audience", ALL)))
    except ParameterError as refused:
        workspace().notice = refused
        return
    choose(entries.key("text"), "")


def show() -> None:
    """Show the list of requests, and the selected one."""
    st.title(say("My requests"), anchor=False)
    house = door.house()
    who = door.who()
    if house is None or who is None:
        return
    mine = own(house, who)
    if not mine:
        st.info(say("No requests yet. Choose a registered dataset, open Query and send a request."))
        link("dataset", say("Choose dataset"))
        link("query", say("New request"), "add")
        return
    link("query", say("New request"), "add")
    names = names_of(house)
    st.dataframe(table(mine, names), hide_index=True, width="stretch")
    chosen = choose_request(mine, "request", names)
    st.header(say("Request #{number}", number=chosen.number), anchor=False)
    words.show_notice()
    _state(chosen)
    show_links(house, who, chosen)
    _card(house, chosen)
    show_remarks(house, who, chosen)


def names_of(house: House) -> dict[str, str]:
    """Return the names of all registered datasets, by id."""
    return {data.id: data.name for data in registry.everything(house)}


def table(requests: Sequence[Inquiry], names: Mapping[str, str]) -> pd.DataFrame:
    """Return requests as a table: number, query, cost, state, time."""
    return pd.DataFrame(
        [
            {
                say("Request"): f"#{asked.number}",
                say("Dataset"): names[asked.dataset],
                say("Query"): in_words(asked.request),
                say("Cost"): str(asked.cost),
                say("State"): say(EVERY[asked.status].words),
                say("Requested"): f"{asked.asked:%Y-%m-%d %H:%M}",
            }
            for asked in requests
        ]
    )


def choose_request(requests: Sequence[Inquiry], key: str, names: Mapping[str, str]) -> Inquiry:
    """Choose one request by its number, which may be in the address."""
    by_number = {str(asked.number): asked for asked in requests}
    labels = {n: f"#{n} · {names[asked.dataset]} · {in_words(asked.request)}" for n, asked in by_number.items()}
    return by_number[pick(say("Request to show"), labels, key)]


def _state(chosen: Inquiry) -> None:
    if chosen.release is not None:
        st.success(say("Result released."))
    elif chosen.state in LIVE:
        under_way(chosen, "outbox")
    else:
        ended(chosen)
        if st.button(say("Edit and send again"), icon=":material/edit:"):
            workspace().turn_to(chosen.dataset)
            workspace().following[chosen.dataset] = workspace().refill = chosen.id
            st.switch_page(f"../pages/{_page(chosen.request)}.py")


def _page(question: Question) -> str:
    return "plan" if isinstance(question, FixedPlan) else asked_on(question.mechanism)


def _card(house: House, chosen: Inquiry) -> None:
    st.caption(say("Purpose: {purpose}", purpose=quoted(chosen.purpose)))
    if chosen.reason and chosen.release is not None:
        st.caption(say("The officer wrote: {reason}", reason=quoted(chosen.reason)))
    with st.container(border=True):
        card.show(snapshot(house, chosen), names=True)
    card_files(chosen.id)
