"""Review: the queue with a card for each request, the checklist, and one decision."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.budget import BudgetExceeded, ParameterError, Phrase
from discreet.office import Account, House, inbox, registry, seal
from discreet.office.asked import STATES, Inquiry, decided, find
from discreet.office.checklist import Item, checklist
from discreet.office.decisions import FEWEST, decide
from discreet.office.dossier import Dossier, dossier
from discreet.office.memberships import name_of
from discreet.office.snapshot import Snapshot, snapshot
from discreet.ui import card
from discreet.ui.answers import asked as question
from discreet.ui.answers import files
from discreet.ui.buttons import primary
from discreet.ui.links import link, view
from discreet.ui.office import door
from discreet.ui.office.outbox import choose, table
from discreet.ui.state import chosen, workspace
from discreet.ui.words import quoted, say

# points that speak of the data, not of one question
OF_DATA = ("unit", "others", "trust", "readable", "deletion")
VIEWS = {"queue": Phrase("Waiting"), "decided": Phrase("Decided")}


def show() -> None:
    """Show what waits, or what was decided."""
    st.title(say("Review"), anchor=False)
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    if workspace().done:
        st.success(workspace().done)
        workspace().done = ""
    if view(say("View"), VIEWS, "review-view") == "queue":
        _queue(house, who)
    else:
        _decided(house, who)


def _queue(house: House, who: Account) -> None:
    waiting = inbox.queue(house, who)
    if not waiting:
        _refused()  # somebody else may have decided about the last one meanwhile
        st.info(say("Nothing waits for a decision."))
        if not registry.everything(house):
            link("registered", say("Register the first dataset"), "inventory_2")
        return
    st.caption(
        say("Waiting: {number}. You decide about the question, before anybody has an answer.", number=len(waiting))
    )
    names = {one.id: one.name for one in registry.everything(house)}
    asked = choose(waiting, "waiting", names)
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(border=True):
        st.caption(
            say(
                "{name} asks of {data}, for this purpose:",
                name=quoted(name_of(house, asked.analyst)),
                data=quoted(names[asked.dataset]),
            )
        )
        st.text(asked.purpose)
        here = dossier(house, asked, who)
        card.show(here.snapshot, names=True)
    with right:
        with st.container(border=True):
            _decision(house, who, here)
        _history(here.snapshot)


def _decision(house: House, who: Account, here: Dossier) -> None:
    """Show the checklist and the three decisions."""
    asked = here.asked
    st.subheader(say("Checklist"), anchor=False)
    if who.id == asked.analyst:
        st.warning(say("This is your own request: another officer must decide about it."))
        return
    if any(one.analyst == who.id for one in here.snapshot.requests):
        st.warning(say("You have asked of these data: another officer must decide about them."))
        return
    items = checklist(here)
    _settled(items)
    st.caption(
        say(
            "Yours to answer: yes, or no with a reason. You can approve with a no all the same; "
            "your reason then stands on the card."
        )
    )
    said = earlier(house, who, asked)
    left = [item for item in items[::-1] if item.verified is not True]  # the purpose comes first
    for item in left:
        _answer(item, asked, said.get(item.name, ""))
    _buttons(here.snapshot, items, left)


def _settled(items: list[Item]) -> None:
    """Show what needs no answer, and on whose word."""
    sure = [item for item in items if item.verified is True]
    told = sum(item.said for item in sure)
    with st.expander(
        say(
            "Found by the system: {found}, said at registration: {told}, yours: {yours}",
            found=len(sure) - told,
            told=told,
            yours=len(items) - len(sure),
        )
    ):
        for title, said in (
            (Phrase("Found by the system just now"), False),
            (Phrase("Said by whoever registered the data"), True),
        ):
            found = [item for item in sure if item.said is said]
            if found:
                st.markdown(f"**{say(title)}**")
            for item in found:
                icon = "record_voice_over" if said else "check_circle"
                st.markdown(f":material/{icon}: {quoted(say(item.question))}")
                st.caption(quoted(say(item.note)))


def _refused() -> None:
    """Say why nothing was decided, and about which request: another one may be on the screen."""
    if workspace().notice:
        st.error(quoted(say(workspace().notice)))
        workspace().notice = ""


def _what_follows(shown: Snapshot) -> None:
    """Say what each decision does, and who then sees the answer."""
    name, public = quoted(shown.name(shown.asked.analyst)), shown.data.published
    st.caption(
        say(
            "Approve: it runs at once, and its cost is spent for good. Deny or ask for changes: "
            "nothing is spent. None of this can be undone."
        )
    )
    st.caption(
        say("Everybody can then read the answer: these data are published.")
        if public
        else say("{name} and the officers then see the answer. It is not published by this.", name=name)
    )


def _buttons(shown: Snapshot, items: list[Item], left: list[Item]) -> None:
    """Say what follows, and offer the three decisions."""
    asked = shown.asked
    n, key, points = asked.number, f"reason:{asked.id}", tuple(item.name for item in left)
    told = (key, points, seal.of_decision(shown, items))
    _what_follows(shown)
    _refused()
    primary(
        say("Approve #{number} and run it once", number=n),
        width="stretch",
        key=f"approve:{asked.id}",
        on_click=_decide,
        args=(asked.id, "approved", *told),
    )
    st.text_area(
        say("Message to the analyst (not needed to approve)"),
        key=key,
        height=80,
        max_chars=2000,
        persist_state="session",
        help=say("Needed to deny or to ask for changes; the analyst reads it."),
    )
    st.button(
        say("Ask for changes of #{number}", number=n),
        width="stretch",
        key=f"changes:{asked.id}",
        on_click=_decide,
        args=(asked.id, "changes", *told),
    )
    st.button(
        say("Deny #{number}", number=n),
        width="stretch",
        key=f"deny:{asked.id}",
        on_click=_decide,
        args=(asked.id, "denied", *told),
    )


def earlier(house: House, who: Account, asked: Inquiry) -> dict[str, str]:
    """Return what this officer last said about the same data, for points about data alone."""
    mine = [
        one
        for one in decided(house, who)
        if one.decided_by == who.id and one.dataset == asked.dataset and one.checklist
    ]
    return {n: mine[0].checklist[n] for n in OF_DATA if n in mine[0].checklist} if mine else {}


def _answer(item: Item, asked: Inquiry, before: str) -> None:
    """Ask one point."""
    mark = ":material/error: " if item.verified is False else ""
    st.markdown(f"{mark}{quoted(say(item.question))}")
    st.caption(quoted(say(item.note)))
    key = f"item:{asked.id}:{item.name}"
    said, _, why = before.partition(":")
    word: str | None = said
    if before:
        st.caption(say("As you answered for these data before; change it where it differs."))
    if item.verified is not False:
        word = st.segmented_control(
            say("Answer to {number}", number=item.number),
            ["yes", "no"],
            default=said or None,
            key=key,
            persist_state="session",
            format_func=lambda word: say("Yes") if word == "yes" else say("No"),
            label_visibility="collapsed",
        )
        if word != "no":
            return
    st.text_area(
        say("Your reason for approving although the answer is no"),
        why.strip(),
        key=f"{key}:why",
        max_chars=500,
        height=80,
        persist_state="session",
        help=say("In at least {fewest} characters.", fewest=FEWEST),
    )


def _told(request: str, points: tuple[str, ...]) -> dict[str, str]:
    """Return what is said in the fields of the points, as they are at this moment."""
    said = {}
    for point in points:
        key = f"item:{request}:{point}"
        word, why = chosen(key, "no"), str(chosen(f"{key}:why") or "").strip()
        if word == "yes":
            said[point] = "yes"
        elif word == "no" and why:  # what the system found false offers no yes
            said[point] = f"no: {why}"
    return said


def _decide(request: str, verdict: str, reason: str, points: tuple[str, ...], seen: str) -> None:
    """Decide in one step that calls nothing of the page; `seen` is what the page showed."""
    house, who, space = door.house(), door.who(), workspace()
    if house is None or who is None:
        return
    said = _told(request, points)
    try:
        asked = decide(house, who, request, verdict, str(chosen(reason) or ""), said, seen)
    except (ParameterError, BudgetExceeded) as refused:
        number = find(house, request).number
        space.notice = Phrase("#{number}: {why}", number=number, why=refused.args[0])
        return
    told = {
        "number": asked.number,
        "name": quoted(name_of(house, asked.analyst)),
        "cost": asked.cost,
        "left": len(inbox.queue(house, who)),
    }
    space.done = {
        "approved": say(
            "You approved #{number}. It ran once, its cost is spent, and {name} has the answer. Still waiting: {left}.",
            **told,
        ),
        "changes": say(
            "You asked {name} to change #{number}. {cost} is free again, and {name} "
            "reads your reason. Still waiting: {left}.",
            **told,
        ),
        "denied": say(
            "You denied #{number}. {cost} is free again, and {name} reads your reason. Still waiting: {left}.", **told
        ),
    }[verdict]


def _history(shown: Snapshot) -> None:
    """Show who asked the same before: the answers of one question can be averaged."""
    with st.container(border=True):
        st.subheader(say("The same question before"), anchor=False)
        same = shown.same
        if not same:
            st.caption(say("Nobody has asked this of these data."))
            return
        answered = sum(one.release is not None for one in same)
        st.caption(
            say(
                "Answered {times} times. Answers to one question can be averaged: what counts is "
                "the sum of their costs.",
                times=answered,
            )
        )
        st.dataframe(
            pd.DataFrame(
                [
                    {
                        say("Request"): f"#{one.number}",
                        say("By"): shown.name(one.analyst),
                        say("Cost"): str(one.cost),
                        say("State"): say(STATES[one.status]),
                    }
                    for one in same
                ]
            ),
            hide_index=True,
            width="stretch",
        )


def _decided(house: House, who: Account) -> None:
    found = decided(house, who)
    if not found:
        st.info(say("Nothing was decided yet."))
        return
    names = {one.id: one.name for one in registry.everything(house)}
    told = table(found, names)
    told[say("By")] = [name_of(house, one.analyst) for one in found]
    told[say("Decided by")] = [name_of(house, one.decided_by) if one.decided_by else "–" for one in found]
    told[say("Decided")] = [f"{one.decided:%Y-%m-%d %H:%M}" if one.decided else "–" for one in found]
    st.dataframe(told, hide_index=True, width="stretch")
    asked = choose(found, "decided", names)
    st.caption(
        say("{name} writes: {purpose}", name=quoted(name_of(house, asked.analyst)), purpose=quoted(asked.purpose))
    )
    with st.container(border=True):
        card.show(snapshot(house, asked), names=True)
    files(asked.id)
    st.caption(question(asked.request))
