"""Deciding: the checklist of a request, the consequences of a decision, and the three buttons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from discreet.budget import BudgetExceeded, ParameterError, Phrase
from discreet.office import House, Member
from discreet.office.cards.review_case import Dossier, Snapshot
from discreet.office.decisions import decisions
from discreet.office.decisions.checklist import Item, checklist
from discreet.office.decisions.decisions import (
    FEWEST,
    MINE,
    NO_SECOND,
    OTHER_OFFICER,
    decide,
    first_of,
    needs_two,
    stage,
    take_back,
)
from discreet.office.desk.queue import Awaited, beside, how_many
from discreet.office.house.roles import Denied
from discreet.office.people.accounts import name_of
from discreet.office.requests import states
from discreet.office.requests.request import Inquiry, find, last_words, number_of, seen_by
from discreet.office.rules.rights import in_stead
from discreet.ui.frame import words
from discreet.ui.frame.links import primary
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.datasets.drafts import Form, hold, resume, sent
from discreet.ui.office.forms import Entries, fold, turned
from discreet.ui.office.requests import queue
from discreet.ui.office.requests.queue import WAITING
from discreet.ui.session import door
from discreet.ui.session.state import addressed, choose, chosen, workspace

# Checklist: the points that an officer answers, yes or no with a reason.

# points about the data, not about one query
OF_DATA = ("unit", "others", "trust", "readable", "deletion")


def _entries(request: str) -> Entries:
    """Return the fields of the points of one request: an answer and a reason each."""
    return Entries(turned(f"item:{request}"))


def _why(point: str) -> str:
    return f"{point}:why"


def ask(items: Iterable[Item], asked: Inquiry, before: Mapping[str, str]) -> None:
    """Ask the open points; nothing is prefilled, earlier answers are only shown."""
    st.caption(
        say(
            "Answer yes, or no with a reason. You can still approve after a “no”. Your reason then appears on the card."
        )
    )
    for item in items:
        _point(item, asked, before.get(item.name, "") if item.name in OF_DATA else "")


def _point(item: Item, asked: Inquiry, before: str) -> None:
    """Ask one point: yes or no, and for no a reason."""
    mark = ":material/error: " if item.verified is False else ""
    st.markdown(f"{mark}**{item.number}** · {quoted(say(item.question))}")
    st.caption(quoted(say(item.note)))
    entries = _entries(asked.id)
    if before:
        _earlier(before)
    if item.verified is not False and _word(item, entries) != "no":
        return
    st.text_area(
        say("Reason to approve despite this “no”"),
        key=entries.key(_why(item.name)),
        max_chars=500,
        height=80,
        persist_state="session",
        help=say("Enter at least {fewest} characters.", fewest=FEWEST),
    )


def _earlier(before: str) -> None:
    """Show this officer's latest answer for the same dataset."""
    word, _, why = before.partition(":")
    text = say("Yes") if word == "yes" else f"{say('No')}: {why.strip()}"
    st.caption(say("Your last answer for this dataset: {answer}", answer=quoted(text)))


def _word(item: Item, entries: Entries) -> str | None:
    return st.segmented_control(
        say("Answer to {number}", number=item.number),
        ["yes", "no"],
        key=entries.key(item.name),
        persist_state="session",
        format_func=lambda word: say("Yes") if word == "yes" else say("No"),
        label_visibility="collapsed",
    )


def answers(request: str, points: Iterable[str]) -> dict[str, str]:
    """Return the current answers in the fields of the points."""
    entries = _entries(request)
    said = {}
    for point in points:
        word = entries.value(point, "no")
        why = entries.text(_why(point))
        if word == "yes":
            said[point] = "yes"
        elif word == "no" and why:  # a point that the system found false offers no yes
            said[point] = f"no: {why}"
    return said


# Settled points: those that need no answer, and who answered them.


def settled(items: Sequence[Item]) -> None:
    """Show what the system verified, and what was answered at the registration."""
    sure = [item for item in items if item.verified is True]
    by_word = [item for item in sure if item.said]
    by_system = [item for item in sure if not item.said]
    label = say(
        "Checked automatically: {found} · stated at registration: {told} · for you to answer: {yours}",
        found=len(by_system),
        told=len(by_word),
        yours=len(items) - len(sure),
    )
    fold("settled", label, lambda: _both(by_system, by_word))


def _both(by_system: Sequence[Item], by_word: Sequence[Item]) -> None:
    _points(Phrase("Checked automatically just now"), by_system, "check_circle")
    _points(Phrase("Stated by the officer who registered the dataset"), by_word, "record_voice_over")


def _points(title: Phrase, items: Sequence[Item], icon: str) -> None:
    if items:
        st.markdown(f"**{say(title)}**")
    for item in items:
        st.markdown(f":material/{icon}: **{item.number}** · {quoted(say(item.question))}")
        st.caption(quoted(say(item.note)))


