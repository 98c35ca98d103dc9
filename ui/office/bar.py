"""Bar: the request in one line and what can be done with it, at the lower edge, always in sight."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from discreet.office import House, Member
from discreet.office.asked import STATES, number_of, seen_by
from discreet.office.awaiting import Awaited, beside
from discreet.office.memberships import name_of
from discreet.office.pairs import MINE, NOBODY, OTHER
from discreet.office.roles import Denied
from discreet.ui import notices
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import queueing
from discreet.ui.office.deciding import Decision, act, back
from discreet.ui.state import addressed, choose, workspace

LONGEST = 10  # digits of a number


def show(case: Awaited, order: Sequence[int], decision: Decision | None) -> None:
    """Show the line, the ways to the neighbours in the list, and the three decisions."""
    before, after = beside(order, case.asked.number)
    following = after if after is not None else before
    with st.bottom, st.container(key="decision"):
        done()
        notices.show()
        st.markdown(queueing.line(case))
        if decision is not None and decision.open:
            st.caption(say("Open points of the checklist: {points}.", points=", ".join(map(str, decision.open[::-1]))))
        with st.container(horizontal=True, vertical_alignment="center"):
            if len(order) > 1:
                _step(say("Previous request"), "chevron_left", before)
                _step(say("Next request"), "chevron_right", after)
            if decision is not None:
                _decisions(case.asked.number, decision, following)


def aside() -> None:
    """Say what was done where no request is looked at, and offer nothing."""
    with st.bottom, st.container(key="decision"):
        done()
        notices.show()
        st.caption(say("No request is open: none of those that wait is listed."))


def done() -> None:
    """Say what was done, beside where it was done."""
    if workspace().done:
        st.success(workspace().done)


def _step(label: str, icon: str, number: int | None) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        key=f"step:{icon}",
        disabled=number is None,
        on_click=choose,
        args=(queueing.WAITING, str(number)),
    )


def _decisions(n: int, decision: Decision, following: int | None) -> None:
    """Offer the three decisions; approving stands out once every point has an answer."""
    approve, mine = _approve(n, decision.stage), decision.stage == MINE
    button = st.button if decision.open or decision.closed or mine else primary
    key, args = f"approve:{decision.request}", (decision, "approved", following)
    button(approve, key=key, on_click=act, args=args, disabled=decision.closed or mine)
    if mine:
        label = say("Take back my approval of #{number}", number=n)
        st.button(label, key=f"back:{decision.request}", on_click=back, args=(decision.request,))
    for verdict, label in (
        ("changes", say("Ask for changes of #{number}", number=n)),
        ("denied", say("Deny #{number}", number=n)),
    ):
        key = f"{'deny' if verdict == 'denied' else verdict}:{decision.request}"
        st.button(label, key=key, on_click=act, args=(decision, verdict, following))


def _approve(n: int, stage: str) -> str:
    """Say what an approval does now."""
    if stage == MINE:
        return say("#{number} waits for another officer", number=n)
    if stage == NOBODY:
        return say("Approve #{number} (first of two)", number=n)
    if stage == OTHER:
        return say("Approve #{number} (second of two) and run it once", number=n)
    return say("Approve #{number} and run it once", number=n)


def gone(house: House, who: Member, waiting: Collection[int]) -> None:
    """Say what became of the request that the address names, if it does not wait any more."""
    number, space = addressed(queueing.WAITING), workspace()
    if not (number.isascii() and number.isdecimal() and len(number) < LONGEST) or space.done or space.notice:
        return
    request = None if int(number) in waiting else number_of(house, int(number))
    if request is None:
        return
    try:
        asked = seen_by(house, who, request)
    except Denied:
        return  # of data that others keep
    name = name_of(house, asked.decided_by) if asked.decided_by else ""
    words = say("#{number} does not wait any more: {state}.", number=number, state=say(STATES[asked.status]))
    st.info(f"{words} {say('Decided by {name}.', name=quoted(name))}" if name else words)