RAN = Phrase("Approved #{number}. It ran once, its cost is spent, and {name} has the result. Still waiting: {left}.")
FIRST = Phrase("Approved #{number} as the first of two. It runs once another officer approves it.")
SENT_BACK = Phrase(
    "You asked {name} to change #{number}. {cost} was returned to the budget, and {name} sees "
    "your reason. Still waiting: {left}."
)
TURNED_DOWN = Phrase(
    "Denied #{number}. {cost} was returned to the budget, and {name} sees your reason. Still waiting: {left}."
)


@dataclass(frozen=True)
class Decision:
    """What a button decides: its request, the points asked, what the page showed, and which points are open."""

    request: str
    points: tuple[str, ...]
    seen: str
    open: tuple[int, ...] = ()
    closed: bool = False  # whether the dataset is closed
    stage: str = ""  # the stage of two approvals, from `decisions.stage`

    @property
    def reason(self) -> str:
        """The key of the message to the analyst."""
        return turned(f"reason:{self.request}")


def show(house: House, who: Member, here: Dossier) -> Decision | None:
    """Show the checklist; return what the buttons decide on, None if this person may not decide."""
    asked = here.asked
    st.header(say("Checklist"), anchor=False)
    if (why := _not_for(who, here)) is not None:
        st.warning(say(why))
        return None
    _standing(house, who, here)
    items = checklist(here)
    form = _form(asked)
    resume(house, who, form)
    settled(items)
    left = [item for item in items[::-1] if item.verified is not True]  # the purpose comes first
    ask(left, asked, last_words(house, who, asked.dataset))
    at = stage(house, who, asked, here.data.policy)
    _what_follows(here.snapshot, at)
    points = tuple(item.name for item in left)
    decision = Decision(
        asked.id, points, decisions.fingerprint_of(here.snapshot, items), closed=here.data.state != "open"
    )
    decision = replace(decision, stage=at)
    _message(decision.reason)
    hold(house, who, form)
    said = answers(asked.id, points)
    return replace(decision, open=tuple(item.number for item in left if item.name not in said))


def _standing(house: House, who: Member, here: Dossier) -> None:
    """Show whether the dataset is closed, for whom the officer substitutes, and whether two approvals are needed."""
    if here.data.state != "open":
        st.warning(
            say("This dataset is closed, so the request cannot be approved. Deny it to return its cost to the budget.")
        )
    absent = in_stead(house, who, here.asked.dataset)
    if absent is not None:
        st.info(say("You are deciding on behalf of {name}. The audit log records this.", name=quoted(absent.name)))
    if needs_two(here.data.policy, here.asked):
        _pair(first_of(house, who, here.asked.id), who)


def _not_for(who: Member, here: Dossier) -> Phrase | None:
    """Return why this person may not decide; None if they may."""
    if who.id == here.asked.analyst:
        return Phrase("This is your own request. Another officer must decide on it.")
    if any(other.analyst == who.id for other in here.snapshot.requests):
        return Phrase("You have sent requests for this dataset. Another officer must decide.")
    return None


def _form(asked: Inquiry) -> Form:
    """Return the form of a decision: the message, and the points of the checklist."""
    return Form(f"decide:{asked.id}", f"#{asked.number}", (f"reason:{asked.id}", f"item:{asked.id}"))


def _pair(first: Member | None, who: Member) -> None:
    """Show that two officers are needed, and who approved first."""
    if first is None:
        st.info(say("This ε requires two officers. After you, another officer must approve it, too."))
    elif first.id == who.id:
        st.warning(say("You have approved this request. It runs once another officer approves it, too."))
    else:
        st.info(say("{name} has approved this request. It runs once you approve it, too.", name=quoted(first.name)))


def _what_follows(shown: Snapshot, at: str) -> None:
    """Show the effect of each decision, and who then sees the result."""
    if at in (NO_SECOND, MINE):
        st.caption(
            say(
                "Approving is recorded, but nothing runs until another officer approves, too. Until then "
                "you can withdraw your approval. Denying or requesting changes spends nothing and cannot "
                "be undone."
            )
        )
        return
    name = quoted(shown.name(shown.asked.analyst))
    public = shown.data.published
    st.caption(
        say(
            "Approving runs the query immediately and spends its cost permanently. Denying or "
            "requesting changes spends nothing. None of this can be undone."
        )
    )
    st.caption(
        say("The result will be public, because this dataset is published.")
        if public
        else say("{name} and the officers will see the result. Approving does not publish it.", name=name)
    )


def _message(key: str) -> None:
    st.text_area(
        say("Message to the analyst (optional when approving)"),
        key=key,
        height=80,
        max_chars=2000,
        persist_state="session",
        help=say("A message is required to deny or to request changes. The analyst sees it."),
    )


def act(decision: Decision, verdict: str, following: int | None) -> None:
    """Decide in one step that calls no code of the page, and go to the next request of the list."""
    house = door.house()
    who = door.who()
    space = workspace()
    if house is None or who is None:
        return
    request = decision.request
    message = str(chosen(decision.reason) or "")
    said = answers(request, decision.points)
    try:
        asked = decide(house, who, request, verdict, message, said, decision.seen)
    except (ParameterError, BudgetExceeded) as refused:
        number = find(house, request).number
        space.notice = Phrase("#{number}: {why}", number=number, why=refused.args[0])
        return
    sent(_form(asked))
    space.done = _done(house, who, asked, verdict)
    if following is not None:
        choose(WAITING, str(following))


def back(request: str) -> None:
    """Withdraw one's own first approval, in one step that calls no code of the page."""
    house = door.house()
    who = door.who()
    space = workspace()
    if house is None or who is None:
        return
    try:
        take_back(house, who, request)
    except ParameterError as refused:
        space.notice = refused
        return
    space.done = say("You withdrew your approval of #{number}.", number=find(house, request).number)


def _done(house: House, who: Member, asked: Inquiry, verdict: str) -> str:
    """Describe the decision, what happened to the cost, and how many requests are left."""
    values = {
        "number": asked.number,
        "name": quoted(name_of(house, asked.analyst)),
        "cost": asked.cost,
        "left": how_many(house, who),
    }
    if verdict == states.APPROVED.name:
        return say(str(FIRST if asked.state == states.WAITING.name else RAN), **values)
    return say(str(SENT_BACK if verdict == states.CHANGES.name else TURNED_DOWN), **values)


# Bar: the request in one line with its actions, at the lower edge, always visible.

LONGEST = 10  # digits of a number


def show_bar(case: Awaited, order: Sequence[int], decision: Decision | None) -> None:
    """Show the line, links to the previous and next request, and the three decisions."""
    before, after = beside(order, case.asked.number)
    following = after if after is not None else before
    with st.bottom, st.container(key="decision"):
        done()
        words.show_notice()
        st.markdown(queue.line(case))
        if decision is not None and decision.open:
            st.caption(say("Checklist items left: {points}.", points=", ".join(map(str, decision.open[::-1]))))
        with st.container(horizontal=True, vertical_alignment="center"):
            if len(order) > 1:
                _step(say("Previous request"), "chevron_left", before)
                _step(say("Next request"), "chevron_right", after)
            if decision is not None:
                _decisions(case.asked.number, decision, following)


def aside() -> None:
    """Show the outcome of the last decision if no request is selected, without buttons."""
    with st.bottom, st.container(key="decision"):
        done()
        words.show_notice()
        st.caption(say("No request is open, because no waiting request is listed."))


def done() -> None:
    """Show the outcome of the last decision beside the buttons."""
    if workspace().done:
        st.success(workspace().done)


def _step(label: str, icon: str, number: int | None) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        key=f"step:{icon}",
        disabled=number is None,
        on_click=choose,
        args=(queue.WAITING, str(number)),
    )


def _decisions(n: int, decision: Decision, following: int | None) -> None:
    """Show the three decisions; approving is highlighted once every point has an answer."""
    approve = _approve(n, decision.stage)
    mine = decision.stage == MINE
    button = st.button if decision.open or decision.closed or mine else primary
    key = f"approve:{decision.request}"
    args = (decision, states.APPROVED.name, following)
    button(approve, key=key, on_click=act, args=args, disabled=decision.closed or mine)
    if mine:
        label = say("Withdraw my approval of #{number}", number=n)
        st.button(label, key=f"back:{decision.request}", on_click=back, args=(decision.request,))
    for verdict, label in (
        (states.CHANGES.name, say("Request changes to #{number}", number=n)),
        (states.DENIED.name, say("Deny #{number}", number=n)),
    ):
        key = f"{'deny' if verdict == states.DENIED.name else verdict}:{decision.request}"
        st.button(label, key=key, on_click=act, args=(decision, verdict, following))


def _approve(n: int, stage: str) -> str:
    """Return what an approval does at this stage."""
    if stage == MINE:
        return say("#{number} is waiting for another officer", number=n)
    if stage == NO_SECOND:
        return say("Approve #{number} (first of two)", number=n)
    if stage == OTHER_OFFICER:
        return say("Approve (second of two) and run #{number} once", number=n)
    return say("Approve and run #{number} once", number=n)


def gone(house: House, who: Member, waiting: Collection[int]) -> None:
    """Show what happened to the request in the address, if it does not wait any more."""
    number = addressed(queue.WAITING)
    space = workspace()
    if not (number.isascii() and number.isdecimal() and len(number) < LONGEST) or space.done or space.notice:
        return
    request = None if int(number) in waiting else number_of(house, int(number))
    if request is None:
        return
    try:
        asked = seen_by(house, who, request)
    except Denied:
        return  # of a dataset kept by others
    name = name_of(house, asked.decided_by) if asked.decided_by else ""
    words = say("#{number} is no longer waiting: {state}.", number=number, state=say(states.EVERY[asked.status].words))
    st.info(f"{words} {say('Decided by {name}.', name=quoted(name))}" if name else words)
